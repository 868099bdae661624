/** What a person meets in the panels, whatever the operation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { credential, useSandbox } from '../harness/sandbox';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { BusinessVerificationSellerTrigger } from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import { BusinessVerificationTrigger } from '../../nodes/BusinessVerification/BusinessVerificationTrigger.node';
import { chosenIn } from '../../nodes/BusinessVerification/kit/operation';
import { runNode } from '../harness/inProcess';

const nodes = [new BusinessVerification(), new BusinessVerificationTrigger(), new BusinessVerificationSellerTrigger()];
const [{ description }] = nodes;

/** What the editor shows beside these values. */
function shown(values: INodeParameters): INodeProperties[] {
	const node = { typeVersion: 1 };
	const parameters = NodeHelpers.getNodeParameters(description.properties, values, true, false, node, description)!;
	return description.properties.filter((property) =>
		NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description),
	);
}
const names = (values: INodeParameters) => shown(values).map(({ name }) => name);
const property = (name: string, values: INodeParameters) => shown(values).find((one) => one.name === name)!;
const inside = ({ options = [] }: INodeProperties) =>
	(options as INodeProperties[]).flatMap(
		(option) => (option as unknown as { values?: INodeProperties[] }).values ?? [option],
	);

const everyField = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((one) => [one, ...(/ollection$/.test(one.type) ? everyField(inside(one)) : [])]);

it.each(nodes.map((node) => [node.description.displayName, node] as const))(
	'%s shows an example in every line of text that is blank at first',
	(_, node) => {
		const bare = everyField(node.description.properties).filter(
			({ type, default: initial, placeholder = '' }) =>
				['string', 'json'].includes(type) && initial === '' && !placeholder.startsWith('e.g. '),
		);
		expect([...new Set(bare.map(({ displayName }) => displayName))]).toEqual([]);
	},
);

const everything = everyField(nodes.flatMap((node) => node.description.properties));
const once = (texts: string[]) => [...new Set(texts)];

it('JSON that a person adds begins as JSON: n8n marks a blank one as wrong at once', () => {
	const added = everything.filter(
		({ type, displayOptions }) => type === 'json' && displayOptions?.show?.['@tool'] === undefined,
	);
	expect(once(added.map(({ name, default: initial }) => `${name} ${initial as string}`))).toEqual(['extraBody {}']);
});

it('n8n shows and registers the nodes with these words and settings', async () => {
	const own = nodes.map(
		({ description: { properties: _, credentials: __, icon: ___, version: ____, ...rest } }) => rest,
	);
	const webhook = { httpMethod: 'POST', responseMode: 'onReceived', responseData: '' };
	expect(own).toEqual([
		{
			...{ displayName: 'Business Verification', name: 'businessVerification', group: ['transform'] },
			subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
			description: 'Verify businesses (KYB) and licenses, or start a workflow when a verification changes its status',
			...{ defaults: { name: 'Business Verification' }, usableAsTool: true, inputs: ['main'], outputs: ['main'] },
			webhooks: [{ ...webhook, name: 'default', path: 'report', restartWebhook: true, isFullPath: true }],
			waitingNodeTooltip: 'Waiting until the service sends the Seller Report',
		},
		{
			...{ displayName: 'Business Verification Trigger', name: 'businessVerificationTrigger', group: ['trigger'] },
			subtitle:
				'={{ { inquiry: "Inquiries", batch: "Batches", batchInquiry: "Inquiries of a Batch" }[$parameter["watch"]] }}',
			description: 'Verify businesses (KYB) and licenses, or start a workflow when a verification finishes',
			eventTriggerDescription: 'Checking for status changes',
			activationMessage: 'What you chose to watch now starts this workflow.',
			...{ defaults: { name: 'Business Verification Trigger' }, polling: true, inputs: [], outputs: ['main'] },
			hints: [
				{
					message:
						'A test in the editor returns a sample, however old: the newest inquiry or batch, if possible one that fits. A published workflow gets changes only.',
					...{ location: 'outputPane', whenToDisplay: 'afterExecution' },
				},
			],
			triggerPanel: {
				executionsHelp:
					'<b>While you build</b>: click the button above to get a real inquiry or batch as a sample.<br><br><b>For real changes</b>: publish the workflow. Status changes then start it and appear in the list of executions.',
				activationHint: 'Publish the workflow to be notified about changes.',
			},
		},
		{
			displayName: 'Business Verification Seller Report Trigger',
			...{ name: 'businessVerificationSellerTrigger', group: ['trigger'], inputs: [], outputs: ['main'] },
			subtitle: '={{ $parameter["callbackAuthentication"] === "none" ? "Anyone" : "Signed URLs" }}',
			description: 'Only for seller searches: starts the workflow when a Seller Report arrives',
			eventTriggerDescription: 'Waiting for a Seller Report',
			activationMessage: 'Seller Reports at the production URL now start this workflow.',
			defaults: { name: 'Business Verification Seller Report Trigger' },
			webhooks: [
				{ ...webhook, name: 'default', path: '=seller-report-{{ $webhookId }}' },
				{
					...{ ...webhook, name: 'setup', path: '=seller-report-{{ $webhookId }}/:proof' },
					...{ isFullPath: true, ndvHideUrl: true },
				},
			],
			triggerPanel: {
				header: 'Receive a Seller Report',
				executionsHelp:
					"<b>While you build</b>: click the button above, use the <b>test URL</b> as 'Callback URL' of a Seller Search with the same credential, and its report appears here. One report per click.<br><br><b>For real searches</b>: publish the workflow and use the <b>production URL</b>. Reports appear in the list of executions.",
				activationHint: 'Publish the workflow to receive reports at the production URL.',
			},
		},
	]);
	const [secretOf] = nodes[2].description.properties;
	expect(secretOf.description).toBe('Which credential holds the callback secret');
	const none = nodes[2].description.properties.find(({ name }) => name === 'noneNotice');
	expect(none?.displayOptions).toEqual({ show: { callbackAuthentication: ['none'] } });
	expect(Object.keys(new BusinessVerificationTrigger().methods.listSearch)).toEqual([
		'searchInquiries',
		'searchBatches',
	]);
	// n8n calls 'create', which checks the settings, only where nothing exists.
	const { checkExists, delete: remove } = new BusinessVerificationSellerTrigger().webhookMethods.default;
	expect(await Promise.all([checkExists, remove].map((hook) => hook.call({} as never)))).toEqual([false, true]);
});

it('a group has the name of what it adds on its button, and a record can be chosen in each way', () => {
	const groups = everything.filter(({ type }) => /ollection$/.test(type));
	const rows = groups
		.filter(({ type }) => type === 'fixedCollection')
		.flatMap(({ options = [] }) => options as INodeProperties[]);
	expect(once(groups.map(({ displayName, placeholder }) => `${displayName}: ${placeholder}`)).join('; ')).toBe(
		'Sheet Options: Add Sheet Option; Waiting Options: Add Waiting Option; Options: Add Option; Advanced Options: Add Advanced Option; Additional Fields: Add Field; Principals: Add Principal; Licenses: Add License; Filters: Add Filter; Source Filters: Add Source Filter; Sort: Add Sort',
	);
	expect(once(rows.map((row) => row.displayName))).toEqual(['Principal', 'License', 'Source Filter']);
	const ways = everything.flatMap(({ displayName, modes = [] }) =>
		modes.map(({ displayName: way, typeOptions, placeholder }) => {
			const { searchListMethod, searchable } = typeOptions ?? {};
			return `${displayName}, ${way}: ${placeholder ?? `${searchListMethod}, ${searchable}`}`;
		}),
	);
	expect(once(ways)).toEqual([
		'Batch, From List: searchBatches, true',
		'Batch, By ID: e.g. c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
		'Batch, By Name: e.g. March leads',
		'Inquiry, From List: searchInquiries, true',
		'Inquiry, By ID: e.g. 3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
		'Inquiry, External ID: e.g. crm-4711',
	]);
});

it.each(nodes.map((node) => [node.description.displayName, node] as const))(
	'%s asks for the credential of the chosen authentication, and without one n8n does not run it',
	(_, node) => {
		expect(node.description.credentials).toEqual([
			{ name: 'businessVerificationApi', required: true, displayOptions: { show: { authentication: ['apiKey'] } } },
			{ name: 'businessVerificationJwtApi', required: true, displayOptions: { show: { authentication: ['jwt'] } } },
			{
				name: 'businessVerificationOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		]);
	},
);

it('no expression chooses the authentication, the resource, or the operation: the form is made from them', () => {
	const choosing = nodes
		.flatMap((node) => node.description.properties)
		.filter(({ name }) => ['authentication', 'resource', 'operation'].includes(name));
	expect(new Set(choosing.map(({ name }) => name)).size).toBe(3);
	expect(choosing.filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
});

it('a new node has an inquiry selected, and its menus are in the order of their names', () => {
	const menus = description.properties.filter(({ name }) => ['resource', 'operation'].includes(name));
	expect([menus[0].default, chosenIn({ parameters: {} }).resource]).toEqual(['inquiry', 'inquiry']);
	const words = menus.map(({ options = [] }) => options.map(({ name }) => name));
	expect(words).toEqual(words.map((of) => [...of].sort()));
});

it('no panel of a workflow shows what only a model gives', () => {
	const menus = description.properties.filter(({ name }) => name === 'operation');
	const panels = menus.flatMap(({ options = [], displayOptions }) =>
		(options as Array<{ value: string }>).map(({ value }) =>
			names({ resource: displayOptions!.show!.resource![0] as string, operation: value }),
		),
	);
	expect(panels.length).toBeGreaterThan(20);
	const ofModels = ['detail', 'page', 'part', 'rowsJson', 'toolDescription'];
	expect(new Set(panels.flat().filter((name) => ofModels.includes(name)))).toEqual(new Set());
	const known = new Set(description.properties.map(({ name }) => name));
	expect(ofModels.filter((name) => !known.has(name))).toEqual([]);
});

it('no label says a word twice', () => {
	const labels = everything.map(({ displayName }) => displayName);
	expect(labels.filter((label) => /\b(\w+) \1\b/.test(label))).toEqual([]);
});

describe('Inquiry: Create', () => {
	const create = { resource: 'inquiry', operation: 'create' };

	it('asks for all data first, and says what is billed, in 12 parameters', () => {
		const top = ['businessName', 'businessCity', 'businessState', 'externalId'];
		const rest = ['additionalFields', 'principals', 'licenses', 'waitForCompletion', 'options'];
		expect(names(create).slice(1)).toEqual(['resource', 'operation', 'billingNotice', ...top, ...rest]);
		expect(property('billingNotice', create).displayName).toBe(
			'Each item is billed: one inquiry, unless one with its External ID is reused.',
		);
	});

	it.each<[string, INodeParameters, string[]]>([
		['blank', {}, ['businessName', 'businessCity', 'businessState']],
		['with a blank DBA', { additionalFields: { businessDba: '' } }, ['businessName', 'businessCity', 'businessState']],
		['with a DBA', { additionalFields: { businessDba: '={{ $json.dba }}' } }, ['businessCity', 'businessState']],
		['with a name', { businessName: 'Acme', businessCity: 'Springfield' }, ['businessState']],
	])('%s: n8n names all that is missing at once', (_, filledIn, missing) => {
		const parameters = { ...create, ...filledIn };
		const node = { parameters, typeVersion: 1 } as unknown as INode;
		const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		expect(Object.keys(issues?.parameters ?? {})).toEqual(missing);
		expect(names(parameters).filter((name) => name === 'businessName')).toHaveLength(1);
	});
});

describe('License: Verify', () => {
	const verify = (licensee_category: string) => ({ resource: 'license', operation: 'verify', licensee_category });

	it.each([
		['homeServices', false],
		['healthcare', true],
	])('for %s shows what it needs', (category, hasSubcategories) => {
		const values = verify(category);
		expect(names(values).includes('licensee_subcategory')).toBe(hasSubcategories);
	});
});

const labelsIn = (group: INodeProperties) => inside(group).map(({ displayName }) => displayName);

it('what can be added is in alphabetical order; of a person as in a form, which the page of operations shows', () => {
	const isOfPerson = ({ name, displayOptions }: INodeProperties) =>
		name === 'additionalFields' && displayOptions?.show?.operation?.includes('addPrincipal') === true;
	const groups = nodes.flatMap(({ description: { properties } }) =>
		properties.filter((one) => one.type === 'collection' && !isOfPerson(one)),
	);
	expect(groups.length).toBeGreaterThan(20);
	for (const group of groups) expect(labelsIn(group)).toEqual([...labelsIn(group)].sort((a, b) => a.localeCompare(b)));
});

it('the filters of the trigger are those of the list', () => {
	const filters = nodes[1].description.properties.find(({ name }) => name === 'filters')!;
	expect(labelsIn(filters)).toEqual([
		'Scorecard Score Maximum',
		'Scorecard Score Minimum',
		'Search',
		'Source Filters',
		'Tags',
	]);
});

it.each([
	['submit', ['callback', 'ref']],
	['submitAndWait', ['ref', 'maxWaitHours']],
])('Seller Search: %s asks for %s before the additional fields', (operation, own) => {
	const required = ['name', 'address_line_1', 'city', 'state', 'zip5'];
	expect(names({ resource: 'sellerSearch', operation }).slice(3)).toEqual([
		'billingNotice',
		...required,
		...own,
		'additionalFields',
		'options',
	]);
});

describe('Batch: Submit', () => {
	const submit = { resource: 'batch', operation: 'submit' };

	it('says what is billed, but not of a dry run', () => {
		const billed = 'Billed: one inquiry for each new row.';
		const said = (dryRun: boolean) => shown({ ...submit, dryRun }).map(({ displayName }) => displayName);
		expect(said(false)).toContain(billed);
		expect(said(true)).not.toContain(billed);
	});
	/** Asked for by every operation. */
	const general = ['authentication', 'resource', 'operation'];

	it('reads headers or takes a mapping, and explains the one at hand', () => {
		const about = (values: INodeParameters) =>
			names({ ...submit, ...values }).filter((name) => name.startsWith('columns'));
		expect(about({})).toEqual(['columnsFrom']);
		expect(about({ columnsFrom: 'mapping' })).toEqual(['columnsFrom', 'columns']);
	});

	it('asks a person for at most 15 things, and one notice says what happens when it runs again', () => {
		const all = shown({ ...submit, columnsFrom: 'mapping', waitForCompletion: true });
		const isForPeople = ({ displayOptions }: INodeProperties) => displayOptions?.show?.['@tool'] === undefined;
		const asked = all.flatMap((one) => (one.type === 'collection' ? inside(one).filter(isForPeople) : [one]));
		const own = asked.filter(({ name, type }) => type !== 'notice' && !general.includes(name));
		expect(own.length).toBeGreaterThan(10);
		expect(own.length).toBeLessThanOrEqual(15);
		const notices = all.filter(({ name, type }) => type === 'notice' && name !== 'billingNotice');
		expect(notices.map(({ displayName }) => displayName)).toEqual([
			'Run it again under the same Batch Name as often as you like: only new rows are submitted and billed. Under this name, the same External ID is not submitted again; a new one is billed, also one that Create has submitted. Rows without one are recognized by their data. A later run with new rows first waits 30 seconds, so that no batch is missed.',
			expect.stringMatching(/^n8n shows nothing until the wait ends/),
		]);
	});

	it('has its options in groups of ten at most', () => {
		const groups = shown({ ...submit, waitForCompletion: true }).filter(({ type }) => type === 'collection');
		expect(groups.map(({ name }) => name)).toEqual(['sheetOptions', 'waitingOptions', 'options']);
		const forPeople = ({ displayOptions }: INodeProperties) => displayOptions?.show?.['@tool'] === undefined;
		for (const group of groups) expect(inside(group).filter(forPeople).length).toBeLessThanOrEqual(8);
		expect(names(submit)).not.toContain('waitingOptions');
	});
});

it.each(['BusinessVerification', 'BusinessVerificationTrigger', 'BusinessVerificationSellerTrigger'])(
	'%s is found by the words people type',
	(name) => {
		const file = join(__dirname, `../../nodes/BusinessVerification/${name}.node.json`);
		const said = (JSON.parse(readFileSync(file, 'utf8')).alias as string[]).map((word) => word.toLowerCase());
		const typed =
			'verify|verify business|kyc|company check|license check|sanctions|watchlist|background check|aml|underwriting|fraud|risk';
		expect(typed.split('|').filter((words) => !said.some((alias) => alias.includes(words)))).toEqual([]);
	},
);

describe('what cannot be', () => {
	useSandbox();

	const run = (operation: string, ...items: object[]) =>
		runNode({
			parameters: {
				resource: 'inquiry',
				operation,
				businessName: 'Acme',
				businessCity: 'Springfield',
				businessState: '={{ $json.state }}',
				additionalFields: {
					...{ businessEin: '={{ $json.ein }}', businessZip: '={{ $json.zip }}' },
					...{ businessEmail: '={{ $json.email }}', businessDomain: '={{ $json.domain }}' },
				},
			},
			credential: credential(),
			items: items as never[],
		});
	const odd = [
		"'Email' seems to hold more than one value, or another kind of value. It is not corrected.",
		"'Domain' seems to hold more than one value, or another kind of value. It is not corrected.",
		"'EIN' does not have nine digits as in 12-3456789. It is not corrected.",
		"'State' is not a US state such as IL or Illinois. It is not corrected.",
		"'ZIP Code' does not have five digits as in 02139. It is not corrected.",
	];

	it('is remarked by Check, and is valid all the same: the service decides', async () => {
		const { items } = await run(
			'check',
			{ state: 'Illinoisx', ein: '1234567', zip: '21', email: 'a@b.example@c.example', domain: 'acme@x' },
			{ state: 'illinois', ein: '12-3456789', zip: '02139-4307', email: 'a@b.example', domain: 'x.example' },
		);
		expect(items.map(({ json }) => [json.readyToSubmit, json.remarks])).toEqual([
			[true, odd],
			[true, []],
		]);
	});

	it('is remarked when it is sent, with whose data they are', async () => {
		const { items, hints } = await run(
			'create',
			{ state: 'Illinoisx', ein: '12', zip: '21' },
			{ state: 'XX', ein: '123456789', zip: '2139' },
		);
		expect(items).toHaveLength(2);
		expect(hints).toEqual([
			'Without External ID, every run submits and bills again.',
			expect.stringMatching(/^Acme: 'EIN' does .* 02139\. .* Acme: 'State' is .* Verification takes a while/),
		]);
	});
});

it('says before a wait that n8n shows nothing meanwhile, and where to look', () => {
	for (const operation of ['create', 'addFiling', 'retryFailed']) {
		const values = { resource: 'inquiry', operation };
		expect(names(values)).not.toContain('waitingNotice');
		expect(property('waitingNotice', { ...values, waitForCompletion: true }).displayName).toMatch(
			/^n8n shows nothing until the wait ends: the service is checked soon, then every 30 seconds, .* 'Get Many' in another workflow\. .* stays billed\.$/,
		);
	}
});
