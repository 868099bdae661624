/**
 * Every operation in worlds that its authors did not imagine. What the service answers there may be anything: what is
 * asked of the node is only that nothing is paid for twice, and that nothing that was paid for is lost or invented.
 */
import type { INode, INodeParameters, INodeType } from 'n8n-workflow';
import { resources } from '../../nodes/BusinessVerification/operations';
import { startSandbox, type Sandbox, type Fault, type SubmissionKind } from '../../sandbox';
import { pairwise } from './pairwise';
import { broken } from './promise';
import { twoWorlds, type World } from './fixture';
import { worlds, type Turn } from './behaviors';
import { ofAnotherProcess, runNode } from '../harness/inProcess';

type Item = Record<string, unknown>;

interface Play {
	operation: string;
	kind?: SubmissionKind;
	parameters: INodeParameters;
	items?: (worlds: World[], fresh: string) => Item[];
	/** Submissions, where they are not one for each item. */
	most?: number;
	/** Run again by another execution when the disturbance is over, and the whole is to be paid for once. */
	again?: true;
}

const business = { businessName: 'Acme Trading LLC', businessCity: 'Springfield', businessState: 'IL' };
const inquiryId = '={{ $json.inquiry }}';
const failedId = '={{ $json.failedInquiry }}';
const looksOnce = { maxWait: 0, pollInterval: 1, onTimeout: 'lastState' };
/** The grace in which what was sent may appear in lists, cut short: what lags longer is a limit that the documentation names. */
const soon = { lookupGrace: 0 };
const numbered = (worlds: World[], fresh: string) =>
	worlds.map((world, index) => ({ ...world, externalId: `${fresh}-${index + 1}` }));
const sheet = (_: World[], fresh: string) =>
	['1', '2', '3'].map((row) => ({
		businessName: `${fresh} ${row}`,
		businessCity: 'Springfield',
		businessState: 'IL',
		externalId: `${fresh}-${row}`,
	}));
const seller = { name: 'Acme', address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };

const plays: Record<string, Play> = {
	'inquiry create': {
		operation: 'inquiry.create',
		kind: 'inquiry',
		parameters: { ...business, externalId: '={{ $json.externalId }}', options: soon },
	},
	'inquiry create, whole record': {
		operation: 'inquiry.create',
		kind: 'inquiry',
		parameters: { ...business, output: 'raw' },
	},
	'inquiry create and wait': {
		operation: 'inquiry.create',
		kind: 'inquiry',
		parameters: { ...business, waitForCompletion: true, options: looksOnce },
	},
	'inquiry create, reused by external ID': {
		operation: 'inquiry.create',
		kind: 'inquiry',
		parameters: {
			...business,
			externalId: '={{ $json.externalId }}',
			ifExternalIdExists: 'reuse',
			options: soon,
		},
		again: true,
	},
	'inquiry add principal': {
		operation: 'inquiry.addPrincipal',
		kind: 'principal',
		parameters: { inquiryId, lastName: '={{ $json.externalId }}' },
	},
	'inquiry add principal and wait': {
		operation: 'inquiry.addPrincipal',
		kind: 'principal',
		parameters: { inquiryId, lastName: '={{ $json.externalId }}', waitForCompletion: true, options: looksOnce },
	},
	'inquiry add license': {
		operation: 'inquiry.addLicense',
		kind: 'license',
		parameters: {
			inquiryId,
			licenseName: 'Acme',
			licenseId: '={{ $json.externalId }}',
			licenseState: 'IL',
			licenseCategory: 'plumbing',
		},
	},
	'inquiry add filing': {
		operation: 'inquiry.addFiling',
		kind: 'filing',
		parameters: { inquiryId, sosId: '={{ $json.externalId }}', sosState: 'IL' },
	},
	'inquiry retry process': {
		operation: 'inquiry.retryProcess',
		kind: 'retryProcess',
		parameters: { inquiryId: failedId, taskId: '={{ $json.task }}' },
	},
	'inquiry retry failed': {
		operation: 'inquiry.retryFailed',
		kind: 'retryFailed',
		parameters: { inquiryId: failedId },
	},
	'batch submit': {
		operation: 'batch.submit',
		kind: 'batch',
		parameters: { name: '={{ $json.businessName.slice(0, -2) }}', options: soon },
		items: sheet,
		most: 1,
		again: true,
	},
	'batch submit and wait': {
		operation: 'batch.submit',
		kind: 'batch',
		parameters: {
			name: '={{ $json.businessName.slice(0, -2) }}',
			waitForCompletion: true,
			waitingOptions: looksOnce,
			options: soon,
		},
		items: sheet,
		most: 1,
	},
	'seller search': {
		operation: 'sellerSearch.submit',
		kind: 'sellerSearch',
		parameters: { ...seller, callback: 'http://127.0.0.1:9/report' },
	},
	'license verify': {
		operation: 'license.verify',
		kind: 'licenseVerification',
		parameters: {
			seller_id: '={{ $json.seller }}',
			licensee_name: 'Dana Doe',
			licensee_state: 'IL',
			licensee_category: 'homeServices',
			licensee_id: '={{ $json.externalId }}',
		},
	},

	'inquiry get': { operation: 'inquiry.get', parameters: { inquiryId } },
	'inquiry get all': { operation: 'inquiry.getAll', parameters: { returnAll: true } },
	'inquiry wait': { operation: 'inquiry.wait', parameters: { inquiryId, options: looksOnce } },
	'inquiry PDF': { operation: 'inquiry.downloadPdf', parameters: { inquiryId } },
	'batch get': { operation: 'batch.get', parameters: { batchId: '={{ $json.batch }}' } },
	'batch get all': { operation: 'batch.getAll', parameters: { returnAll: true } },
	'batch get inquiries': { operation: 'batch.getInquiries', parameters: { batchId: '={{ $json.batch }}' } },
	'batch wait': { operation: 'batch.wait', parameters: { batchId: '={{ $json.batch }}', options: looksOnce } },
	'seller status': { operation: 'sellerSearch.getStatus', parameters: { requestId: '={{ $json.request }}' } },
	'seller result': { operation: 'sellerSearch.getResult', parameters: { requestId: '={{ $json.request }}' } },
	'user profile': { operation: 'user.getProfile', parameters: {} },
	'user API key': { operation: 'user.getApiKey', parameters: {} },
};

/** Sleeps until it is called back, calls nothing, or costs nothing: each has tests of its own. */
const elsewhere = ['sellerSearch.submitAndWait', 'inquiry.check', 'user.acceptTerms'];

let sandbox: Sandbox;
let another: INodeType;
beforeAll(async () => {
	sandbox = await startSandbox();
	another = await ofAnotherProcess();
});
afterAll(() => sandbox.close());

let runs = 0;

type OnError = NonNullable<INode['onError']>;

/** Plays all operations in one world; what is broken, said with the operation. */
async function play(turns: Turn[], onError: OnError, retryOnFail: boolean, played = plays): Promise<string[]> {
	const items = await twoWorlds(sandbox);
	Object.assign(sandbox.switches, { planningMs: 0, runningMs: 0, enrichingMs: 0, sellerMs: 3_600_000 });
	sandbox.switches.pageCap = 0;
	for (const { switches } of turns) Object.assign(sandbox.switches, switches);
	sandbox.clock.unfreeze();
	const faults = turns.flatMap(({ fault }) => fault ?? []);
	const performed = Math.max(1, ...turns.map((turn) => turn.performed ?? 1));
	const believed = turns.some((turn) => turn.believed);
	const problems: string[] = [];
	for (const [name, asked] of Object.entries(played)) {
		const { operation, kind, parameters, again, most = 2 } = asked;
		const fresh = `run${++runs}`;
		const rows = (asked.items ?? numbered)(items, fresh);
		const run = async (node?: INodeType) => {
			const [resource, action] = operation.split('.');
			return await runNode({
				parameters: { resource, operation: action, ...parameters },
				credential: {
					baseUrl: sandbox.url,
					apiKey: sandbox.organisation.apiKey,
					sellerStatusPath: sandbox.switches.sellerStatusPath,
					sellerResultPath: sandbox.switches.sellerResultPath,
				},
				items: rows,
				onError,
				// A refusal that is not true would be sent again, as the user asked for.
				retryOnFail: retryOnFail && !believed,
				node,
			});
		};
		sandbox.ledger.clear();
		sandbox.faults.clear();
		if (kind !== undefined) {
			for (const fault of faults) {
				for (const one of billable) sandbox.faults.add({ ...one, ...fault, times: null, skip: most > 1 ? 1 : 0 });
			}
		}
		const result = await run();
		if (faults.some(({ performedAfterMs }) => performedAfterMs))
			await new Promise((resolve) => setTimeout(resolve, 400));
		const found = broken(sandbox, { kind, most, performed, believed }, result);
		if (again && found.length === 0 && !turns.some(({ unseen }) => unseen)) {
			sandbox.faults.clear();
			await run(another);
			const twice = rows.filter(({ externalId }) => sandbox.ledger.times(String(externalId)) > performed);
			if (twice.length > 0) found.push(`run again: ${twice.length} of ${rows.length} paid for again`);
		}
		problems.push(...found.map((problem) => `${name}: ${problem}`));
	}
	return problems;
}

/** Everything that is paid for, and no read. */
const billable: Fault[] = [
	{ method: 'POST', path: /^\/v1\/(inquiries|batch-inquiries)\/|seller-detailed$/ },
	{ method: 'GET', path: /license-verification$/ },
];

test('every operation is played', () => {
	const all = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => `${resource}.${operation}`),
	);
	const played = Object.values(plays).map(({ operation }) => operation);
	expect([...new Set([...played, ...elsewhere])].sort()).toEqual(all.sort());
});

/** Worlds that no read meets. */
const ofWrites =
	/^(submissions|writeAnswer|successStatus|refusalStatus|licenseAnswer|\w+Repeated|additions\w+|batchTakes|batchAnswer\w+)$/;
const part = (chosen: (play: Play) => boolean) =>
	Object.fromEntries(Object.entries(plays).filter(([, play]) => chosen(play)));
const writes = part(({ kind }) => kind !== undefined);
const reads = part(
	({ kind, again, parameters }) => kind === undefined || again === true || parameters.waitForCompletion === true,
);

const singles = Object.entries(worlds).flatMap(([world, turns]) =>
	turns.map((turn) => [turn.name, turn, ofWrites.test(world) ? writes : reads] as const),
);

describe('each world alone', () => {
	test.each(singles)('%s', async (_, turn, played) => {
		expect([
			...(await play([turn], 'continueErrorOutput', false, played)),
			...(await play([turn], 'stopWorkflow', true, played)),
		]).toEqual([]);
	});
});

const names = Object.keys(worlds);
const combinations = pairwise(names.map((name) => worlds[name].length));
/** Every two turns meet with `WORLDS=all npx jest test/contract/behaviors`; the first combinations hold most of the pairs. */
const played = process.env.WORLDS === 'all' ? combinations : combinations.slice(0, 20);

describe('two worlds at a time', () => {
	test.each(played.map((combination, number) => [number + 1, combination] as const))('%i', async (_, combination) => {
		const turns = names.map((name, world) => worlds[name][combination[world]]);
		expect(await play(turns, 'continueErrorOutput', true)).toEqual([]);
	});
});
