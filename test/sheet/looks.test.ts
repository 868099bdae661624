import type { Json, Service } from '../../nodes/BusinessVerification/kit/service';
import { importKey, nameOfRows } from '../../nodes/BusinessVerification/sheet/names';
import { askForBatches, look, settled } from '../../nodes/BusinessVerification/sheet/recognition';
import { GoodRows, Row } from '../../nodes/BusinessVerification/sheet/rows';
import { strictContext } from '../harness/strictContext';

// When the list of batches is read twice before rows are sent, and how long a batch that is not listed is remembered.

const sheet = () =>
	new GoodRows(
		'May',
		['a', 'b', 'c'].map((letter, place) =>
			Object.assign(new Row(place, { Name: letter }), { item: { businessName: letter } }),
		),
	);

/** A service with these batches, in a process that has run for `ranFor` seconds. */
function host(ranFor: number, batches: Json[] = []) {
	const recent = new Map<string, Json>();
	const waits: number[] = [];
	const service = strictContext<Service>({
		recent: { get: (key: string) => recent.get(key), set: (key: string, value: Json) => void recent.set(key, value) },
		uptime: () => ranFor * 1000,
		list: () => Promise.resolve(batches),
		// Every batch here is told apart by its name, so none is read.
		forEach: (tasks: unknown[]) => Promise.resolve(expect(tasks).toEqual([])),
		progress: () => undefined,
		pause: (ms: number) => Promise.resolve(void waits.push(ms / 1000)),
	});
	return { service, recent, waits };
}

test.each([
	['once', 2, [8]],
	['once', 10, []],
	['once', 3600, []],
	['keepInStep', 2, [10]],
	['keepInStep', 3600, [10]],
] as const)(
	'with %s in a process that has run for %d s, the second look waits for %j s',
	async (mode, ranFor, waits) => {
		const { service, waits: waited } = host(ranFor);
		const options = { importMode: mode, ifUncertain: 'refuse', lookupGrace: 10 } as const;
		const seen = await settled(service, sheet(), options, askForBatches(service));
		expect([waited, seen.rest().length]).toEqual([waits, 3]);
	},
);

it('remembers a batch until the list has it, by its name or its ID', async () => {
	const [first, second, third] = sheet().digests.map((digest) => nameOfRows('May', [digest]));
	const { service, recent } = host(3600, [
		{ batchId: '1', batchName: first },
		{ batchId: '2', batchName: second },
	]);
	const unlisted = { [third]: { batchId: '3', batchName: third } };
	recent.set(importKey('May'), { [first]: { batchName: first }, sent: { batchId: '2' }, ...unlisted });
	const seen = await look(service, sheet());
	expect([[...seen.known.keys()], recent.get(importKey('May'))]).toEqual([['1', '2'], unlisted]);
});
