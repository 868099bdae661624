import { inView, outputs, type View } from '../../nodes/BusinessVerification/fields/outputs';
import {
	limitOf,
	page,
	part,
	spendingLimit,
	submitAgain,
	waitingTimes,
} from '../../nodes/BusinessVerification/fields/shared';
import type { Failure } from '../../nodes/BusinessVerification/kit/service';

const view: View = {
	id: 'id',
	known: ['score'],
	raw: (record) => ({ ...record, isFinal: true }),
	simplified: ({ id, name }) => ({ id, name, summary: `${String(name)}.` }),
};
const records = [
	{ id: '1', name: 'Acme', address: { city: 'Springfield' } },
	{ id: '2', name: 'Beta', note: 'late' },
];
const fails = (outputFields: string[]) => {
	try {
		inView(records, { output: 'selectedFields', outputFields }, view);
	} catch (error) {
		return error as Failure;
	}
	throw new Error('It was not refused');
};

it('simplified unless something else is chosen', () => {
	const simplified = [
		{ id: '1', name: 'Acme', summary: 'Acme.' },
		{ id: '2', name: 'Beta', summary: 'Beta.' },
	];
	expect(inView(records, {}, view)).toEqual(simplified);
	expect(inView(records, { output: 'simplified' }, view)).toEqual(simplified);
});

it('raw is what the service sent, with what we say of it', () => {
	expect(inView(records, { output: 'raw' }, view)).toEqual([
		{ id: '1', name: 'Acme', address: { city: 'Springfield' }, isFinal: true },
		{ id: '2', name: 'Beta', note: 'late', isFinal: true },
	]);
});

it('selected fields come with the ID, from either form; what one lacks is null', () => {
	const outputFields = ['summary', 'address.city', 'isFinal', 'score'];
	expect(inView(records, { output: 'selectedFields', outputFields }, view)).toEqual([
		{ id: '1', summary: 'Acme.', address: { city: 'Springfield' }, isFinal: true, score: null },
		{ id: '2', summary: 'Beta.', address: null, isFinal: true, score: null },
	]);
});

it('a name that no record has is refused, with those that there are', () => {
	const failure = fails(['nmae']);
	expect(failure.message).toBe("'Output Fields' lists 'nmae', which is not in the response");
	expect(failure.details).toMatchObject({ parameter: 'outputFields', cause: 'configuration-invalid' });
	expect(failure.details.description).toMatch(/^Fields in the response: .*\bname\b.*\.$/);
	expect(fails(['address.town']).message).toBe("'Output Fields' lists 'address.town', which is not in 'address'");
	expect(fails(['address.town']).details.description).toBe("Fields in 'address': city.");
	expect(fails(['name.first']).details.description).toBe("There are no fields in 'name'.");
});

it('a name inside of two others is refused with the place where it is not', () => {
	const nested = [{ id: '1', address: { geo: { lat: 1 } } }, { id: '2' }];
	expect(() => inView(nested, { output: 'selectedFields', outputFields: ['address.geo.lng'] }, view)).toThrow(
		"'Output Fields' lists 'address.geo.lng', which is not in 'address.geo'",
	);
	expect(inView(nested, { output: 'selectedFields', outputFields: ['address.geo.lat'] }, view)).toEqual([
		{ id: '1', address: { geo: { lat: 1 } } },
		{ id: '2', address: null },
	]);
});

it('the fields to select are required, as names with commas between them', () => {
	const read = (value: unknown) => {
		const said: string[] = [];
		const data = outputs.outputFields.read(value, (reason) => void said.push(reason));
		return said[0] ?? data;
	};
	expect([read('status, businesses.name'), read(['status'])]).toEqual([['status', 'businesses.name'], ['status']]);
	expect([read(''), read(' , '), read([]), read(undefined)]).toEqual(Array(4).fill('is required'));
	expect(outputs.outputFields.property).toMatchObject({
		required: true,
		displayOptions: { show: { output: ['selectedFields'] } },
	});
});

it.each(Object.entries({ page, part, submitAgain, spendingLimit }))('%s is for AI models only', (_, { property }) => {
	expect(property.displayOptions).toEqual({ show: { '@tool': [true] } });
});

it('a page and a part are counted from 1, and absent unless a model names one', () => {
	for (const field of [page, part])
		expect(
			['', undefined, 0, 1, '2'].map((value) => {
				const said: string[] = [];
				const data = field.read(value, (reason) => void said.push(reason));
				return said[0] ?? data;
			}),
		).toEqual([undefined, undefined, 'must be at least 1', 1, 2]);
});

it('minutes and seconds of a form are milliseconds of a wait', () => {
	const times = { maxWait: 2, pollInterval: 30, earlyLook: 5, onTimeout: 'lastState' } as never;
	expect(waitingTimes(times)).toMatchObject({ maxWaitMs: 120_000, pollIntervalMs: 30_000 });
});

it('Return All knows no limit', () => {
	expect(limitOf({ returnAll: true, limit: 50 })).toBeUndefined();
	expect(limitOf({ returnAll: false, limit: 50 })).toBe(50);
});
