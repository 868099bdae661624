import { randomUUID } from 'node:crypto';
import { pollInquiries } from '../nodes/BusinessVerification/watch/inquiryPoll';
import type { StatusEvent } from '../nodes/BusinessVerification/watch/ledger';
import { pollWholeList } from '../nodes/BusinessVerification/watch/wholeList';
import { recall, save } from '../nodes/BusinessVerification/watch/memory';
import { conclude, type Goal, quantile, table } from './report';
import { type Inquiry, Service } from '../test/watch/service';
import type { ListedRow, StatusSource } from '../nodes/BusinessVerification/watch/rows';

/** Requests per poll must follow what is in flight, not the history. */
export async function run(): Promise<boolean> {
	const goals: Goal[] = [];
	const medians: number[] = [];
	const rows: Array<Array<string | number>> = [];
	for (const history of [1_000, 10_000, 100_000, 1_000_000]) {
		const { requests } = await requestsPerPoll({ history, createdPerMinute: 20, lifeMs: 120_000, polls: 40 });
		const most = Math.max(...requests);
		medians.push(quantile(requests, 0.5));
		rows.push([history, medians.at(-1)!, most]);
		goals.push({ name: `requests per poll, history ${history}`, value: most, atMost: 4 });
	}
	table('Requests per poll by history size, 40 in flight', ['history', 'median', 'max'], rows);
	goals.push({ name: 'spread over the histories', value: Math.max(...medians) - Math.min(...medians), atMost: 0 });

	const inFlight: Array<Array<string | number>> = [];
	for (const [count, lifeMs] of [
		[0, 0],
		[10, 1_200_000],
		[1_000, 1_200_000],
		[10_000, 1_200_000],
		[30_000, 1_200_000],
	]) {
		const { requests, bytes } = await requestsPerPoll({
			history: 100_000,
			createdPerMinute: count / 20,
			lifeMs,
			startInFlight: count,
			polls: 12,
		});
		inFlight.push([count, quantile(requests, 0.5), Math.max(...requests), bytes]);
		if (count === 30_000) {
			goals.push(
				{ name: 'requests per poll, 30,000 in flight', value: quantile(requests, 0.5), atMost: 160 },
				{ name: 'state bytes, 30,000 in flight', value: bytes, atMost: 650_000 },
			);
		}
		if (count === 0) {
			goals.push(
				{ name: 'requests in one poll, nothing in flight', value: Math.max(...requests), atMost: 4 },
				{ name: 'state bytes, nothing in flight', value: bytes, atMost: 1_024 },
			);
		}
		if (count === 1_000) goals.push({ name: 'state bytes, 1,000 in flight', value: bytes, atMost: 25_000 });
	}
	table(
		'By unfinished inquiries, history 100,000, a twentieth ending per poll',
		['in flight', 'median', 'max', 'state bytes'],
		inFlight,
	);
	const capped: Array<Array<string | number>> = [];
	for (const [count, atMost] of [
		[0, 4],
		[1_000, 41],
		[10_000, 194],
	]) {
		const load = { history: 100_000, createdPerMinute: count / 20, lifeMs: 1_200_000, startInFlight: count, polls: 12 };
		const { requests } = await requestsPerPoll({ ...load, pageCap: 50 });
		capped.push([count, quantile(requests, 0.5), Math.max(...requests)]);
		goals.push({ name: `requests per poll, pages of 50, ${count} in flight`, value: Math.max(...requests), atMost });
	}
	table(
		'The same where the service gives 50 rows a page, whatever is asked for',
		['in flight', 'median', 'max'],
		capped,
	);
	const lists: Array<Array<string | number>> = [];
	for (const [count, unfinished] of [
		[100, 5],
		[500, 5],
		[5_000, 5],
		[50_000, 5],
		[50_000, 50],
	]) {
		const { requests, bytes } = await listPolls(count, unfinished);
		lists.push([`${count.toLocaleString('en')} batches, ${unfinished} unfinished`, requests, bytes]);
		goals.push({
			name: `requests per poll, ${count} batches, ${unfinished} unfinished`,
			value: requests,
			atMost: Math.ceil(count / 500),
		});
	}
	for (const count of [250, 5_000, 10_000]) {
		const { requests, bytes } = await listPolls(count, count / 2);
		lists.push([`a batch of ${count.toLocaleString('en')} inquiries`, requests, bytes]);
		goals.push({ name: `requests per poll, batch of ${count}`, value: requests, atMost: Math.ceil(count / 500) });
	}
	table('Lists without filters, most requests per poll', ['list', 'requests', 'state bytes'], lists);
	return conclude('trigger-flat', goals);
}

const minute = 60_000;
const ends = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];
const whose = { organization: 'bench', account: 'bench', filters: '' };

interface Load {
	history: number;
	createdPerMinute: number;
	lifeMs: number;
	startInFlight?: number;
	pageCap?: number;
	polls: number;
}

async function requestsPerPoll({ polls, history, createdPerMinute, lifeMs, startInFlight = 0, pageCap }: Load) {
	const service = new Service({ answerMs: 50, pageCap }, 1);
	service.addHistory(history, service.now - 30 * 1_440 * minute, service.now - 10 * minute);
	const follow = (inquiry: Inquiry, endsIn: number) => {
		service.plan(endsIn * 0.2, () => service.run(inquiry));
		service.plan(endsIn, () => service.end(inquiry, service.pick(ends)));
	};
	const arrive = () => {
		follow(service.create(), -Math.log(1 - service.random()) * lifeMs);
		service.plan(minute / createdPerMinute, arrive);
	};
	for (let count = 0; count < startInFlight; count++) {
		// Spread over the hour before, and so are their ends over the time to come.
		const at = service.now - Math.floor((count * 60 * minute) / startInFlight);
		follow(service.create(at, at), (count * lifeMs) / startInFlight + 1);
	}
	if (createdPerMinute > 0) arrive();
	service.passTo(service.now + 10 * minute);
	const wanted = ({ kind }: StatusEvent) => kind === 'ended';
	const requests: number[] = [];
	let state: unknown;
	for (let poll = -1; poll < polls; poll++) {
		const next = service.now + minute;
		service.requests = 0;
		service.deadline = service.now + 36_000;
		const { events, next: memory, failure } = await pollInquiries(service, recall(state), { ...whose, wanted });
		if (failure !== undefined && events.length === 0) throw failure;
		state = save(memory);
		if (poll >= 0) requests.push(service.requests);
		service.passTo(next);
	}
	return { requests, bytes: JSON.stringify(state).length };
}

/** Ten polls of a list in which nothing happens; the unfinished ones stand in the middle, where they cost most. */
async function listPolls(count: number, unfinished: number) {
	const start = Date.UTC(2026, 0, 1);
	const first = Math.floor((count - unfinished) / 2);
	const rows = Array.from({ length: count }, (_, index): ListedRow => {
		const status = index >= first && index < first + unfinished ? 'RUNNING' : 'COMPLETED';
		return { id: randomUUID(), status, createdAt: new Date(start + index * 60_000).toISOString() };
	});
	const byId = new Map(rows.map((row) => [row.id, row]));
	let requests = 0;
	const source: StatusSource = {
		page: async ({ limit, offset }) => (
			requests++,
			{ rows: rows.slice(offset, offset + limit), total: count, date: start + count * 60_000 }
		),
		read: async (id) => (requests++, byId.get(id) ?? 'gone'),
		remainingMs: () => 36_000,
		hostTime: () => start + count * 60_000,
	};
	let state = save((await pollWholeList(source, undefined, whose)).next);
	let most = 0;
	for (let poll = 0; poll < 10; poll++) {
		requests = 0;
		state = save((await pollWholeList(source, recall(state), whose)).next);
		most = Math.max(most, requests);
	}
	return { requests: most, bytes: JSON.stringify(state).length };
}
