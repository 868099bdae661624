import { Budget, Clock, defaultLimits } from '../../nodes/BusinessVerification/watch/clock';
import { emptyMemory, textOf } from '../../nodes/BusinessVerification/watch/memory';
import { entered } from '../../nodes/BusinessVerification/watch/occurrence';
import { beginningOf, recheck, timeFor } from '../../nodes/BusinessVerification/watch/poll';
import type { StatusSource } from '../../nodes/BusinessVerification/watch/source';

const host = Date.UTC(2026, 5, 1, 12);
const seconds = host / 1_000;
const day = 86_400;

/** A service without inquiries, whose Date header shows `date`. */
function budgetAt({ date, requests = 200 }: { date?: number; requests?: number } = {}): Budget {
	const source: StatusSource = {
		page: () => Promise.resolve({ rows: [], total: 0, date }),
		read: () => Promise.reject(new Error('no record was asked for')),
		remainingMs: () => 36_000,
		hostTime: () => host,
	};
	return new Budget(source, { ...defaultLimits, requests });
}

const page = { limit: 1, offset: 0 };

it('allows as many requests as its limit says', async () => {
	const budget = budgetAt({ requests: 2 });
	expect(budget.allows()).toBe(true);
	await budget.page(page);
	expect([budget.allows(), budget.allows(1, 1)]).toEqual([true, false]);
	await budget.page(page);
	expect(budget.allows()).toBe(false);
});

describe('the time up to which everything counts as reported', () => {
	const begun = async (date: number | undefined, shown: number[], options = {}) => {
		const budget = budgetAt({ date });
		await budget.page(page);
		const rows = shown.map((time, index) => ({ id: `i${index}`, status: 'RUNNING', createdAt: textOf(time) }));
		return beginningOf(budget, rows, options) - seconds;
	};
	const old = [seconds - 100];

	it('is the newest time of the rows where no Date header confirms our clock', async () => {
		expect(await begun(undefined, old)).toBe(-100);
	});

	it('is the second before both clocks where they agree within a quarter of an hour', async () => {
		expect(await begun(host, old)).toBe(-1);
		expect(await begun(host - 900_000, [])).toBe(-901);
		expect(await begun(host - 901_000, old)).toBe(-100);
	});

	it('believes rows that the Date header bears out where our clock is days behind', async () => {
		expect(
			await begun(
				host + 2 * day * 1_000,
				[2 * day - 300, 2 * day - 100].map((time) => seconds + time),
			),
		).toBe(2 * day - 100);
	});

	it('lies before the earlier clock where the last hours are included, unless rows show it to be slow', async () => {
		const lookBackMs = 3_600_000;
		expect(await begun(host - 300_000, [], { lookBackMs })).toBe(-300 - 3_600);
		expect(await begun(host - 1_000_000, old, { lookBackMs })).toBe(-3_600);
	});
});

it('takes for the time of the service what is older than a day from now and than twenty other completions', async () => {
	const memory = { ...emptyMemory('o', 'a', ''), at: host - 60_000, host: host - 60_000 };
	for (let number = 0; number < 30; number++) {
		// Ten are dated two days ahead, the others a second apart, the newest at our time.
		const date = number < 10 ? seconds + 2 * day : seconds - (number - 10);
		memory.known.set(String(number), { ...entered(seconds - day, 0), date });
	}
	const { newest, settled } = new Clock(memory, budgetAt());
	expect([newest, settled]).toEqual([seconds - 19, seconds - 19 - 600]);
});

it('takes the latest date of a completion from the Date header, and from our clock only without one', async () => {
	const latest = async (date: number | undefined, ahead: number) => {
		const budget = budgetAt({ date });
		await budget.page(page);
		const clock = new Clock({ ...emptyMemory('o', 'a', ''), at: host - 60_000, host: host - 60_000, ahead }, budget);
		return clock.latestAt(seconds) - clock.latestAt(0) === seconds ? clock.latestAt(0) : NaN;
	};
	const none = await latest(host, -500);
	// Our clock is a day ahead of the service, whose rows are some minutes old.
	expect((await latest(host - day * 1_000, -day - 500)) - none).toBe(-day);
	expect((await latest(undefined, -day - 500)) - none).toBe(0);
	// Rows show a clock that is ahead of both.
	expect((await latest(host - day * 1_000, 70)) - none).toBe(70);
});

it('reports again what was dated or reported within the hours to report again, nothing else', () => {
	const memory = { ...emptyMemory('o', 'a', ''), at: host };
	const entries: Array<[string, number, number]> = [
		['dated and reported before', -4_000, -3_700],
		['dated before, reported within', -4_000, -3_500],
		['dated and reported within', -3_000, -2_900],
	];
	entries.forEach(([, date, told], id) => {
		const ended = { date: seconds + date, told: seconds + told, status: 'FAILED' };
		memory.known.set(String(id), { ...entered(seconds - day, 0), ...ended });
	});
	recheck(memory, 3_600_000);
	expect(entries.filter((_, id) => memory.known.get(String(id))!.open > 0).map(([what]) => what)).toEqual([
		'dated before, reported within',
		'dated and reported within',
	]);
});

it('asks for the Date header only if the memory is more than a day ahead of our clock', async () => {
	const saved = (last: number) => ({ ...emptyMemory('o', 'a', ''), last });
	const budget = budgetAt({ date: host + 60_000 });
	expect(await timeFor(budget, undefined)).toBe(host);
	expect(await timeFor(budget, saved(seconds + day))).toBe(host);
	expect(budget.requests).toBe(0);
	expect(await timeFor(budget, saved(seconds + day + 1))).toBe(host + 60_000);
	expect(budget.requests).toBe(1);
});
