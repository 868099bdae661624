/**
 * Every operation under everything the interface document leaves open. Each combination of open points is one way the
 * service may turn out to be, with the settings that a user then makes; any two ways of any two points meet in one.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type Switches } from '../../sandbox';
import { pdfReport } from '../../sandbox/pdf';
import { switchNames } from '../../sandbox/switches';
import { openPoints } from './openPoints';
import { pairsIn, pairsOf, pairwise } from './pairwise';
import { twoWorlds, type World } from './fixture';
import { worlds } from './behaviors';
import { runNode, type RunResult } from '../harness/inProcess';
import { acme } from '../harness/newInquiry';

const names = Object.keys(openPoints);
const factors = names.map((name) => openPoints[name].length);
const combinations = pairwise(factors);

let sandbox: Sandbox;
let receiver: Server;
let callback: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	receiver = createServer((_, response) => response.end());
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/report`;
});
afterAll(async () => {
	await sandbox.close();
	receiver.closeAllConnections();
	await new Promise((resolve) => receiver.close(resolve));
});

interface Case {
	/** In every run another: the process remembers what it has sent, and the sandbox forgets it. */
	fresh: string;
	worlds: [World, World];
	switches: Switches;
	run(operation: string, parameters: INodeParameters, items?: object[]): Promise<RunResult>;
}

let runs = 0;

/** Runs under one combination; what fails says under which. */
async function under(combination: number[], scenario: (given: Case) => Promise<void>): Promise<void> {
	const chosen = names.map((name, factor) => openPoints[name][combination[factor]]);
	const worlds = await twoWorlds(sandbox);
	Object.assign(sandbox.switches, { planningMs: 0, runningMs: 0, enrichingMs: 0, sellerMs: 3_600_000 });
	for (const { switches } of chosen) Object.assign(sandbox.switches, switches);
	sandbox.clock.unfreeze();
	const credential: ICredentialDataDecryptedObject = { baseUrl: sandbox.url };
	for (const way of chosen) Object.assign(credential, way.credential?.(sandbox));
	const authentication = chosen.some(({ jwt }) => jwt) ? 'jwt' : 'apiKey';
	try {
		await scenario({
			fresh: `run-${++runs}`,
			worlds,
			switches: sandbox.switches,
			run: (name, parameters, items = worlds) => {
				const [resource, operation] = name.split('.');
				return runNode({
					parameters: { authentication, resource, operation, ...parameters },
					credential: { ...credential },
					items: items as Array<Record<string, unknown>>,
					onError: 'continueErrorOutput',
				});
			},
		});
	} catch (error) {
		const where = names.map((name, factor) => `${name} ${combination[factor]}`).join(', ');
		(error as Error).message += `\n\nunder ${where}`;
		throw error;
	}
}

/** All items came through: what they say, in the order of the input. */
function through({ error, failed, items }: RunResult): IDataObject[] {
	expect(error).toBeUndefined();
	expect(failed.map(({ json }) => json.error)).toEqual([]);
	return items.map(({ json }) => json);
}

/** The first item came through and the second failed for this reason, which only a web page hides. */
function secondFailed(
	{ error, failed, items }: RunResult,
	httpCode: number,
	reason: RegExp,
	{ errorForm }: Switches,
): void {
	expect(error).toBeUndefined();
	expect(new Set(items.map(({ pairedItem }) => (pairedItem as { item: number }).item))).toEqual(new Set([0]));
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	const told = failed[0].json.error as { message: string };
	expect(told).toMatchObject({ httpCode, itemIndex: 1 });
	if (errorForm !== 'html') expect(told.message).toMatch(reason);
	expect(told.message).not.toMatch(/<|\[object|undefined/);
}

const inquiryId = '={{ $json.inquiry }}';
const batchId = '={{ $json.batch }}';
const final = expect.objectContaining({ isFinal: true });

const scenarios: Record<string, (given: Case) => Promise<void>> = {
	async user({ run }) {
		const { organization } = sandbox;
		for (const profile of through(await run('user.getProfile', {}))) {
			expect(profile).toMatchObject({ lenderId: organization.id, lenderName: expect.any(String) });
		}
		const accepted = through(await run('user.acceptTerms', { confirm: true }));
		expect(accepted).toEqual([
			expect.objectContaining({ accepted: true }),
			expect.objectContaining({ accepted: true }),
		]);
		expect(sandbox.ledger.count('terms')).toBe(2);
		const [key] = through(await run('user.getApiKey', {}));
		expect(key).toMatchObject({ isActive: true, discoveryLimit: 1_000_000 });
		expect(JSON.stringify(key)).not.toContain(organization.apiKey);
	},

	async 'inquiry create and check'({ run, switches }) {
		const principals =
			switches.createPrincipalKeys === 'snake'
				? { options: { extraBody: { principals: [{ last_name: 'Smith', dob: '1980-12-31' }] } } }
				: { principals: { row: [{ lastName: 'Smith', dob: '1980-12-31' }] } };
		const parameters = {
			...acme,
			...principals,
			licenses: {
				row: [{ licenseName: 'Acme', licenseId: 'PL-1', licenseState: 'IL', licenseCategory: 'plumbing' }],
			},
		};
		const checked = through(await run('inquiry.check', parameters));
		expect(checked).toEqual([
			expect.objectContaining({ readyToSubmit: true }),
			expect.objectContaining({ readyToSubmit: true }),
		]);
		expect(sandbox.requests).toHaveLength(0);
		const created = through(await run('inquiry.create', parameters));
		expect(created.map(({ status, isFinal }) => [status, isFinal])).toEqual([
			['PLANNING', false],
			['PLANNING', false],
		]);
		expect(sandbox.ledger.count()).toBe(2);
		expect(sandbox.ledger[0].sources).toEqual(expect.arrayContaining(['backgroundChecks', 'licenseVerification']));
	},

	async 'inquiry create, reused by external ID'({ run, worlds, fresh }) {
		const parameters = {
			...acme,
			externalId: '={{ $json.externalId }}',
			ifExternalIdExists: 'reuse',
		};
		const items = ['crm-1-1', fresh, fresh, 'crm-2-1'].map((externalId) => ({ externalId }));
		const [known, first, again, alsoKnown] = through(await run('inquiry.create', parameters, items));
		expect([known.id, alsoKnown.id]).toEqual([worlds[0].inquiry, worlds[1].inquiry]);
		expect([known, first, again, alsoKnown].map(({ reused }) => reused)).toEqual([true, false, true, true]);
		expect(again.id).toBe(first.id);
		expect(sandbox.ledger.count()).toBe(1);
	},

	async 'inquiry reads'({ run, worlds, switches }) {
		const read = await run('inquiry.get', { inquiryId: '={{ $itemIndex === 0 ? $json.inquiry : $json.unknown }}' });
		secondFailed(read, 404, /no such inquiry/, switches);
		expect(read.items[0].json).toMatchObject({ id: worlds[0].inquiry, isFinal: true, scorecardScore: 80 });

		const everything = through(await run('inquiry.getAll', { returnAll: true }, [{}]));
		expect(everything).toEqual(Array.from({ length: 8 }, () => final));
		expect(new Set(everything.map(({ id }) => id)).size).toBe(8);
		const filters = {
			search: 'Acme Trading LLC 1',
			created_at_from: '2000-01-01T00:00:00Z',
			source_filters: { row: [{ source: 'WATCHLISTS', value: 'CLEAR' }] },
			scorecard_score_min: 80,
		};
		const found = through(await run('inquiry.getAll', { filters, sort: { sort_by: 'business_name' } }, [{}]));
		expect(found.map(({ id }) => id).sort()).toEqual(worlds.map(({ inquiry }) => inquiry).sort());
	},

	async 'inquiry wait, for many together'({ run, worlds }) {
		const ids = worlds.flatMap(({ inquiry, failedInquiry }) => [inquiry, failedInquiry]);
		const waited = through(
			await run(
				'inquiry.wait',
				{ inquiryId: '={{ $json.id }}' },
				ids.map((id) => ({ id })),
			),
		);
		expect(waited.map(({ id }) => id)).toEqual(ids);
		expect(waited.map(({ status }) => status)).toEqual(['COMPLETED', 'FAILED', 'COMPLETED', 'FAILED']);
	},

	async 'inquiry addPrincipal, waited for'({ run, switches }) {
		// Where neither time changes, nothing tells the new end from the old one but the grace.
		const tellsRuns = switches.completedAtOnRerun !== 'keptForever' || switches.startedAtOnRerun !== 'kept';
		const parameters = {
			inquiryId,
			lastName: 'Smith',
			waitForCompletion: true,
			waitingOptions: { pollInterval: 1, maxWait: 1 },
			options: { advanced: { reRunWait: tellsRuns ? 60 : 0 } },
		};
		const added = through(await run('inquiry.addPrincipal', parameters));
		for (const { inquiry } of added) {
			expect(inquiry).toMatchObject({ status: 'COMPLETED', isFinal: true, restartSeen: tellsRuns });
		}
		const refused = await run('inquiry.addPrincipal', {
			inquiryId,
			additionalFields: { businessPrincipalId: "={{ $itemIndex === 0 ? $json.unknown : 'no-uuid' }}" },
		});
		secondFailed(refused, 422, /businessPrincipalId: must be a uuid/, switches);
	},

	async 'inquiry licenses, filings, retries'({ run, worlds, switches }) {
		const license = { licenseName: 'Acme', licenseId: 'PL-1', licenseState: 'IL', licenseCategory: 'plumbing' };
		const twice = through(await run('inquiry.addLicense', { inquiryId: worlds[0].failedInquiry, ...license }));
		expect(twice).toEqual([twice[0], twice[0]]);
		expect(sandbox.ledger.map(({ duplicate }) => duplicate)).toEqual([undefined, true]);
		const filed = through(await run('inquiry.addFiling', { inquiryId, sosId: '2026', sosState: 'IL' }));
		expect(filed.map(({ processType }) => processType)).toEqual(['REGISTRYLINK_SOS', 'REGISTRYLINK_SOS']);
		const failedId = '={{ $json.failedInquiry }}';
		const taskId = "={{ $itemIndex === 0 ? $json.task : 'none' }}";
		const retried = await run('inquiry.retryProcess', { inquiryId: failedId, taskId });
		secondFailed(retried, 404, /no process with this task_id/, switches);
		expect(retried.items[0].json).toMatchObject({ taskId: worlds[0].task, attemptNumber: 2 });
		const others = through(await run('inquiry.retryFailed', { inquiryId: failedId }));
		expect(others.map(({ attemptNumber }) => attemptNumber)).toEqual([2, 2]);
		expect(sandbox.ledger.count('retryFailed')).toBe(2);
	},

	async 'inquiry downloadPdf'({ run, worlds, switches }) {
		switches.lifecycle = 'manual';
		sandbox.inquiries.rerun(worlds[1].inquiry);
		const result = await run('inquiry.downloadPdf', { inquiryId });
		const served = switches.pdfBeforeCompletion === 'served';
		if (!served) secondFailed(result, 409, /has not ended/, switches);
		else expect(through(result).map(({ inquiryId }) => inquiryId)).toEqual(worlds.map(({ inquiry }) => inquiry));
		result.items.forEach(({ json, binary }, item) => {
			const { inquiry } = worlds[item];
			const report = pdfReport(sandbox.inquiries.get(inquiry));
			if (switches.pdfForm === 'jsonUrl') {
				expect(json.answer).toEqual({ url: `${sandbox.url}/files/${inquiry}.pdf` });
			} else if (switches.pdfForm === 'json') {
				expect(json.answer).toMatchObject({ inquiryId: inquiry, message: 'The report is being generated' });
			} else {
				expect(json).toMatchObject({ fileSize: report.length, mimeType: 'application/pdf' });
				expect(binary?.data.data).toBe(report.toString('base64'));
			}
		});
	},

	async 'batch reads and wait'({ run, worlds, switches }) {
		const done = { total: 2, completed: 2, isFinal: true, donePercent: 100 };
		expect(through(await run('batch.get', { batchId }))).toMatchObject(
			worlds.map(({ batch }) => ({ batchId: batch, ...done })),
		);
		const batches = through(await run('batch.getAll', { returnAll: true }, [{}]));
		expect(batches.map((batch) => batch.batchId).sort()).toEqual(worlds.map(({ batch }) => batch).sort());
		const rows = through(await run('batch.getInquiries', { batchId }));
		expect(rows.map((row) => row.batchId)).toEqual(worlds.flatMap(({ batch }) => [batch, batch]));
		expect(rows).toEqual([final, final, final, final]);
		expect(through(await run('batch.wait', { batchId }))).toMatchObject([done, done]);

		switches.lifecycle = 'manual';
		sandbox.inquiries.move(sandbox.inquiries.find('row-1-1')[0].id, 'ENRICHING');
		const [enriching] = through(await run('batch.get', { batchId, output: 'raw' }));
		const other = switches.enrichingCountedAs === 'nothing' ? 1 : 0;
		expect(enriching).toMatchObject({ total: 2, completed: 1, isFinal: false, donePercent: 50, other });
	},

	async 'batch submit'({ run, switches, fresh }) {
		const sheet = ['One', 'Two', 'Three'].map((name, index) => ({
			'Business Name': name,
			City: index === 1 ? '' : 'Springfield',
			State: 'IL',
			'External ID': `sheet-${index + 1}`,
		}));
		const first = await run(
			'batch.submit',
			{ name: fresh, waitForCompletion: true, options: { advanced: { lookUpWait: 0 }, includeDetails: true } },
			sheet,
		);
		expect(first.error).toBeUndefined();
		expect(first.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		const [bad] = first.items.splice(1, 1);
		expect(bad.json).toMatchObject({ verificationStatus: 'not sent', verificationProblem: 'City is required' });
		expect(sandbox.ledger.map(({ kind, keys }) => [kind, keys])).toEqual([['batch', ['sheet-1', 'sheet-3']]]);
		// Rows are matched by external ID, in the batch or the records; what cannot be matched is said to be so.
		const isMatched = switches.inquiryListDelayMs === 0 && switches.batchRowsExternalId;
		first.items.forEach(({ json }, index) => {
			expect(json.verification).toMatchObject({ row: [2, 4][index], reused: false });
			if (isMatched) expect(json.verification).toMatchObject({ status: 'COMPLETED', isFinal: true });
			else expect(`${json.verificationStatus} ${json.verificationProblem}`).toMatch(/^COMPLETED|^sent .*external ID/);
		});

		// Without any external ID nobody knows which rows are new: nothing is sent.
		const again = await run(
			'batch.submit',
			{ name: fresh, options: { advanced: { lookUpWait: 0 }, includeDetails: true } },
			sheet,
		);
		const reused = again.items.map(({ json }) => (json.verification as IDataObject).reused);
		if (isMatched) expect(reused).toEqual([true, undefined, true]);
		expect(sandbox.ledger.count()).toBe(1);
	},

	async 'batch with a row that the service refuses'({ run, switches, fresh }) {
		const refused =
			switches.createPrincipalKeys === 'snake'
				? { last_name: 'Smith', business_principal_id: 'no-uuid' }
				: { lastName: 'Smith', businessPrincipalId: 'no-uuid' };
		const sheet = [[], [refused]].map((principals, index) => ({
			businessName: `Business ${index}`,
			businessCity: 'Springfield',
			businessState: 'IL',
			principals,
		}));
		const { error, items, failed, hints } = await run(
			'batch.submit',
			{ name: fresh, outputPer: 'batch', options: { advanced: { lookUpWait: 0 } } },
			sheet,
		);
		expect(error).toBeUndefined();
		if (switches.invalidBatchItems === 'skip') {
			expect(sandbox.ledger.count()).toBe(1);
			// Which of the rows was taken is known only by its external ID.
			if (items.length > 0) {
				expect(items[0].json.total).toBe(1);
				expect(JSON.stringify([items, hints])).toMatch(/did not accept this row|accepted only 1 of the 2 rows/);
			} else expect(failed.map(({ json }) => json.error)).toMatchObject(Array(2).fill({ submission: 'unknown' }));
			return;
		}
		expect(items).toEqual([]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		for (const { json } of failed) {
			expect(json.error).toMatchObject({ httpCode: 422 });
			if (switches.errorForm !== 'html')
				expect(json.error).toHaveProperty('message', expect.stringMatching(/must be a uuid/));
		}
		expect(sandbox.ledger.count()).toBe(0);
	},

	async 'seller search'({ run, worlds, switches }) {
		const seller = { name: 'Acme', address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '02139' };
		const submitted = through(await run('sellerSearch.submit', { ...seller, callback }));
		expect(submitted.map(({ status }) => status === 'complete')).toEqual([
			switches.sellerCompleteAtOnce,
			switches.sellerCompleteAtOnce,
		]);
		expect(sandbox.ledger.count('sellerSearch')).toBe(2);

		const items = [{ requestId: worlds[0].request }, { requestId: submitted[1].requestId }];
		const requestId = '={{ $json.requestId }}';
		const statuses = through(await run('sellerSearch.getStatus', { requestId }, items));
		expect(statuses.map(({ isFinal }) => isFinal)).toEqual([true, switches.sellerCompleteAtOnce]);

		const results = await run('sellerSearch.getResult', { requestId }, items);
		if (!switches.sellerCompleteAtOnce && switches.sellerResultBeforeComplete === 'refused') {
			secondFailed(results, 404, /no Seller Report before/, switches);
		} else {
			expect(through(results)).toMatchObject([{}, { status: switches.sellerCompleteAtOnce ? 'complete' : 'pending' }]);
		}
		const [{ json: report }] = results.items;
		expect(switches.reportSellerId === 'top' ? report : report.seller).toHaveProperty('seller_id');

		if (!switches.sellerCompleteAtOnce) return;
		const options = switches.reportSellerId === 'top' ? {} : { sellerIdPath: 'seller.seller_id' };
		const [waited] = through(await run('sellerSearch.submitAndWait', { ...seller, options }, [{}]));
		expect(waited).toMatchObject({ status: 'complete', isFinal: true, sellerId: expect.stringMatching(/^[\w-]{36}$/) });
	},

	async 'license verify'({ run, switches }) {
		const licensee = { seller_id: '={{ $json.seller }}', licensee_name: 'Dana Doe', licensee_state: 'IL' };
		const healthcare = { ...licensee, licensee_category: 'healthcare' };
		// The sandbox's practitioner has a license of each of two subcategories.
		const one = { licensee_subcategory: 'acupuncture' };
		expect(through(await run('license.verify', { ...healthcare, ...one }))).toHaveLength(2);
		const none = { licensee_subcategory: 'podiatry' };
		expect(through(await run('license.verify', { ...healthcare, ...none }))).toEqual([
			{ payloads: 0 },
			{ payloads: 0 },
		]);
		expect(through(await run('license.verify', healthcare))).toHaveLength(4);
		expect(sandbox.ledger.map(({ kind, count }) => [kind, count])).toEqual(
			[1, 1, 0, 0, 2, 2].map((count) => ['licenseVerification', count]),
		);
		const refused = await run('license.verify', {
			...licensee,
			seller_id: '={{ $itemIndex === 0 ? $json.seller : $json.unknown }}',
			licensee_category: 'homeServices',
			licensee_id: 'PL-1',
		});
		secondFailed(refused, 404, /id from the Seller Report/, switches);
	},
};

/** Switches that do not change the form of what a client sends or reads, only when, how often, how fast and to which end. */
const timing = [
	'lifecycle',
	'ends',
	'planningMs',
	'runningMs',
	'enrichingMs',
	'clusteringMs',
	'rerunDelayMs',
	'sellerMs',
	'stalePagesMs',
	'latencyMs',
	'maxInFlight',
	'tokenLifetimeMs',
	'dateHeaderSkewMs',
];
/** Switches of what the service sends by itself, to the Seller Trigger. */
const callbacks = [
	'callbackDelayMs',
	'callbackRetries',
	'callbackRetryDelayMs',
	'callbackDuplicates',
	'callbackKeepsQuery',
];
/** Switches that refuse: see the end of this file. */
const refusals = ['termsRequired', 'enforceDiscoveryLimit', 'unknownKey'] as const;

it('knows every switch of the sandbox', () => {
	const ways = [...Object.values(openPoints), ...Object.values(worlds)].flat();
	const open = ways.flatMap(({ switches }) => Object.keys(switches ?? {}));
	expect([...new Set([...open, ...timing, ...callbacks, ...refusals])].sort()).toEqual([...switchNames].sort());
});

it('lets every two ways meet', () => {
	const met = new Set(combinations.flatMap(pairsIn));
	expect(pairsOf(factors).filter((pair) => !met.has(pair))).toEqual([]);
});

describe.each(Object.entries(scenarios))('%s', (_, scenario) => {
	it.each(combinations.map((combination, number) => [number + 1, combination] as const))(
		'combination %i',
		(_, combination) => under(combination, scenario),
	);
});

it.each([
	['termsRequired', /terms have not been accepted/],
	['enforceDiscoveryLimit', /discoveryLimit .* is reached/],
] as const)('%s: nothing is submitted, and the reason is read', async (name, reason) => {
	const { organization } = sandbox;
	await under(combinations[0], async ({ run, switches }) => {
		switches[name] = true;
		organization.termsAcceptedAt = null;
		organization.keyRecord.discoveryLimit = organization.keyRecord.discoveryCount;
		for (const [operation, parameters] of [
			['inquiry.create', acme],
			['batch.submit', { name: name, options: { advanced: { lookUpWait: 0 } } }],
		] as const) {
			const items = [
				{ ...acme, row: 1 },
				{ ...acme, businessCity: 'Chicago', row: 2 },
			];
			const { failed } = await run(operation, parameters, items);
			expect(failed.map(({ json }) => json.error)).toEqual([
				expect.objectContaining({ httpCode: 403, message: expect.stringMatching(reason) }),
				expect.objectContaining({ httpCode: 403, message: expect.stringMatching(reason) }),
			]);
		}
		expect(sandbox.ledger.count()).toBe(0);
	});
});
