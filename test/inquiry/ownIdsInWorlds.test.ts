import type { INodeParameters } from 'n8n-workflow';
import type { Organization, Switches } from '../../sandbox';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { sandbox, submitElsewhere, useSandbox } from '../harness/sandbox';

// People ask about businesses by their own IDs. What that takes and what it says, in services that show more or less.

let organization: Organization;
beforeAll(hurry);
useSandbox();

/** A letter for each request: a list, a record, a submission; of batches a list, and the inquiries of one. */
const letters: Array<[RegExp, string]> = [
	[/^GET \/v1\/inquiries\/$/, 'L'],
	[/^GET \/v1\/inquiries\/[^/]+$/, 'R'],
	[/^POST \/v1\/inquiries\/$/, 'P'],
	[/^GET \/v1\/batch-inquiries\/$/, 'B'],
	[/^GET \/v1\/batch-inquiries\/[^/]+\/inquiries$/, 'I'],
];

const place = { businessCity: 'Springfield', businessState: 'IL' };
const options = { advanced: { lookUpWait: 0 } };
const create = {
	...{ resource: 'inquiry', operation: 'create', options, ...place },
	...{ businessName: '={{ $json.name }}', externalId: '={{ $json.crm }}' },
};
const byExternalId = { __rl: true, mode: 'externalId', value: '={{ $json.crm }}' };
const rows = [1, 2, 3].map((row) => ({
	...{ 'Business Name': `Firm ${row}`, City: 'Springfield', State: 'IL', 'External ID': `row-${row}` },
}));

/** Each capability with two or three items, one of them unlike the others, and what is told of each. */
const capabilities: Array<[INodeParameters, Array<Record<string, string>>, string]> = [
	[
		{ resource: 'inquiry', operation: 'get', inquiryId: byExternalId },
		[{ crm: 'crm-1' }, { crm: 'crm-9' }],
		'externalId',
	],
	[{ resource: 'batch', operation: 'submit', name: 'May', options, dryRun: true }, rows, 'verificationStatus'],
	[
		{ ...create, waitForCompletion: true, waitingOptions: { maxWait: 5 } },
		[
			{ name: 'Bolt', crm: 'crm-20' },
			{ name: '', crm: 'crm-21' },
		],
		'summary',
	],
	[
		create,
		[
			{ name: 'Acme', crm: 'crm-1' },
			{ name: 'Other', crm: 'crm-12' },
		],
		'businessName',
	],
];

/** The requests of a run, sorted, because its items run side by side, and a field of what it returned. */
async function played([parameters, items, field]: (typeof capabilities)[number]) {
	sandbox.requests.clear();
	const credential = { baseUrl: sandbox.url, apiKey: organization.apiKey };
	const result = await runNode({ parameters, credential, items, onError: 'continueRegularOutput' });
	const asked = sandbox.requests.map(({ method, path }) => `${method} ${path}`);
	const requests = asked.map((one) => letters.find(([form]) => form.test(one))?.[1] ?? one);
	const of = [...new Set(requests)]
		.sort()
		.map((letter) => `${requests.filter((one) => one === letter).length}${letter}`);
	return [of.join(' '), ...result.items.map(({ json }) => json[field])];
}

// One search for each ID, and the record.
const found = ['2L 1R', 'crm-1', undefined];
const notFound = ['2L', undefined, undefined];
const sent = ['PLANNING', 'PLANNING', 'would be sent'];
const noName = "'Business Name' or a Business DBA is required.";
const bolt = 'Bolt: COMPLETED, score 80 (provider scale). 1 business found: Bolt.';
// A search before and one after, and checks after 2, 4 and 8 seconds: it takes 4, its findings half a second more.
const waited = ['2L 1P 3R', bolt, noName];
// A search for each ID and each name, and the record of each, because a row shows less.
const reused = ['4L 2R', 'Acme', null];
// Nothing tells that they were submitted before: the limits say so.
const billedAgain = ['4L 2P', 'Acme', 'Other'];

it.each<[string, Partial<Switches>, unknown[][]]>([
	['as documented', {}, [found, ['1B 1I', ...sent], waited, reused]],
	[
		'rows without external IDs: each match is read, as crm-12 for crm-1',
		{ listRowsExternalId: false, batchRowsExternalId: false },
		[
			['2L 3R', 'crm-1', undefined],
			['1B 1I 2R', ...sent],
			['2L 1P 4R', bolt, noName],
			['4L 3R', 'Acme', null],
		],
	],
	['a search that finds whole fields only', { searchMatch: 'whole' }, [found, ['1B 1I', ...sent], waited, reused]],
	['a search by names only', { searchMatch: 'names' }, [notFound, ['1B 1I', ...sent], waited, billedAgain]],
	[
		'lists that show new inquiries late',
		{ inquiryListDelayMs: 600_000, searchDelayMs: 600_000 },
		[notFound, ['1B 1I', 'not sent', 'not sent', 'not sent'], waited, billedAgain],
	],
	[
		'names in rows: the one that fits needs no search by name',
		{ echoBusinessName: true },
		[found, ['1B 1I', ...sent], waited, ['3L 2R', 'Acme', 'Acme Two']],
	],
	[
		'findings after 20 seconds: two checks more, after 16 and 46 seconds',
		{ clusteringMs: 20_000 },
		[found, ['1B 1I', ...sent], ['2L 1P 5R', bolt, noName], reused],
	],
	[
		'findings never: three checks more, the last after a minute',
		{ clusteringMs: 3_600_000 },
		[found, ['1B 1I', ...sent], ['2L 1P 6R', 'Bolt: COMPLETED, score 80 (provider scale).', noName], reused],
	],
])('%s', async (_, switches, expected) => {
	organization = sandbox.addOrganization();
	Object.assign(sandbox.switches, switches);
	await submitElsewhere({ businessName: 'Acme', externalId: 'crm-1' }, organization);
	await submitElsewhere({ businessName: 'Acme Two', externalId: 'crm-12' }, organization);
	const [, [dryRun]] = capabilities;
	await played([{ ...dryRun, dryRun: false }, rows.slice(0, 2), 'verificationStatus']);
	const told: unknown[][] = [];
	for (const capability of capabilities) told.push(await played(capability));
	expect(told).toEqual(expected);
});
