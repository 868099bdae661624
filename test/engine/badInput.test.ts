import fc from '../harness/seed';
import type { INodeParameters } from 'n8n-workflow';
import type { Field, Fields } from '../../nodes/BusinessVerification/kit/field';
import { resources } from '../../nodes/BusinessVerification/operations';
import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';

// Eighty items of nonsense for every operation: each fails by itself or goes through, and whatever is said of them
// holds no secret, no tax number and no date of birth.

const items = 80;

/** What must not be repeated, as people type it wrong. */
const personal: Record<string, string[]> = {
	ein: ['12-34567890', '123456789012', '12-3456789 (old)', '12/3456789'],
	date: ['1980-12-31T25:00', '31.12.1980x', '1980-31-12', 'born 1980-12-31'],
};
const told = ['3456789', '123456789', '1980-12-31', '1980-31-12', '31.12.1980'];

const words = [
	'',
	' ',
	'.',
	'..',
	'/',
	'%2e',
	'a,b',
	'{{ x }}',
	'null',
	'2.5',
	'-1',
	'1e300',
	'\u0000',
	'😀',
	'[{',
	'{}',
];

const nonsense = fc.oneof(
	fc.constantFrom(...words),
	fc.string({ maxLength: 300 }),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, [], {}, [null], { row: 'no list' }, { row: [{}, null] }, { __rl: true, mode: 'id' }),
	fc.array(fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), { maxKeys: 3 }), { maxLength: 3 }),
);

/** A value for each field, as an expression hands it over: nonsense, or something personal that is not well written. */
function values(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
	return fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueOf(name, field)])));
}

function valueOf(name: string, { property }: Field): fc.Arbitrary<unknown> {
	if (/ein$/i.test(name)) return fc.oneof(fc.constantFrom(...personal.ein), nonsense);
	if (name === 'dob') return fc.oneof(fc.constantFrom(...personal.date), nonsense);
	const options = (property.options ?? []) as Array<{ name: string; values?: Array<{ name: string }> }>;
	if (property.type === 'collection') {
		return fc.oneof(inner(options.map((option) => option.name)), nonsense);
	}
	if (property.type === 'fixedCollection') {
		const row = inner((options[0].values ?? []).map((value) => value.name));
		return fc.oneof(
			fc.array(row, { maxLength: 3 }).map((rows) => ({ row: rows })),
			nonsense,
		);
	}
	return nonsense;
}

const inner = (names: string[]) =>
	fc.record(Object.fromEntries(names.map((name) => [name, valueOf(name, { property: {} } as Field)])), {
		requiredKeys: [],
	});

useSandbox();
beforeEach(async () => {
	// So that every list has a row to put out.
	await fetch(`${sandbox.url}/v1/batch-inquiries/`, {
		method: 'POST',
		headers: { authorization: `Bearer ${sandbox.organization.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({
			name: 'A batch',
			inquiries: [{ businessName: 'Acme', businessCity: 'Springfield', businessState: 'IL' }],
		}),
	});
});

/** Waits of hours and the sleep of an execution have tests of their own. */
const settled: Record<string, unknown> = { waitForCompletion: false, maxWait: 0, waitingOptions: { maxWait: 0 } };

const operations = Object.entries(resources).flatMap(([resource, { operations: offered }]) =>
	Object.entries(offered).map(([name, operation]) => ({ resource, name, operation })),
);

it.each(operations)('$resource: $name', async ({ resource, name, operation }) => {
	const drawn = fc.sample(values(operation.fields), { numRuns: items });
	const names = Object.keys(operation.fields).filter((field) => !operation.fields[field].isRaw && !(field in settled));
	const parameters = {
		resource,
		operation: name,
		...Object.fromEntries(names.map((field) => [field, `={{ $json[${JSON.stringify(field)}] }}`])),
		...Object.fromEntries(Object.entries(settled).filter(([field]) => field in operation.fields)),
	} as INodeParameters;
	const secrets = [sandbox.organization.apiKey, 'a callback secret of twenty-four bytes'];

	const result = await runNode({
		parameters,
		credential: { baseUrl: sandbox.url, apiKey: secrets[0], callbackSecret: secrets[1] },
		items: drawn,
		onError: 'continueErrorOutput',
	});

	expect(result.status).toBe('success');
	const failures = result.failed.map(({ json }) => json.error as { message?: string; description?: string });
	expect(result.items.length + failures.length).toBeGreaterThanOrEqual(operation.kind === 'together' ? 1 : items);
	expect(failures.filter(({ message }) => !/\S/.test(message ?? ''))).toEqual([]);
	const said = JSON.stringify([failures, result.hints, result.error]);
	expect([...secrets, ...told].filter((word) => said.includes(word))).toEqual([]);
});
