import {
	inView,
	outputs,
	type Outputs,
	triggerOutput,
	type View,
} from '../../nodes/BusinessVerification/fields/outputs';
import type { Field } from '../../nodes/BusinessVerification/kit/field';
import {
	limitOf,
	page,
	part,
	spendingLimit,
	submitAgain,
	waitingTimes,
} from '../../nodes/BusinessVerification/fields/shared';

const view: View = {
	id: 'id',
	raw: (record) => ({ ...record, isFinal: true }),
	simplified: ({ id, name }) => ({ id, name, summary: `${String(name)}.` }),
};
const records = [
	{ id: '1', name: 'Acme', address: { city: 'Springfield' } },
	{ id: '2', name: 'Beta', note: 'late' },
];
const viewed = (chosen: Outputs) => records.map((record) => inView(record, chosen, view));

it('simplified unless something else is chosen, and the first choice', () => {
	const values = ({ property: { options = [] } }: Field<string>) => options.map((one) => 'value' in one && one.value);
	expect(values(outputs.output)).toEqual(['simplified', 'raw', 'selectedFields']);
	expect(values(triggerOutput)).toEqual(['simplified', 'raw']);
	const simplified = [
		{ id: '1', name: 'Acme', summary: 'Acme.' },
		{ id: '2', name: 'Beta', summary: 'Beta.' },
	];
	expect(viewed({})).toEqual(simplified);
	expect(viewed({ output: 'simplified' })).toEqual(simplified);
});

it('raw is what the service sent, with what we say of it', () => {
	expect(viewed({ output: 'raw' })).toEqual([
		{ id: '1', name: 'Acme', address: { city: 'Springfield' }, isFinal: true },
		{ id: '2', name: 'Beta', note: 'late', isFinal: true },
	]);
});

it('selected fields come with the ID, from either form; what one lacks is null', () => {
	const outputFields = ['summary', 'address.city', 'isFinal', 'score'];
	expect(viewed({ output: 'selectedFields', outputFields })).toEqual([
		{ id: '1', summary: 'Acme.', address: { city: 'Springfield' }, isFinal: true, score: null },
		{ id: '2', summary: 'Beta.', address: null, isFinal: true, score: null },
	]);
});

it('a name leads through lists, spaces around it do not count, and a whole part stays whole', () => {
	const filings = [{ sosId: '1' }, { sosId: '2', state: 'OR' }];
	const businesses = [{ name: 'North', city: 'Salem', filings }, { name: 'South' }];
	const select = (...outputFields: string[]) =>
		inView({ id: '3', businesses }, { output: 'selectedFields', outputFields }, view);
	expect(select(' businesses . name ')).toEqual({ id: '3', businesses: [{ name: 'North' }, { name: 'South' }] });
	expect(select('businesses.city', 'businesses')).toEqual({ id: '3', businesses });
	expect(select('businesses.filings.state')).toEqual({
		id: '3',
		businesses: [{ filings: [{ state: null }, { state: 'OR' }] }, { filings: null }],
	});
});

it('without a name it is the ID alone, and a name inside of what is no object is null', () => {
	const select = (...outputFields: string[]) => viewed({ output: 'selectedFields', outputFields });
	expect(select()).toEqual([{ id: '1' }, { id: '2' }]);
	expect(select('name.first')).toEqual([
		{ id: '1', name: null },
		{ id: '2', name: null },
	]);
});

it('the fields to select are names with commas between them, or a list', () => {
	const read = (value: unknown) => outputs.outputFields.read(value, () => undefined);
	expect([read('status, businesses.name'), read(['status'])]).toEqual([['status', 'businesses.name'], ['status']]);
	expect(read('')).toBeUndefined();
	expect(outputs.outputFields.property.displayOptions).toEqual({ show: { output: ['selectedFields'] } });
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
	expect([50, 501].map((limit) => limitOf({ returnAll: false, limit }))).toEqual([50, 501]);
});
