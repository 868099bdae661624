/** Each row of the contract, played. Each call runs with two items. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { sandbox, useSandbox } from '../harness/sandbox';
import { propertiesOf } from '../../nodes/BusinessVerification/kit/field';
import { resources } from '../../nodes/BusinessVerification/operations';
import { hurry } from '../harness/hurry';
import { arrived, type Call, demanded, type Row, runCall, type Wire, withItems } from './call';
import { filled, twoWorlds, type World } from './fixture';
import { rows } from './rows';

let worlds: [World, World];

useSandbox();
beforeAll(async () => {
	hurry();
	// A process asks once to which organization a credential belongs.
	const { full } = rows['inquiry.create'];
	await runCall(sandbox, 'inquiry.create', await twoWorlds(sandbox), full);
});
beforeEach(async () => {
	worlds = await twoWorlds(sandbox);
});

it('has a row for every operation', () => {
	const operations = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => `${resource}.${operation}`),
	);
	expect(Object.keys(rows).sort()).toEqual(operations.sort());
});

/** Their IDs aside, which the page names as the document does and the rows as the worlds do. */
const withoutNames = (request: string) => request.replace(/\{\w+\}/g, '{}');

it('reaches every endpoint of the document', () => {
	const page = readFileSync(join(__dirname, '../../docs/development/service-interface.md'), 'utf8');
	const printed = [...page.matchAll(/\b(GET|POST) `(\/[^`]+)`/g)].map(([, method, path]) => `${method} ${path}`);
	// Paths that the document does not show are settings of the credential.
	const shown = Object.values(rows).filter(({ credential }) => credential === undefined);
	const sent = shown.flatMap(({ minimal: { wire, once = [] } }) => [...wire, ...once].map(({ request }) => request));
	expect([...new Set(sent.map(withoutNames))].sort()).toEqual([...new Set(printed.map(withoutNames))].sort());
});

/** The keys of an object and of all that is inside. */
const keysIn = (value: unknown): string[] =>
	typeof value === 'object' && value !== null && !('$$typeof' in value)
		? Object.entries(value).flatMap(([key, part]) => [...(Array.isArray(value) ? [] : [key]), ...keysIn(part)])
		: [];

it('sends no field that the page does not print', () => {
	const page = readFileSync(join(__dirname, '../../docs/development/service-interface.md'), 'utf8');
	const sent = Object.values(rows).flatMap(({ full: { wire, once = [] } }) =>
		[...wire, ...once].flatMap(({ query, body }) => [...keysIn(query), ...keysIn(body)]),
	);
	expect([...new Set(sent)].filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});

/** The fields that people can add in a form, and in the forms inside it, as `form > field`. */
const inForm = ({ name, type, options = [], displayOptions }: INodeProperties): string[] => {
	if (!/ollection$/.test(type) || displayOptions?.show?.['@tool'] !== undefined) return [];
	const fields = (options as Array<INodeProperties & { values?: INodeProperties[] }>).flatMap((one) =>
		one.values === undefined ? [one] : one.values.map((field) => ({ ...field, name: `${one.name} > ${field.name}` })),
	);
	const added = fields.filter((field) => field.displayOptions?.show?.['@tool'] === undefined);
	return added.flatMap((field) => [field.name, ...inForm(field)].map((path) => `${name} > ${path}`));
};

/** The same of what a call fills in. */
const filledIn = (value: unknown): string[] => {
	if (Array.isArray(value)) return value.flatMap(filledIn);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, part]) => [key, ...filledIn(part).map((path) => `${key} > ${path}`)]);
};

it.each(Object.entries(rows))('%s: its full call fills in every field of its forms', (operation, { full }) => {
	const [resource, name] = operation.split('.');
	const properties = propertiesOf(resources[resource].operations[name].fields);
	// Options are settings of the node, not fields of the document.
	const forms = properties
		.filter((property) => !/options$/i.test(property.name))
		.flatMap((property) => inForm(property));
	expect(forms.filter((field) => !filledIn(full.parameters).includes(field))).toEqual([]);
});

async function expectCall(operation: string, call: Call, { credential, alone, submits }: Row): Promise<void> {
	const own = alone ? [worlds[0]] : worlds;
	const { error, items } = await runCall(sandbox, operation, withItems(own, call), {
		parameters: call.parameters,
		credential,
	});

	expect(error).toBeUndefined();
	const perItem = own.flatMap((world) => call.wire.map((wire): [Wire, World] => [wire, world]));
	// `{made}` is what the call itself has submitted.
	const made = { ...worlds[0], made: String(sandbox.ledger[0]?.id) };
	const shared = (call.once ?? []).map((wire): [Wire, World] => [wire, made]);
	expect(arrived(sandbox)).toEqual(demanded(sandbox, [...perItem, ...shared]));
	expect([...new Set(sandbox.ledger.map(({ kind }) => kind))]).toEqual(submits === undefined ? [] : [submits]);
	for (const [item, world] of own.entries()) {
		const output = items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);
		expect(output).toHaveLength(call.output.length);
		output.forEach(({ json }, index) => expect(json).toMatchObject(filled(call.output[index], world)));
	}
}

describe.each(Object.entries(rows))('%s', (operation, row) => {
	const { minimal, full, refused, credential } = row;
	it('minimal', () => expectCall(operation, minimal, row));
	it('full', () => expectCall(operation, full, row));

	for (const [sentence, call] of row.also ?? []) it(sentence, () => expectCall(operation, call, row));

	if (row.submits === undefined && minimal.wire.length > 0) {
		it.each([500, 522])('is sent again after status %i', async (status) => {
			const wires = minimal.wire.map((wire): [Wire, World] => [wire, worlds[0]]);
			sandbox.faults.add({ status });
			const { error, items } = await runCall(sandbox, operation, withItems([worlds[0]], minimal), {
				parameters: minimal.parameters,
				credential,
			});

			expect(error).toBeUndefined();
			expect(items).toHaveLength(minimal.output.length);
			const requests = arrived(sandbox);
			expect(requests).toHaveLength(wires.length + 1);
			const different = new Map(requests.map((request) => [JSON.stringify(request), request]));
			expect([...different.values()]).toEqual(demanded(sandbox, wires));
		});
	}

	for (const [rule, parameters, message] of row.broken ?? []) {
		it(rule, async () => {
			const { items, failed } = await runCall(sandbox, operation, worlds, {
				parameters,
				onError: 'continueErrorOutput',
			});
			expect(items.map(({ pairedItem }) => pairedItem)).toContainEqual({ item: 0 });
			expect(failed.map(({ json }) => json.error)).toEqual([
				expect.objectContaining({ message: expect.stringMatching(message), itemIndex: 1 }),
			]);
			expect(sandbox.requests.filter(({ status }) => status !== 200)).toEqual([]);
			expect(sandbox.ledger.count()).toBe(1);
		});

		it(`${rule}: with 'Stop Workflow', the good item is not submitted either`, async () => {
			const { error } = await runCall(sandbox, operation, worlds, { parameters });
			expect(error?.message).toMatch(message);
			expect(sandbox.requests).toHaveLength(0);
		});
	}

	if (refused === undefined) return;

	it('fails the bad item, and only it', async () => {
		const { message, ...facts } = refused.error;
		const [good, bad] = withItems(worlds, refused);
		const { items, failed, error } = await runCall(sandbox, operation, [good, bad], {
			parameters: { ...minimal.parameters, ...refused.change },
			credential,
			onError: 'continueErrorOutput',
		});

		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(minimal.output.map(() => ({ item: 0 })));
		expect(failed).toHaveLength(1);
		expect(failed[0].pairedItem).toEqual({ item: 1 });
		// n8n puts the fields of the input item beside the error.
		expect(failed[0].json).toEqual({ ...bad, error: expect.anything() });
		expect(failed[0].json.error).toMatchObject({ message: expect.stringMatching(message), itemIndex: 1, ...facts });
		expect(arrived(sandbox)).toEqual(
			demanded(sandbox, [
				...[...(refused.once ?? minimal.once ?? []), ...minimal.wire].map((wire): [Wire, World] => [wire, good]),
				...(refused.wire ?? []).map((wire): [Wire, World] => [wire, bad]),
			]),
		);
	});
});

it.each(['getStatus', 'getResult'])(
	'the paths of the seller look-ups are not shown: %s asks for its own',
	async (name) => {
		const { error } = await runCall(sandbox, `sellerSearch.${name}`, worlds, { parameters: { requestId: 'r-1' } });
		expect(error?.message).toMatch(/Path.* is not set/);
		expect(sandbox.requests).toHaveLength(0);
	},
);
