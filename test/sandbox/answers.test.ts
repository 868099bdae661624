import { business, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** An answer as it is on the wire, with its first words: all ids look alike. */
async function onTheWire(send: Promise<{ data: Buffer; headers: object }>) {
	const { data, headers } = await send;
	const type = String((headers as { 'content-type'?: string })['content-type']).split(';')[0];
	return [
		type,
		data
			.toString()
			.replace(uuids, 'UUID')
			.replace(/"[0-9a-f]{8}[0-9a-f-]*$/, '"HALF'),
	];
}
// As bytes: axios would take away a byte order mark.
const withKey = () => ({
	responseType: 'arraybuffer' as const,
	headers: { Authorization: `Bearer ${sandbox.it.organization.apiKey}` },
});

const JSON_TYPE = 'application/json';
const batch = '"batchName":"May","total":1,"message":"1 inquiries queued"';
const printedBatch = `{"batchId":"UUID",${batch}}`;
const page = '<!doctype html><ht…</h1><p>This is a page for people.</p></body></html>';

/** Beginning and end of a long text. */
const ends = (text: string, last: number) => (text.length < 120 ? text : `${text.slice(0, 18)}…${text.slice(-last)}`);

switched(
	'writeAnswer',
	async () => {
		const answer = sandbox.post('/v1/batch-inquiries/', { name: 'May', inquiries: [business] }, withKey());
		const [type, text] = await onTheWire(answer);
		return [type, text.startsWith('<') ? ends(text, 52) : text, sandbox.it.ledger.count('batch')];
	},
	[
		['asPrinted', [JSON_TYPE, printedBatch, 1]],
		['errorNull', [JSON_TYPE, `{"batchId":"UUID",${batch},"error":null}`, 1]],
		['errorsEmpty', [JSON_TYPE, `{"batchId":"UUID",${batch},"errors":[],"success":true}`, 1]],
		['errorAndId', [JSON_TYPE, `{"batchId":"UUID",${batch},"error":"The phone number could not be read"}`, 1]],
		['wrapped', [JSON_TYPE, `{"data":${printedBatch}}`, 1]],
		['inList', [JSON_TYPE, `[${printedBatch}]`, 1]],
		['otherId', [JSON_TYPE, `{"batch_number":"UUID",${batch}}`, 1]],
		['withoutId', [JSON_TYPE, `{${batch}}`, 1]],
		['emptyObject', [JSON_TYPE, '{}', 1]],
		['emptyList', [JSON_TYPE, '[]', 1]],
		['null', [JSON_TYPE, 'null', 1]],
		['true', [JSON_TYPE, 'true', 1]],
		['nothing', [JSON_TYPE, '', 1]],
		['blanks', [JSON_TYPE, '  \n ', 1]],
		['word', ['text/plain', 'OK', 1]],
		['cutAfterId', [JSON_TYPE, `{"batchId":"UUID"`, 1]],
		['cutInId', [JSON_TYPE, '{"batchId":"HALF', 1]],
		['html', ['text/html', page, 1]],
		['asText', ['text/plain', printedBatch, 1]],
		['jsonInJson', [JSON_TYPE, JSON.stringify(printedBatch), 1]],
		['byteOrderMark', [JSON_TYPE, `\uFEFF${printedBatch}`, 1]],
	],
);

switched(
	'readAnswer',
	async () => {
		const [type, text] = await onTheWire(sandbox.get('/v1/users/me', withKey()));
		return [type, ends(text, 13)];
	},
	[
		['asPrinted', [JSON_TYPE, '{"id":"UUID","emai…files":false}']],
		['errorNull', [JSON_TYPE, '{"id":"UUID","emai…"error":null}']],
		['wrapped', [JSON_TYPE, '{"data":{"id":"UUI…iles":false}}']],
		['inList', [JSON_TYPE, '[{"id":"UUID","ema…iles":false}]']],
		['emptyObject', [JSON_TYPE, '{}']],
		['null', [JSON_TYPE, 'null']],
		['nothing', [JSON_TYPE, '']],
		['html', ['text/html', '<!doctype html><ht…/body></html>']],
		['asText', ['text/plain', '{"id":"UUID","emai…files":false}']],
		['jsonInJson', [JSON_TYPE, '"{\\"id\\":\\"UUID\\",…les\\":false}"']],
		['byteOrderMark', [JSON_TYPE, '\uFEFF{"id":"UUID","ema…files":false}']],
	],
);

switched(
	'processStatusesForm',
	async () => {
		const { data } = await sandbox.post('/v1/inquiries/', business);
		sandbox.it.inquiries.finish(data.id, 'PARTIAL_SUCCESS');
		const { processStatuses } = (await sandbox.get(`/v1/inquiries/${data.id}`)).data;
		const [key, value] = Object.entries<object | string | number>(processStatuses)[0];
		return [key.replace(/-.*/, ''), typeof value === 'object' ? Object.keys(value) : value];
	},
	[
		['byTask', ['public_reviews', ['processType', 'status', 'phase']]],
		['list', ['0', ['taskId', 'processType', 'status', 'phase']]],
		['byType', ['PUBLIC_REVIEWS', 'FAILED']],
		['counts', ['FAILED', 1]],
	],
);

const long = 'Leads of the first week of May, from the fair in Springfield';

switched(
	'externalIdStored',
	async () => {
		const created = await sandbox.post('/v1/inquiries/', { ...business, externalId: `crm ${long}` });
		const { data } = await sandbox.post('/v1/inquiries/', { ...business, externalId: '00123' });
		const listed = (await sandbox.get('/v1/inquiries/', { params: { search: '123' } })).data.items;
		return [created.data.externalId, data.externalId, listed.map((row: { externalId: unknown }) => row.externalId)];
	},
	[
		['same', [`crm ${long}`, '00123', ['00123']]],
		['upperCase', [`crm ${long}`.toUpperCase(), '00123', ['00123']]],
		['cut', ['crm Leads of the first week of May, from', '00123', ['00123']]],
		['number', [`crm ${long}`, 123, [123]]],
		['dropped', [null, null, []]],
	],
);

switched(
	'batchNameStored',
	async () => {
		const { data } = await sandbox.post('/v1/batch-inquiries/', { name: long, inquiries: [business] });
		const read = await sandbox.get(`/v1/batch-inquiries/${data.batchId}`);
		const listed = await sandbox.get('/v1/batch-inquiries/');
		return [data.batchName, read.data.batchName, listed.data.items[0].batchName];
	},
	[
		['same', [long, long, long]],
		['cut', Array(3).fill('Leads of the first week of May, from the')],
		['upperCase', Array(3).fill(long.toUpperCase())],
		['stamped', Array(3).fill(`${long} (2)`)],
		['dropped', [null, null, null]],
	],
);

const verification = (fields: object) =>
	sandbox.get('/external/api/v1/license-verification', {
		params: {
			LenderId: sandbox.it.organization.id,
			seller_id: sandbox.it.organization.sellerId,
			licensee_name: 'Dana Doe',
			licensee_state: 'IL',
			...fields,
		},
	});
const blank = {
	verification_id: expect.any(String),
	licensee_name: '',
	license_number: '',
	license_status: '',
	expiration_date: '',
};
const { verification_id: _, ...nameless } = blank;

switched(
	'licenseAnswer',
	async () => {
		const one = await verification({ licensee_category: 'homeServices', licensee_id: 'PL-1' });
		return [one.data, sandbox.it.ledger.count('licenseVerification')];
	},
	[
		['list', [[blank], 1]],
		['object', [blank, 1]],
		['objectWithList', [{ ...blank, disciplinary_actions: [] }, 1]],
		['wrapped', [{ verifications: [blank] }, 1]],
		['twoLists', [{ licenses: [{ license_number: '' }], verifications: [blank] }, 1]],
		['errorKeys', [[{ ...blank, error: null, errors: [] }], 1]],
		['withoutId', [[nameless], 1]],
		['none', [[], 1]],
	],
);
