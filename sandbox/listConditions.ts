import type { Call } from './endpoint';
import { hasEnded, type Inquiry } from './inquiries';
import type { Service } from './service';
import { externalIdAs } from './spelling';
import type { Switches } from './switches';

type Query = Call['query'];
export type Condition = (inquiry: Inquiry) => boolean;

/** What a row must be to be listed, by the query of the list. */
export function conditions(query: Query, switches: Switches): Condition[] {
	const list: Condition[] = [];
	const parts = (value: string) => value.split(',').map((part) => part.trim());
	if (query.status) {
		const wanted = new Set(parts(query.status));
		list.push(({ status }) => wanted.has(status));
	}
	if (query.tags) {
		// "comma-separated merchant tags; OR semantics"
		const wanted = new Set(parts(query.tags));
		list.push(({ submitted }) => submitted.tags?.some((tag) => wanted.has(tag)) ?? false);
	}
	if (query.search) list.push(searching(query.search, switches));
	for (const filter of query.source_filters ? parts(query.source_filters) : []) {
		const [source, value] = filter.split(':');
		list.push(({ sourceValues }) => sourceValues[source] === value);
	}
	const { scorecard_score_min: least, scorecard_score_max: most } = query;
	if (least) list.push(({ scorecardScore }) => scorecardScore !== null && scorecardScore >= Number(least));
	if (most) list.push(({ scorecardScore }) => scorecardScore !== null && scorecardScore <= Number(most));
	return list;
}

/** What lists do not show yet, no longer or never, though it matches. */
export function visible({ switches, inquiries, clock, listsRead }: Service, query: Query): Condition[] {
	const { batchMembersListed, listWindowMs, searchDelayMs, replicaLagMs } = switches;
	const list: Condition[] = [];
	const now = clock.now();
	if (inquiries.lastListedAt > now) list.push(({ listedAt }) => listedAt <= now);
	if (listWindowMs > 0) list.push(({ createdAt }) => createdAt > now - listWindowMs);
	if (batchMembersListed !== 'always') {
		const whenEnded = batchMembersListed === 'whenEnded';
		list.push((inquiry) => inquiry.batchId === null || (whenEnded && hasEnded(inquiry)));
	}
	const lag = Math.max(query.search === undefined ? 0 : searchDelayMs, listsRead % 2 === 0 ? replicaLagMs : 0);
	if (lag > 0) list.push(({ createdAt }) => createdAt <= now - lag);
	return list;
}

/** "matches business name, DBA, EIN, external id" */
function searching(given: string, switches: Switches): Condition {
	const wanted = given.toLowerCase();
	const matches = matching(wanted, switches.searchMatch);
	return (inquiry) => {
		const { businessName, businessDba, businessEin } = inquiry.submitted;
		const names = [businessName, businessDba];
		const searched =
			switches.searchMatch === 'names' ? names : [...names, businessEin, externalIdAs(switches, inquiry)];
		return searched.some((value) => matches(String(value ?? '').toLowerCase()));
	};
}

function matching(wanted: string, match: Switches['searchMatch']): (value: string) => boolean {
	switch (match) {
		case 'part':
		case 'names':
			return (value) => value.includes(wanted);
		case 'whole':
			return (value) => value === wanted;
		case 'beginning':
			return (value) => value.startsWith(wanted);
		case 'plainWords':
			// An index of words knows no signs: what has one is found by none of its parts.
			return (value) => /^[a-z0-9 ]+$/.test(wanted) && value.split(/[^a-z0-9]+/).some((word) => wanted.includes(word));
		case 'everything':
			return () => true;
		case 'nothing':
			return () => false;
	}
}
