import assert from 'node:assert/strict';
import type { Checks } from '../suite';
import type { WorkflowNode } from '../workflow';
import { type Place, succeeded } from './place';
import type { Call } from './shapes';

// With the mark that Excel puts before a CSV file in UTF-8.
const leads = `\uFEFF${[
	'External ID,Business Name,City,State',
	'0012,"Acme Trading, LLC",Springfield,IL',
	'lead-2,Bolt & Sons,Salem,OR',
	',Cedar Hill Cafe,Boston,MA',
	'=1+1,Dune Surf Shop,,OR',
	'3-4,Café Été,Boston,MA',
].join('\r\n')}`;

const isDrive = ({ host }: Call) => host === 'www.googleapis.com';
const isUpload = ({ path, method }: Call) => path === '/upload/drive/v3/files' && method === 'POST';
const busy = { status: 429, body: { error: { code: 429, message: 'Rate limit exceeded' } } };

/** The import of a CSV file in Google Drive, read and saved by n8n's own nodes. */
export function fileChecks(placed: () => Place): Checks {
	let number = 0;
	let before = '';
	/** What the service was asked for is listed there at once. */
	const quick = (node: WorkflowNode): WorkflowNode =>
		node.name === 'Import the rows'
			? { ...node, parameters: { ...node.parameters, options: { lookupGrace: 1 } } }
			: node;
	const load = (edit: (node: WorkflowNode) => WorkflowNode = (node) => node) => {
		const { drive } = placed().partners;
		const values = {
			file: 'https://drive.google.com/file/d/made-up-leads/view?usp=drive_link',
			folder: `https://drive.google.com/drive/folders/${drive.folder}`,
			batchName: `Leads of Drive ${++number}`,
		};
		return placed().load('sheet-import-drive.json', values, (node) => edit(quick(node)));
	};

	/** One file in a Drive, and a fresh service. */
	const fresh = () => {
		const { sandbox, partners } = placed();
		sandbox.reset();
		Object.assign(sandbox.switches, { lifecycle: 'clock', planningMs: 20, runningMs: 40, enrichingMs: 20 });
		partners.internet.repair();
		partners.drive.files.clear();
		partners.drive.files.set('made-up-leads', {
			...{ name: 'leads.csv', mimeType: 'text/csv', parents: ['root'], text: leads },
		});
	};
	const billed = () => placed().sandbox.ledger.flatMap(({ key, keys }) => keys ?? [key]);
	/** The rows of each saved file, by the kind that its name says, without the IDs that the service gives out. */
	const saved = (): Array<[kind: string, rows: string[]]> =>
		placed().partners.drive.saved.map(({ name, text }) => {
			const [, kind] = /^Leads of Drive \d+ (results|to correct) 20\d\d-\d\d-\d\d \d\d\.\d\d\.csv$/.exec(name) ?? [];
			return [
				kind,
				text
					.trim()
					.split('\n')
					.map((row) => row.replace(/,[0-9a-f-]{20,}$/, ',an ID')),
			];
		});

	const results = [
		'results',
		[
			'External ID,Verification Status,Verification Score,Inquiry ID',
			'0012,COMPLETED,80,an ID',
			'lead-2,COMPLETED,80,an ID',
			'3-4,COMPLETED,80,an ID',
		],
	];
	const toCorrect = [
		'to correct',
		[
			'External ID,Reason',
			"=1+1,Row 5: 'City' is required",
			',"Row 4 has no External ID, so its result could not be written back. It was not sent."',
		],
	];

	return {
		'a file: each row is in one file with its result, or in the other with its reason': async () => {
			const { world } = placed();
			fresh();
			const { id } = await load();
			before = id;
			succeeded(await world.api.run(id, 'Start'));
			assert.deepEqual(saved(), [results, toCorrect]);
			assert.deepEqual(billed(), ['0012', 'lead-2', '3-4']);
		},

		'a file: a second run bills nothing and saves the same again': async () => {
			const { world } = placed();
			succeeded(await world.api.run(before, 'Start'));
			assert.deepEqual(saved(), [results, toCorrect, results, toCorrect]);
			assert.deepEqual(billed(), ['0012', 'lead-2', '3-4']);
		},

		'a file: Google refuses for a while, and everything is saved once': async () => {
			const { world, partners } = placed();
			const { internet } = partners;
			fresh();
			internet.break({ matches: (call) => isDrive(call) && call.query.get('alt') === 'media', times: 2, status: 503 });
			for (const kind of ['results', 'to correct']) {
				const matches = (call: Call) => isUpload(call) && call.body.name.includes(kind);
				internet.break({ matches, times: 2, ...busy, headers: { 'retry-after': '1' } });
			}
			internet.break({ matches: (call) => isDrive(call) && call.method === 'PUT', status: 503 });
			succeeded(await world.api.run((await load()).id, 'Start'));
			assert.deepEqual(saved(), [results, toCorrect]);
			assert.equal(billed().length, 3);
		},

		'a file: an upload that is refused fails the run, and the next one saves everything': async () => {
			const { world, partners } = placed();
			fresh();
			partners.internet.break({
				matches: isUpload,
				times: Infinity,
				status: 403,
				body: { error: { message: 'full' } },
			});
			const { id } = await load();
			const refused = await world.api.run(id, 'Start');
			assert.deepEqual([refused.status, saved(), billed().length], ['error', [], 3]);
			partners.internet.repair();
			succeeded(await world.api.run(id, 'Start'));
			assert.deepEqual([saved(), billed().length], [[results, toCorrect], 3]);
		},

		'a file: 1,000 long rows are read and saved to the last one': async () => {
			const { world, partners } = placed();
			fresh();
			const rows = Array.from(
				{ length: 1000 },
				(_, row) => `lead-${row},Business ${row},Salem,OR,${'note '.repeat(60)}`,
			);
			partners.drive.files.get('made-up-leads')!.text = ['External ID,Business Name,City,State,Notes', ...rows].join(
				'\n',
			);
			const { id } = await load();
			succeeded(await world.api.ended(await world.api.startRun(id, 'Start'), 90_000));
			const [[kind, [, ...lines]], ...others] = saved();
			assert.deepEqual([kind, others], ['results', []]);
			assert.deepEqual(
				lines,
				rows.map((_, row) => `lead-${row},COMPLETED,80,an ID`),
			);
		},

		'a file: a service that is down fails the run, and no row is listed as one to correct': async () => {
			const { world, sandbox } = placed();
			fresh();
			sandbox.faults.add({ method: 'POST', status: 503, times: Infinity });
			const down = await world.api.run((await load()).id, 'Start');
			sandbox.faults.clear();
			assert.equal(down.status, 'error');
			assert.match(String(down.error?.message), /returned status 503/);
			assert.deepEqual([saved(), billed()], [[], []]);
		},

		'a file: without access to it the run fails before anything is billed': async () => {
			const { world, partners } = placed();
			fresh();
			partners.drive.files.clear();
			const { status } = await world.api.run((await load()).id, 'Start');
			assert.deepEqual([status, billed()], ['error', []]);
		},
	};
}
