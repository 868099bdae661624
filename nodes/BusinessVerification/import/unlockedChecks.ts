import { type Check, checks, type InquiryItem, type Item } from '../document';

export interface CheckCount extends Check {
	/** Rows that switch it on. */
	rows: number;
	/** How often they do: once a row, or once for each principal or license. */
	times: number;
}

const compiled = checks.map(({ check, needs }) => {
	const [list, key] = needs[0].split('.');
	return { check, needs, list, key };
});

/** How many times an item switches a check on: once, or once for each principal or license that has what it needs. */
function timesOf({ needs, list, key }: (typeof compiled)[number], item: InquiryItem): number {
	const fields = item as Record<string, unknown>;
	const value = fields[list];
	if (!Array.isArray(value)) return needs.every((need) => fields[need]) ? 1 : 0;
	return key === undefined ? value.length : value.filter((one: Item) => one[key]).length;
}

/** The checks that one item would switch on, where the organisation has them enabled. */
export const checksUnlockedBy = (item: InquiryItem): string[] =>
	compiled.filter((check) => timesOf(check, item) > 0).map(({ check }) => check);

/** Counts the checks that many items would switch on. */
export class CheckCounter {
	private readonly totals = compiled.map(() => ({ rows: 0, times: 0 }));

	add(item: InquiryItem): void {
		for (let place = 0; place < compiled.length; place++) {
			const times = timesOf(compiled[place], item);
			if (times === 0) continue;
			this.totals[place].rows++;
			this.totals[place].times += times;
		}
	}

	counts(): CheckCount[] {
		return checks.map((check, place) => ({ ...check, ...this.totals[place] }));
	}
}
