import type { InquiryItem } from './rows';

interface Check {
	/** What the service runs, in the words of its create rules. */
	check: string;
	/** The fields that switch it on together. */
	needs: string[];
	/** How many times an item switches it on: once, or once for each principal or license. */
	times: (item: InquiryItem) => number;
}

const check = (name: string, needs: Check['needs'], times?: Check['times']): Check => ({
	check: name,
	needs,
	times: times ?? ((item) => (needs.every((field) => item[field as keyof InquiryItem]) ? 1 : 0)),
});

const rules: Check[] = [
	check('domain verification', ['businessDomain']),
	check('better Secretary of State and business matching', ['businessEin']),
	check('Secretary of State lookups and address verification', ['businessAddressLine1', 'businessZip']),
	check('phone verification', ['businessPhone']),
	check('email verification', ['businessEmail']),
	check('person-level searches', ['principals'], ({ principals }) => principals?.length ?? 0),
	check(
		'extra background checks of principals',
		['principals.dob'],
		({ principals }) => principals?.filter(({ dob }) => Boolean(dob)).length ?? 0,
	),
	check('license verification', ['licenses'], ({ licenses }) => licenses?.length ?? 0),
];

export interface CheckCount {
	check: string;
	needs: string[];
	/** Rows that switch it on. */
	rows: number;
	/** How often they do: once a row, or once for each principal or license. */
	times: number;
}

/** The checks that one item would switch on, where the organisation has them enabled. */
export const checksUnlockedBy = (item: InquiryItem): string[] =>
	rules.filter(({ times }) => times(item) > 0).map(({ check }) => check);

/** Counts the checks that many items would switch on. */
export class CheckCounter {
	private readonly totals = rules.map(() => ({ rows: 0, times: 0 }));

	add(item: InquiryItem): void {
		for (let rule = 0; rule < rules.length; rule++) {
			const times = rules[rule].times(item);
			if (times === 0) continue;
			this.totals[rule].rows++;
			this.totals[rule].times += times;
		}
	}

	counts(): CheckCount[] {
		return rules.map(({ check, needs }, rule) => ({ check, needs, ...this.totals[rule] }));
	}
}
