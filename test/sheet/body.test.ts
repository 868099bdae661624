import type { Json, Request, Service } from '../../nodes/BusinessVerification/kit/service';
import { collectHeaders, planColumns } from '../../nodes/BusinessVerification/sheet/columns';
import { checkSheet } from '../../nodes/BusinessVerification/sheet/check';
import { Posting } from '../../nodes/BusinessVerification/sheet/delivery';
import { Recognition } from '../../nodes/BusinessVerification/sheet/recognition';
import { finished } from './finished';

// Rows go out as the text that they are told by; around it the request is the object that the settings make of it.

const rows = [
	{ Name: 'Acme "A" Ltd\n', City: 'Łódź', State: 'IL', 'Principal 1 Last Name': 'Moore' },
	{ Name: 'Bolt', City: 'Chicago', State: 'IL' },
	{ Name: 'Cato', City: 'Chicago', State: 'IL' },
];
const items = [
	{
		businessName: 'Acme "A" Ltd',
		businessCity: 'Łódź',
		businessState: 'IL',
		principals: [{ lastName: 'Moore' }],
	},
	{ businessName: 'Bolt', businessCity: 'Chicago', businessState: 'IL' },
	{ businessName: 'Cato', businessCity: 'Chicago', businessState: 'IL' },
];

async function sent(
	batchItemsField: string,
	extraBody: Json | undefined,
	places: number[],
	hashed?: [number, number],
	sheet: Json[] = rows,
) {
	const { good } = finished(checkSheet(sheet, planColumns(collectHeaders(sheet)), { name: 'May' }));
	if (hashed) good.hashOf(good.rows.slice(...hashed));
	const bodies: string[] = [];
	const service = {
		settings: { batchItemsField },
		send: ({ body }: Request) => {
			bodies.push(String(body));
			return Promise.resolve({ batchId: '1', total: places.length });
		},
		recent: { get: () => undefined, set: () => {} },
		progress: () => {},
	} as unknown as Service;
	const options = {
		importMode: 'once',
		ifUncertain: 'refuse',
		ifUnknown: 'leave',
		chunkSize: 250,
		lookupGrace: 0,
	} as const;
	const posting = new Posting(service, new Recognition(good), { ...options, extraBody }, []);
	await posting.send(
		posting.write(
			places.map((place) => good.rows[place]),
			() => 'May 1-2',
		),
	);
	return JSON.parse(bodies[0]) as Json;
}

test.each<[string, string, Json | undefined, Json]>([
	['nothing else', 'inquiries', undefined, { name: 'May 1-2', inquiries: items.slice(0, 2) }],
	[
		'more fields',
		'items',
		{ priority: 1, name: 'x', unset: undefined },
		{ priority: 1, name: 'May 1-2', items: items.slice(0, 2) },
	],
	['a field of the same name', 'items', { items: [] }, { name: 'May 1-2', items: items.slice(0, 2) }],
	['a field that takes the place of the name', 'name', undefined, { name: items.slice(0, 2) }],
])('with %s', async (_what, field, extraBody, body) => {
	expect(await sent(field, extraBody, [0, 1])).toEqual(body);
});

test.each<[number, number]>([
	[0, 2],
	[1, 3],
	[2, 3],
	[0, 3],
])('the rows that were asked for, whichever were hashed last: %d to %d', async (from, end) => {
	expect((await sent('inquiries', undefined, [0, 2], [from, end])).inquiries).toEqual([items[0], items[2]]);
});

test('what a cell holds goes out whole, also what the document does not know', async () => {
	const cell = '[{"lastName":"Moore","__proto__":{"b":1,"a":2}},{"zeal":1,"lastName":"Smith"}]';
	const given = [{ lastName: 'Moore', since: new Date(0), more: [{ b: null, a: { toJSON: () => 'itself' } }] }];
	const sheet = [
		{ Name: 'Acme', City: 'Chicago', State: 'IL', Tags: 'x', Principals: cell },
		{ Name: 'Bolt', City: 'Chicago', State: 'IL', Tags: 'x', Principals: given },
	];
	const body = JSON.stringify(await sent('inquiries', undefined, [0, 1], [0, 2], sheet));
	expect(body).toContain(
		'"principals":[{"__proto__":{"a":2,"b":1},"lastName":"Moore"},{"lastName":"Smith","zeal":1}],"tags":["x"]',
	);
	expect(body).toContain(
		'"principals":[{"lastName":"Moore","more":[{"a":"itself","b":null}],"since":"1970-01-01T00:00:00.000Z"}]',
	);
});
