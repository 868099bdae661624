import assert from 'node:assert/strict';
import { outputJson } from '../client';
import type { Checks } from '../suite';
import type { WorkflowNode } from '../workflow';
import { type Place, succeeded } from './place';
import type { Call } from './internet';

const results = ['Verification Status', 'Verification Score', 'Verification Problem', 'Inquiry ID'];
const header = ['External ID', 'Business Name', 'City', 'State', ...results];

const isWrite = ({ path }: Call) => path.endsWith('/values:batchUpdate');
const isGoogle = ({ host }: Call) => host === 'sheets.googleapis.com';

/** The spreadsheet import, written back by n8n's own nodes. */
export function sheetChecks(placed: () => Place): Checks {
	const spreadsheet = () => `https://docs.google.com/spreadsheets/d/${placed().partners.google.id}/edit`;
	let number = 0;
	/** What the service was asked for is listed there at once. */
	const quick = (node: WorkflowNode): WorkflowNode =>
		node.name === 'Import the rows'
			? { ...node, parameters: { ...node.parameters, options: { advanced: { lookUpWait: 1 } } } }
			: node;
	const load = (edit: (node: WorkflowNode) => WorkflowNode = (node) => node, file = 'sheet-import.json') => {
		const name = `Leads ${++number}`;
		/** The spreadsheet is chosen in each node that reads or writes it. */
		const chosen = (node: WorkflowNode): WorkflowNode => {
			if (node.name === 'Import the rows') return { ...node, parameters: { ...node.parameters, name } };
			if (!('documentId' in node.parameters)) return node;
			const documentId = { __rl: true, mode: 'url', value: spreadsheet() };
			return { ...node, parameters: { ...node.parameters, documentId } };
		};
		return placed().load(file, (node) => edit(quick(chosen(node))));
	};

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
	};
	const statuses = () =>
		placed()
			.partners.google.shown('Leads')
			.slice(1)
			.map((row) => row[4]);
	const billed = () => placed().sandbox.ledger.flatMap(({ key, keys }) => keys ?? [key]).length;

	return {
		'a sheet: every result finds its row, whatever its ID looks like, and every row to correct says why': async () => {
			const { world, partners, sandbox } = placed();
			const { google } = partners;
			fresh();
			google.setTab('Leads', [
				header,
				['lead-1', 'Acme Trading LLC', 'Springfield', 'IL'],
				[[1002, '#,##0'], 'Bolt & Sons', 'Salem', 'OR'],
				[[42, '00000'], 'Cedar Hill Cafe', 'Boston', 'MA'],
				['', 'Elm Street Books', 'Salem', 'OR'],
				['0012', 'Fern Flowers', '', 'OR'],
				['=1+1', 'Hill House', '', 'ME'],
			]);
			const { id } = await load();
			const before = partners.internet.calls.length;
			succeeded(await world.api.run(id, 'Start'));

			assert.deepEqual(
				google.shown('Leads').map((row) => [row[0], row[4], row[6]]),
				[
					['External ID', 'Verification Status', 'Verification Problem'],
					...['lead-1', '1,002', '00042', ''].map((shown) => [shown, 'COMPLETED', '']),
					...['0012', '=1+1'].map((shown) => [shown, 'not sent', 'City is required']),
				],
			);
			assert.deepEqual(
				google
					.stored('Leads')
					.slice(1, 5)
					.map((row) => [row[5], String(row[7]).length]),
				Array(4).fill([80, 36]),
			);
			// As text: what looks like a number, a date or a formula stays what it is.
			const inputs = partners.internet.calls
				.slice(before)
				.filter(isGoogle)
				.map(({ query, body }) => query.get('valueInputOption') ?? body?.valueInputOption);
			assert.deepEqual([...new Set(inputs.filter(Boolean))], ['RAW']);
			assert.deepEqual(
				sandbox.ledger.map(({ keys = [] }) => keys.map((key) => String(key).replace(/^row-.*/, 'row-'))),
				[['lead-1', '1,002', '00042', 'row-']],
			);
		},

		'a sheet without a result column is not billed, and the last node says how many rows have a result': async () => {
			const { world, partners } = placed();
			fresh();
			partners.google.setTab('Leads', [
				header.filter((name) => name !== 'Inquiry ID'),
				['lead-1', 'Acme Trading LLC', 'Springfield', 'IL'],
			]);
			const { id } = await load();
			const { status, error } = await world.api.run(id, 'Start');
			assert.equal(status, 'error');
			assert.match(String(error?.message), /Nothing was submitted\. The sheet has no column Inquiry ID/);
			assert.equal(billed(), 0);

			fresh();
			partners.google.setCell('Leads', 1, 2, '');
			const [{ text }] = outputJson(await world.api.run(id, 'Start'), 'How it went');
			assert.match(String(text), /^1 of 2 rows have a result/);
			assert.equal(billed(), 1);
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
				assert.deepEqual([statuses(), billed()], [['not sent', 'COMPLETED', 'COMPLETED'], 2]);
			},
	};
}
