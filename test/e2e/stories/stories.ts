import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { output, outputJson } from '../client';
import { example, ready } from '../examples';
import type { WorkflowBody } from '../workflow';
import { click, ended, mainTrigger, page, played, type Place, postSeller } from './place';

/** Plays one example as a person would, looks at what stands at its end, and says it in a line. */
export type Story = (place: Place) => Promise<string>;

const answer = async (url: string) => String((await axios.get(url, { proxy: false })).data);

/** The names that n8n gives to the fields of a form. */
const form = (...fields: string[]) => {
	const body = new FormData();
	for (const [index, value] of fields.entries()) body.append(`field-${index}`, value);
	return body;
};

const lines = (rows: Array<Record<string, unknown>>, ...columns: string[]) =>
	rows.map((row) => columns.map((column) => row[column]).join(' ')).join(', ');

/** By file, those that run without another account. Their businesses end as the sandbox's varied ends say. */
export const stories: Record<string, Story> = {
	'verify-business.json': async (place) => {
		const seen = outputJson(await played(place, 'verify-business.json'), 'The result');
		assert.equal(lines(seen, 'Business', 'Status', 'Score'), 'Pine Tree Dairy COMPLETED 85');
		return lines(seen, 'Business', 'Status', 'Score');
	},

	'form-verification.json': async (place) => {
		const shown = await answer(await page(place, await click(place, 'form-verification.json')));
		const [, title] = /(We received your application|We already have this application)/.exec(shown)!;
		assert.doesNotMatch(shown, /COMPLETED|score/);
		return `the last page of the form: ${title}`;
	},

	'crm-verification.json': async (place) => {
		const records = outputJson(await played(place, 'crm-verification.json'), 'Write the result to the record');
		const seen = lines(records, 'record', 'status', 'score');
		assert.equal(seen, 'crm-1 COMPLETED 85, crm-2 COMPLETED 60');
		return `the records: ${seen}`;
	},

	'completion-alert-offline.json': async (place) => {
		const messages = outputJson(await played(place, 'completion-alert-offline.json'), 'The message');
		assert.deepEqual(
			messages.map(({ text }) => text),
			[
				'External ID crm-1: COMPLETED, score 85 (provider scale). 1 business found: Pine Tree Dairy.\nExternal ID crm-3: FAILED. This says nothing about the business.',
			],
		);
		return 'one message with a line for each completion';
	},

	'sheet-import-offline.json': async (place) => {
		const execution = await played(place, 'sheet-import-offline.json');
		const results = outputJson(execution, 'Import the rows');
		const seen = lines(results, 'External ID', 'verificationStatus', 'verificationScore');
		assert.equal(
			seen,
			'lead-1 COMPLETED 85, lead-2 PARTIAL_SUCCESS 48, lead-3 FAILED , lead-4 not sent , lead-5 COMPLETED 48',
		);
		assert.equal(results[3].verificationProblem, 'Business Name or a Business DBA is required');
		const [{ binary }] = output(execution, 'The sheet with its results');
		assert.equal((binary?.data as { fileName: string }).fileName, 'leads, 4 of 5 with a result.csv');
		return `a new file: ${seen}`;
	},

	'seller-report-to-crm.json': async (place) => {
		const { api, ids } = place;
		const id = ids['seller-report-to-crm.json'];
		await api.activate(id);
		const before = (await api.executions(id)).length;
		await postSeller(place);
		// The call of the CRM is the first, its report the second.
		const runs = async () => (await api.executions(id)).slice(0, -before || undefined);
		await api.until('the report', async () => (await runs()).filter(({ status }) => status === 'success').length === 2);
		const [report] = await runs();
		const [record] = outputJson(await api.execution(report.id), 'Write the report to the record');
		assert.equal(record.record, 'crm-7');
		assert.match(String(record.report), /Acme Plumbing LLC/);
		return 'a callback arrived; its report is with record crm-7';
	},

	'evidence.json': async ({ api, n8n, credentials }) => {
		// As its note says: a folder of this n8n.
		const folder = join(n8n.folder, '.n8n-files');
		await mkdir(folder, { recursive: true });
		const { nodes, ...workflow } = JSON.parse(
			JSON.stringify(example('evidence.json')).replaceAll('/home/node/.n8n-files', folder),
		) as WorkflowBody;
		const chosen = nodes.map((node) => ready(node, credentials));
		const { id } = await api.createWorkflow({ ...workflow, nodes: chosen });
		const execution = await api.ended(await api.startRun(id, mainTrigger({ nodes: chosen })));
		const [row] = outputJson(execution, 'Write the evidence');
		const file = await readFile(String(row.file));
		assert.equal(createHash('sha256').update(file).digest('hex'), row.sha256);
		const { id: recorded, status } = JSON.parse(String(row.whole)) as { id: string; status: string };
		assert.deepEqual([row.inquiry, row.status], [recorded, status]);
		return `a file with the SHA-256 that its row of evidence names, of ${String(row.status)}`;
	},

	'human-approval.json': async (place) => {
		const id = await click(place, 'human-approval.json');
		const url = await page(place, id);
		assert.match(
			await answer(url),
			/Approve Lumen Optics\?[\s\S]*app-4\. Lumen Optics: PARTIAL_SUCCESS, score 48 \(provider scale\)/,
		);
		await axios.post(url, form('Approve', 'Robin Reviewer', 'Known for years'), { proxy: false });
		const [line] = outputJson(await ended(place, id), 'Write the audit line');
		const seen = lines([line], 'record', 'decision', 'who', 'reason');
		assert.equal(seen, 'app-4 Approve Robin Reviewer Known for years');
		assert.match(String(line.when), /^20\d\d-\d\d-\d\dT/);
		return `an audit line: ${seen}`;
	},

	'portfolio-recheck.json': async (place) => {
		const execution = await played(place, 'portfolio-recheck.json');
		const [{ text }] = outputJson(execution, 'Report the changes');
		assert.match(
			String(text),
			/^Opal Nails: COMPLETED, score 33 \(provider scale\)\..* Before: COMPLETED, score 71 \(provider scale\)\. 1 business found: Opal Nails\.$/,
		);
		assert.equal(outputJson(execution, 'Write to the portfolio').length, 2);
		return `2 of 4 were due; one change: ${text}`;
	},
};
