/**
 * Reads random items by random references, and has n8n evaluate the same: `tsx test/engine/reference/compare.ts <engine>:<runs>…`.
 * A program of its own, because n8n loads two of its engines in a way that a test runner cannot follow.
 */
import 'reflect-metadata';
import { deepStrictEqual } from 'node:assert';
import fc from '../../harness/seed';
import { DateTime } from 'luxon';
import { ExecuteContext } from 'n8n-core';
import {
	createRunExecutionData,
	Expression,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	Workflow,
} from 'n8n-workflow';
import { filledIn, unclear } from '../../../nodes/BusinessVerification/kit/reading';

/** n8n's own reading of a saved value for an item. */
function n8n() {
	const node: INode = { id: 'node', name: 'Node', type: 'node', typeVersion: 1, position: [0, 0], parameters: {} };
	const type = {
		description: { properties: [{ displayName: 'Saved', name: 'saved', type: 'string', default: '' }] },
	} as unknown as INodeType;
	const workflow = new Workflow({
		id: 'workflow',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) },
	});
	const items: INodeExecutionData[] = [];
	const context = new ExecuteContext(
		workflow,
		node,
		{ variables: {}, webhookWaitingBaseUrl: 'http://127.0.0.1', formWaitingBaseUrl: 'http://127.0.0.1' } as never,
		'manual',
		createRunExecutionData(),
		0,
		items,
		{ main: [items] },
		{ data: { main: [items] }, node, source: null },
		[],
	) as unknown as IExecuteFunctions;
	const read = (saved: unknown, json: unknown): unknown => {
		node.parameters = { saved } as INodeParameters;
		items[0] = { json: json as IDataObject };
		return context.getNodeParameter('saved', 0, '');
	};
	return { workflow, read };
}

const mostly = <T>(usual: T, others: fc.Arbitrary<T>) =>
	fc.oneof({ weight: 15, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });

const names = fc.oneof(
	{
		weight: 15,
		arbitrary: fc.constantFrom('a', 'b', 'City', 'Postal Code', 'External ID', '$', '_x', 'été', '0', 'a.b'),
	},
	fc.constantFrom(
		'length',
		'json',
		'isProxy',
		'class',
		'null',
		'Amount (USD)',
		'a.trim()',
		"it's",
		'a"b',
		'a\\b',
		'a\nb',
	),
	fc.constantFrom(
		'toString',
		'constructor',
		'constructorName',
		'prototype',
		'binding',
		'caller',
		'__isArray',
		'__x',
		'{{',
	),
	fc.string({ maxLength: 6 }),
);
const primitive = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.constantFrom('', '=1', '={{ 1 }}', '{{ $json.a }}', '[object Object]', '2026-01-31T09:00:00Z', '0', 'null'),
	fc.integer(),
	fc.double({ noNaN: false }),
	fc.boolean(),
	fc.constantFrom(null, undefined),
);
const unusual = fc.constantFrom<unknown>(
	new Date(0),
	new Date(NaN),
	DateTime.fromISO('2026-01-31T09:00:00.000Z', { zone: 'utc' }),
	new Map([['a', 1]]),
	/a/,
	Object.create(null),
	Object.assign(Object.create({ inherited: 1 }) as object, { a: 1 }),
	[1, , 3],
	() => 1,
);
const { value } = fc.letrec((tie) => ({
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		{ weight: 12, arbitrary: primitive },
		{ weight: 1, arbitrary: unusual },
		{ weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
		{ weight: 3, arbitrary: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }) },
	),
}));

/** A path through what an item holds, most of the time to its end. */
const pathInto = (json: unknown) =>
	fc.array(fc.tuple(fc.nat(), names, fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 3 }).map((choices) => {
		const path: string[] = [];
		let at = json;
		for (const [pick, other, chance] of choices) {
			const keys = typeof at === 'object' && at !== null ? Object.keys(at) : [];
			const name = keys.length > 0 && chance > 1 ? keys[pick % keys.length] : other;
			path.push(name);
			at = keys.length > 0 ? (at as Record<string, unknown>)[name] : undefined;
		}
		return path;
	});

const spelled = (path: string[]) =>
	fc
		.tuple(
			fc.array(fc.constantFrom('.', '"', "'"), { minLength: path.length, maxLength: path.length }),
			fc.constantFrom('', ' ', '\n', '\t'),
			mostly('', fc.constantFrom(' ', 'No. ', '\n')),
			mostly('', fc.constantFrom(' ', '!', '\n')),
		)
		.map(([quotes, space, before, after]) => {
			const steps = path.map((name, at) =>
				quotes[at] === '.' && /^[A-Za-z_$][\w$]*$/.test(name)
					? `.${name}`
					: `[${quote(quotes[at])}${name}${quote(quotes[at])}]`,
			);
			return `=${before}{{${space}$json${steps.join('')}${space}}}${after}`;
		});
const quote = (chosen: string) => (chosen === "'" ? "'" : '"');

const cases = fc
	.dictionary(names, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true })
	.chain((json) => fc.tuple(fc.constant(json), pathInto(json).chain(spelled)));

async function compare(engine: string, numRuns: number): Promise<void> {
	await Expression.initExpressionEngine({
		engine: engine as 'legacy' | 'vm' | 'quickjs',
		bridgeTimeout: 5_000,
		bridgeMemoryLimit: 128,
		poolSize: 1,
		maxCodeCacheSize: 10,
	});
	const { workflow, read } = n8n();
	let taken = 0;
	await workflow.expression.acquireIsolate();
	fc.assert(
		fc.property(cases, ([json, expression]) => {
			const mine = filledIn(expression, json);
			if (mine === unclear) return;
			taken++;
			deepStrictEqual(mine, read(expression, json));
		}),
		{ numRuns },
	);
	console.log(JSON.stringify({ active: Expression.getActiveImplementation(), taken }));
}

async function main(engines: string[]): Promise<void> {
	for (const given of engines) {
		const [engine, runs] = given.split(':');
		await compare(engine, Number(runs));
	}
	process.exit();
}

void main(process.argv.slice(2));
