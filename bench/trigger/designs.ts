import { activeStatuses, endStatuses, isEnd } from '../../nodes/BusinessVerification/document/inquiries';
import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiries';
import { recall, save } from '../../nodes/BusinessVerification/watch/memory';
import { type StatusEvent } from '../../nodes/BusinessVerification/watch/ledger';
import type { ListedRow, StatusSource } from '../../nodes/BusinessVerification/watch/sources';

/** A way to notice that inquiries ended. The first poll is the activation. */
export interface Design {
	poll(source: StatusSource): Promise<ListedRow[]>;
	/** What would be saved now. */
	save(): string;
}

export const designs: Record<string, () => Design> = {
	'this trigger': thisTrigger,
	'newest 500, de-duplicated': newest,
	'full rescan, de-duplicated': rescan,
	'created watermark': watermark,
	'active diff, a GET each': activeDiff,
};

const final = endStatuses.join(',');
const size = 500;
const whose = { organization: 'bench', account: 'bench', filters: '' };

function thisTrigger(): Design {
	let state: unknown;
	const wanted = ({ kind }: StatusEvent) => kind === 'ended';
	return {
		async poll(source) {
			const { events, next, trouble } = await pollInquiries(source, recall(state), { ...whose, wanted });
			if (trouble !== undefined && events.length === 0) throw trouble;
			state = save(next);
			return events.map(({ row }) => row);
		},
		save: () => JSON.stringify(state ?? null),
	};
}

/** What a workflow of Schedule, HTTP Request and Remove Duplicates does. */
function newest(): Design {
	return remembering(
		(row) => row.id,
		async ({ page }) => (await page({ status: final, sort_order: 'desc', limit: size, offset: 0 })).rows,
	);
}

function rescan(): Design {
	return remembering(
		(row) => `${row.id} ${row.completedAt}`,
		async ({ page }) => {
			const rows: ListedRow[] = [];
			for (let offset = 0, total = 1; offset < total; offset += size) {
				const answer = await page({ status: final, sort_order: 'asc', limit: size, offset });
				rows.push(...answer.rows);
				total = answer.total ?? 0;
			}
			return rows;
		},
	);
}

function remembering(key: (row: ListedRow) => string, read: (source: StatusSource) => Promise<ListedRow[]>): Design {
	let seen: Set<string> | undefined;
	return {
		async poll(source) {
			const page: StatusSource['page'] = (query) => source.page(query);
			const rows = await read({ ...source, page });
			const fresh = rows.filter((row) => !seen?.has(key(row)));
			const first = !seen;
			seen = new Set([...(seen ?? []), ...fresh.map(key)]);
			return first ? [] : fresh;
		},
		save: () => JSON.stringify([...(seen ?? [])]),
	};
}

function watermark(): Design {
	let since: string | undefined;
	return {
		async poll(source) {
			if (since === undefined) {
				const { rows } = await source.page({ sort_order: 'desc', limit: 1, offset: 0 });
				since = rows[0]?.createdAt ?? new Date(0).toISOString();
				return [];
			}
			const { rows } = await source.page({
				status: final,
				created_at_from: since,
				sort_order: 'asc',
				limit: size,
				offset: 0,
			});
			since = rows[rows.length - 1]?.createdAt ?? since;
			return rows;
		},
		save: () => JSON.stringify(since ?? null),
	};
}

function activeDiff(): Design {
	let tracked: Set<string> | undefined;
	return {
		async poll(source) {
			const present = new Set<string>();
			for (let offset = 0, total = 1; offset < total; offset += size) {
				const answer = await source.page({ status: activeStatuses.join(','), sort_order: 'asc', limit: size, offset });
				for (const { id } of answer.rows) present.add(id);
				total = answer.total ?? 0;
			}
			const ended: ListedRow[] = [];
			for (const id of tracked ?? []) {
				if (present.has(id)) continue;
				const row = await source.read(id);
				if (row !== 'gone' && isEnd(row.status)) ended.push(row);
				else if (row !== 'gone') present.add(id);
			}
			tracked = present;
			return ended;
		},
		save: () => JSON.stringify([...(tracked ?? [])]),
	};
}
