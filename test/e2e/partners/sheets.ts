import assert from 'node:assert/strict';
import type { Checks } from '../suite';
import type { WorkflowNode } from '../workflow';
import type { Value } from './google';
import { type Place, succeeded } from './place';
import type { Call } from './shapes';

const header = ['External ID', 'Business Name', 'City', 'State', 'Verification Status', 'Verification Score'];
const toCorrect: Value[][] = [['External ID', 'Reason']];

const isWrite = ({ path }: Call) => path.endsWith('/values:batchUpdate');
const isGoogle = ({ host }: Call) => host === 'sheets.googleapis.com';

/** The spreadsheet import, written back by n8n's own nodes. */
export function sheetChecks(placed: () => Place): Checks {
	const spreadsheet = () => `https://docs.google.com/spreadsheets/d/${placed().partners.google.id}/edit`;
	let number = 0;
	/** What the service was asked for is listed there at once. */
	const quick = (node: WorkflowNode): WorkflowNode =>
		node.name === 'Import the rows'
			? { ...node, parameters: { ...node.parameters, options: { lookupGrace: 1 } } }
			: node;
	const load = (edit: (node: WorkflowNode) => WorkflowNode = (node) => node) =>
		placed().load('sheet-import.json', { spreadsheet: spreadsheet(), batchName: `Leads ${++number}` }, (node) =>
			edit(quick(node)),
		);

	/** Two good rows in a fresh spreadsheet, and a fresh service. */
	const fresh = () => {
		const { sandbox, partners } = placed();
		sandbox.reset();
		Object.assign(sandbox.switches, { lifecycle: 'clock', planningMs: 20, runningMs: 40, enrichingMs: 20 });
		partners.internet.repair();
		partners.google.setTab('Leads', [
			header,
			['lead-1', 'Acme Trading LLC', 'Springfield', 'IL'],
			['lead-2', 'Bolt & Sons', 'Salem', 'OR'],
		]);
		partners.google.setTab('To Correct', toCorrect);
	};
	const statuses = () =>
		placed()
			.partners.google.shown('Leads')
			.slice(1)
			.map((row) => row[4]);
	const billed = () => placed().sandbox.ledger.flatMap(({ key, keys }) => keys ?? [key]).length;

	let varied = '';
	return {
		'a sheet: every result finds its row, whatever its ID looks like, and every row to correct is listed as it is':
			async () => {
				const { world, partners, sandbox } = placed();
				const { google } = partners;
				fresh();
				google.setTab('Leads', [
					header,
					['lead-1', 'Acme Trading LLC', 'Springfield', 'IL'],
					[[1002, '#,##0'], 'Bolt & Sons', 'Salem', 'OR'],
					[[42, '00000'], 'Cedar Hill Cafe', 'Boston', 'MA'],
					[[100_000, '0.00E+00'], 'Dune Surf Shop', 'Salem', 'OR'],
					['', 'Elm Street Books', 'Salem', 'OR'],
					[],
					['0012', 'Fern Flowers', '', 'OR'],
					['3-4', 'Gull Boats', '', 'ME'],
					['=1+1', 'Hill House', '', 'ME'],
					// More than n8n makes room for in all its tries, unless Google appends them.
					...Array.from({ length: 8 }, (_, row) => [`bad-${row}`, 'Inn', '', 'ME']),
				]);
				// What the run before had listed, in a grid without a free row.
				google.setTab('To Correct', [...toCorrect, ['old-1', 'of an earlier run']], 2);
				const { id } = await load();
				varied = id;
				const before = partners.internet.calls.length;
				succeeded(await world.api.run(id, 'Start'));

				assert.deepEqual(
					google
						.shown('Leads')
						.slice(0, 10)
						.map((row) => [row[0], row[4], row[6] === undefined]),
					[
						['External ID', 'Verification Status', false],
						...['lead-1', '1,002', '00042', '1.00E+05'].map((shown) => [shown, 'COMPLETED', false]),
						['', undefined, true],
						[undefined, undefined, true],
						...['0012', '3-4', '=1+1'].map((shown) => [shown, undefined, true]),
					],
				);
				assert.equal(google.shown('Leads')[0][6], 'Inquiry ID', 'a missing result column is made');
				assert.deepEqual(
					google
						.stored('Leads')
						.slice(1, 5)
						.map((row) => row[5]),
					[80, 80, 80, 80],
				);
				// As text: what looks like a number, a date or a formula stays what it is.
				const inputs = partners.internet.calls
					.slice(before)
					.filter(isGoogle)
					.map(({ query, body }) => query.get('valueInputOption') ?? body?.valueInputOption);
				assert.deepEqual([...new Set(inputs.filter(Boolean))], ['RAW']);
				const listed = google.stored('To Correct').slice(1);
				assert.deepEqual(
					listed
						.map(([shown]) => shown)
						.filter((shown) => !String(shown).startsWith('bad-'))
						.sort(),
					['', '0012', '3-4', '=1+1'],
				);
				assert.equal(listed.length, 12);
				assert.match(String(listed.find(([shown]) => shown === '')![1]), /^Row 6 has no External ID/);
				assert.match(String(listed.find(([shown]) => shown === '0012')![1]), /'City' is required/);
				assert.deepEqual(
					sandbox.ledger.map(({ keys }) => keys),
					[['lead-1', '1,002', '00042', '1.00E+05']],
				);
			},

		'a sheet: a second run bills nothing and lists each row to correct once': async () => {
			const { world, partners } = placed();
			const [before, rows] = [billed(), partners.google.stored('To Correct').length];
			succeeded(await world.api.run(varied, 'Start'));
			assert.equal(billed(), before);
			assert.equal(partners.google.stored('To Correct').length, rows);
		},

		'a sheet: a wrong key and a service that is down fail the run and blame no row': async () => {
			const { world, partners, sandbox } = placed();
			fresh();
			const wrong = await world.api.createCredential('A wrong key', 'businessVerificationApi', {
				...{ baseUrl: sandbox.url, apiKey: 'wrong' },
			});
			const withWrongKey = (node: WorkflowNode) =>
				'businessVerificationApi' in (node.credentials ?? {})
					? { ...node, credentials: { businessVerificationApi: { id: wrong.id, name: wrong.name } } }
					: node;
			const refused = await world.api.run((await load(withWrongKey)).id, 'Start');
			assert.equal(refused.status, 'error');
			assert.match(String(refused.error?.message), /does not accept the credential/);

			sandbox.faults.add({ method: 'POST', status: 503, times: Infinity });
			const { id } = await load();
			const down = await world.api.run(id, 'Start');
			assert.equal(down.status, 'error');
			assert.match(String(down.error?.message), /returned status 503/);
			assert.deepEqual(partners.google.stored('To Correct'), toCorrect);
			assert.deepEqual([statuses(), billed()], [[undefined, undefined], 0]);

			sandbox.faults.clear();
			succeeded(await world.api.run(id, 'Start'));
			assert.deepEqual([statuses(), billed()], [['COMPLETED', 'COMPLETED'], 2]);
		},

		'a sheet: Google refuses for a while, drops an answer, and lets a token expire: all is written once': async () => {
			const { world, partners } = placed();
			const { google, internet } = partners;
			fresh();
			google.setTab('Leads', [...google.stored('Leads'), ['lead-3', 'Fern Flowers', '', 'OR']]);
			google.accessToken = 'made-up-access-token-of-tomorrow-1';
			const busy = {
				status: 429,
				body: { error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } },
			};
			internet.break({ matches: ({ method }) => method === 'GET', status: 503 });
			internet.break({ matches: isWrite, times: 2, ...busy, headers: { 'retry-after': '1' } });
			internet.break({ matches: isWrite, loseAnswer: true });
			internet.break({ matches: ({ path }) => path.endsWith(':append'), times: 2, ...busy });
			succeeded(await world.api.run((await load()).id, 'Start'));
			assert.deepEqual(statuses(), ['COMPLETED', 'COMPLETED', undefined]);
			assert.deepEqual(
				google.stored('To Correct').map(([shown]) => shown),
				['External ID', 'lead-3'],
			);
			assert.equal(billed(), 2);
		},

		'a sheet: without access to it the run fails before anything is billed': async () => {
			const { world, partners } = placed();
			const { google } = partners;
			fresh();
			const { accessToken, refreshToken } = google;
			Object.assign(google, { accessToken: 'revoked', refreshToken: 'revoked' });
			const { status } = await world.api.run((await load()).id, 'Start');
			Object.assign(google, { accessToken, refreshToken });
			assert.deepEqual([status, billed()], ['error', 0]);
		},

		'a sheet: results are written when Google is back, and the row that was inserted meanwhile keeps its own':
			async () => {
				const { world, partners } = placed();
				const { google, internet } = partners;
				fresh();
				internet.break({ matches: isWrite, times: Infinity, status: 503 });
				const { id } = await load();
				assert.equal((await world.api.run(id, 'Start')).status, 'error');
				assert.deepEqual([statuses(), billed()], [[undefined, undefined], 2]);
				internet.repair();
				google.insertRow('Leads', 1, ['lead-0', 'Opal Nails', '', 'IL']);
				succeeded(await world.api.run(id, 'Start'));
				assert.deepEqual([statuses(), billed()], [[undefined, 'COMPLETED', 'COMPLETED'], 2]);
			},

		'a sheet of 3,000 rows is written back in a handful of calls': async () => {
			const { world, partners } = placed();
			const { google, internet } = partners;
			fresh();
			const rows = Array.from({ length: 3000 }, (_, row) => [`lead-${row}`, `Business ${row}`, 'Salem', 'OR']);
			google.setTab('Leads', [header, ...rows], 3001);
			const { id } = await load();
			const before = internet.calls.filter(isGoogle).length;
			const started = Date.now();
			const execution = await world.api.ended(await world.api.startRun(id, 'Start'), 150_000);
			succeeded(execution);
			const calls = internet.calls.filter(isGoogle).length - before;
			console.log(`    3,000 rows in ${((Date.now() - started) / 1000).toFixed(1)} s with ${calls} calls to Google`);
			assert.deepEqual([...new Set(statuses())], ['COMPLETED']);
			assert.ok(calls <= 8, `${calls} calls`);
		},
	};
}
