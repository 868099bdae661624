/**
 * Every operation in worlds that its authors did not imagine. What the service answers there may be anything: what is
 * asked of the node is only that nothing is paid for twice, and that nothing that was paid for is lost or invented.
 */
import type { INodeParameters, INodeType } from 'n8n-workflow';
import type { Fault, SubmissionKind } from '../../sandbox';
import { sandbox, useSandbox } from '../harness/sandbox';
import { broken } from './promise';
import { twoWorlds, type World } from './fixture';
import { worlds, type Turn } from './behaviors';
import { type Case, cases, isForAll, varied } from './cases';
import { rows } from './rows';
import { acme } from '../harness/newInquiry';
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

const looksOnce = { maxWait: 0, pollInterval: 1, onTimeout: 'lastState' };
/** The grace in which what was sent may appear in lists, cut short: what lags longer is a limit that the documentation names. */
const soon = { advanced: { lookUpWait: 0 } };
/** With them each row names its batch. */
const detailed = { ...soon, includeDetails: true };
const numbered = (worlds: World[], fresh: string) =>
	worlds.map((world, index) => ({ ...world, fresh: `${fresh}-${index + 1}` }));
const sheet = (_: World[], fresh: string) =>
	['1', '2', '3'].map((row) => ({
		...acme,
		businessName: `${fresh} ${row}`,
		externalId: `${fresh}-${row}`,
		fresh,
	}));

const playOf = ([operation, row]: Case): Play => ({
	operation,
	kind: row.submits,
	parameters: varied(row, '={{ $json.fresh }}'),
	...(isForAll(row) && row.submits && { items: sheet, most: 1 }),
});

/** Sleeps until it is called back, or names nothing that it made: each has tests of its own. */
const isElsewhere = ([operation, row]: Case) => row.alone === true || operation === 'user.acceptTerms';

const own = (operation: string, changes: INodeParameters): Play => {
	const play = playOf([operation, rows[operation]]);
	return { ...play, parameters: { ...play.parameters, ...changes } };
};

const plays: Record<string, Play> = {
	...Object.fromEntries(cases.filter((one) => !isElsewhere(one)).map((one) => [one[0], playOf(one)])),
	'inquiry.create, with an external ID': own('inquiry.create', { externalId: '={{ $json.fresh }}', options: soon }),
	'inquiry.create, whole record': own('inquiry.create', { options: { output: 'raw' } }),
	'inquiry.create, and wait': own('inquiry.create', { waitForCompletion: true, waitingOptions: looksOnce }),
	'inquiry.create, reused by external ID': {
		...own('inquiry.create', { externalId: '={{ $json.fresh }}', options: soon }),
		again: true,
	},
	'inquiry.addPrincipal, and wait': own('inquiry.addPrincipal', { waitForCompletion: true, waitingOptions: looksOnce }),
	'batch.submit': { ...own('batch.submit', { options: detailed }), again: true },
	'batch.submit, and wait': own('batch.submit', {
		waitForCompletion: true,
		waitingOptions: { maxWait: 0, pollInterval: 1 },
		options: detailed,
	}),
	'inquiry.getAll': own('inquiry.getAll', { returnAll: true }),
	'batch.getAll': own('batch.getAll', { returnAll: true }),
	'inquiry.wait': own('inquiry.wait', { waitingOptions: looksOnce }),
	'batch.wait': own('batch.wait', { waitingOptions: looksOnce }),
};

useSandbox();
let another: INodeType;
beforeAll(async () => {
	another = await ofAnotherProcess();
});

let runs = 0;

/** Plays operations in one world; what is broken, said with the operation. */
async function play(
	{ switches, fault, performed = 1, believed, unseen }: Turn,
	played: typeof plays,
): Promise<string[]> {
	const items = await twoWorlds(sandbox);
	Object.assign(sandbox.switches, { planningMs: 0, runningMs: 0, enrichingMs: 0, sellerMs: 3_600_000 });
	sandbox.switches.pageCap = 0;
	Object.assign(sandbox.switches, switches);
	sandbox.clock.unfreeze();
	const problems: string[] = [];
	for (const [name, asked] of Object.entries(played)) {
		const { operation, kind, parameters, again, most = 2 } = asked;
		const fresh = `run${++runs}`;
		const entries = (asked.items ?? numbered)(items, fresh);
		const run = async (node?: INodeType) => {
			const [resource, action] = operation.split('.');
			return await runNode({
				parameters: { resource, operation: action, ...parameters },
				credential: {
					baseUrl: sandbox.url,
					apiKey: sandbox.organization.apiKey,
					sellerStatusPath: sandbox.switches.sellerStatusPath,
					sellerResultPath: sandbox.switches.sellerResultPath,
				},
				items: entries,
				onError: 'continueErrorOutput',
				// A refusal that is not true would be sent again, as the user asked for.
				retryOnFail: !believed,
				node,
			});
		};
		sandbox.ledger.clear();
		sandbox.faults.clear();
		if (kind !== undefined && fault !== undefined) {
			for (const one of billable) sandbox.faults.add({ ...one, ...fault, times: null, skip: most > 1 ? 1 : 0 });
		}
		const result = await run();
		sandbox.clock.advance(fault?.performedAfterMs ?? 0);
		await Promise.all(sandbox.requests.late);
		const found = broken(sandbox, { kind, most, performed, believed }, result);
		if (again && found.length === 0 && !unseen) {
			sandbox.faults.clear();
			await run(another);
			const twice = entries.filter((row) => sandbox.ledger.times(String(row.externalId ?? row.fresh)) > performed);
			if (twice.length > 0) found.push(`run again: ${twice.length} of ${entries.length} paid for again`);
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

/** Worlds that no read meets. */
const ofWrites = /^(submissions|writeAnswer|licenseAnswer|\w+Repeated|additions\w+|batchTakes)$/;
const part = (chosen: (play: Play) => boolean) =>
	Object.fromEntries(Object.entries(plays).filter(([, play]) => chosen(play)));
const writes = part(({ kind }) => kind !== undefined);
const reads = part(
	({ kind, again, parameters }) => kind === undefined || again === true || parameters.waitForCompletion === true,
);

const singles = Object.entries(worlds).flatMap(([world, turns]) =>
	turns.map((turn) => [turn.name, turn, ofWrites.test(world) ? writes : reads] as const),
);

test.each(singles)('no operation pays twice, loses or invents in the world: %s', async (_, turn, played) => {
	expect(await play(turn, played)).toEqual([]);
});
