import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import axios from 'axios';
import { outputJson } from '../client';
import type { Sandbox, Suite } from '../suite';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, itemsNode, manualTrigger, node } from '../workflow';

type Row = Record<string, string>;

const rows = (from: number, to: number): Row[] =>
	Array.from({ length: to - from + 1 }, (_, index) => ({
		'Business Name': `Business ${from + index}`,
		City: 'Springfield',
		State: 'IL',
		'External ID': `lead-${from + index}`,
	}));

const withoutIds = (sheet: Row[]) => sheet.map(({ 'External ID': _, ...row }) => row);

const csv = (sheet: Row[]) =>
	[Object.keys(sheet[0]), ...sheet.map(Object.values)].map((cells) => cells.join(',')).join('\n');

/** How often the service was sent each business. */
function sendings({ requests }: Sandbox): Map<string, number> {
	const times = new Map<string, number>();
	for (const { method, path, body } of requests) {
		if (method !== 'POST' || path !== '/v1/batch-inquiries/') continue;
		for (const { businessName, businessCity } of (body as { inquiries: Row[] }).inquiries) {
			const business = `${businessName} in ${businessCity}`;
			times.set(business, (times.get(business) ?? 0) + 1);
		}
	}
	return times;
}

const inOrder = (times: Map<string, number>) => [...times].sort(([a], [b]) => (a < b ? -1 : 1));

const hourly = () =>
	node(
		'Every hour',
		'n8n-nodes-base.scheduleTrigger',
		{ rule: { interval: [{ field: 'hours' }] } },
		{ typeVersion: 1.2 },
	);

/** How people feed an import: the whole sheet each time, one row a run, rounds of a loop, rows without IDs. */
const growingSheet: Suite = {
	checks({ api, n8n, sandbox }) {
		let sheet = rows(1, 40);
		let workflow = '';
		let seen = new Map<string, number>();
		const path = join(n8n.folder, '.n8n-files', 'growing.csv');
		const save = (changed: Row[]) => {
			sheet = changed;
			writeFileSync(path, csv(sheet));
		};
		/** Of these, each is to be sent once in all runs. */
		const isNew = (news: Row[]) => {
			for (const row of news) seen.set(`${row['Business Name']} in ${row.City}`, 1);
		};
		const run = async () => {
			const execution = await api.ended(await api.startRun(workflow, 'Every hour'));
			assert.equal(execution.error?.message, undefined);
			assert.equal(execution.status, 'success');
			assert.deepEqual(inOrder(sendings(await sandbox())), inOrder(seen));
			const returned = outputJson(execution, 'Import');
			assert.deepEqual(
				returned.map((row) => row['Business Name']),
				sheet.map((row) => row['Business Name']),
			);
			return returned;
		};
		const importer = async (name: string, options: Record<string, unknown> = {}) =>
			verificationNode(
				await createKeyCredential(api, await sandbox()),
				{ resource: 'batch', operation: 'submit', name, options: { advanced: { lookUpWait: 1 }, ...options } },
				{ name: 'Import' },
			);
		const begin = async (name: string, first: Row[]) => {
			(await sandbox()).reset();
			seen = new Map();
			mkdirSync(dirname(path), { recursive: true });
			save(first);
			isNew(first);
			const nodes = [
				hourly(),
				node('The file', 'n8n-nodes-base.readWriteFile', { operation: 'read', fileSelector: path, options: {} }),
				node('Its rows', 'n8n-nodes-base.extractFromFile', { operation: 'csv', options: {} }),
				await importer(name, { advanced: { concurrency: 1, lookUpWait: 2 } }),
			];
			workflow = (await api.createWorkflow(chain(name, nodes))).id;
			await run();
		};

		return {
			'the whole sheet each hour: the first hour sends it': () => begin('Leads', sheet),

			'an hour without a change sends nothing': async () => {
				const returned = await run();
				assert.ok(returned.every(({ verificationStatus }) => /^[A-Z_]+$/.test(String(verificationStatus))));
			},

			'rows added below, inserted on top, removed and sorted: new ones are sent, and nothing else': async () => {
				const [below, above] = [rows(41, 60), rows(61, 65)];
				isNew([...below, ...above]);
				save([...above, ...sheet, ...below]);
				await run();
				save([...sheet.slice(0, 10), ...sheet.slice(14)].reverse());
				await run();
			},

			'a row that was corrected after it was sent is not sent again, and a bad one is sent once it is corrected':
				async () => {
					const bad = { ...rows(70, 70)[0], City: '' };
					save([...sheet.map((row, index) => (index === 4 ? { ...row, City: 'Salem' } : row)), bad]);
					const returned = await run();
					assert.deepEqual(
						[returned.at(-1)!.verificationStatus, returned.at(-1)!.verificationProblem],
						['not sent', 'City is required'],
					);
					isNew(rows(70, 70));
					save([...sheet.slice(0, -1), rows(70, 70)[0]]);
					await run();
				},

			'rows without IDs: sorted and corrected, only the corrected ones are sent': async () => {
				await begin('Without IDs', withoutIds(rows(1, 40)));
				const corrected = sheet.map((row, index) => (index === 3 || index === 30 ? { ...row, City: 'Salem' } : row));
				isNew([corrected[3], corrected[30]]);
				save([...corrected].reverse());
				await run();
				await run();
			},

			'one row a run, as a trigger starts it: each is sent once, also if it arrives twice or beside another one':
				async () => {
					const service = await sandbox();
					service.reset();
					const hook = node(
						'Row added',
						'n8n-nodes-base.webhook',
						{ httpMethod: 'POST', path: 'row-added', responseMode: 'lastNode', options: {} },
						{ typeVersion: 2, webhookId: 'row-added' },
					);
					const row = node(
						'Its cells',
						'n8n-nodes-base.code',
						{ jsCode: 'return [{ json: $json.body }];' },
						{ typeVersion: 2 },
					);
					const { id } = await api.createWorkflow(chain('Row added', [hook, row, await importer('Added rows')]));
					await api.activate(id);
					const add = async (added: Row) =>
						(await axios.post<Row>(`${n8n.url}/webhook/row-added`, added, { proxy: false })).data.verificationStatus;
					const news = rows(1, 6);
					const statuses = [];
					for (const each of news.slice(0, 3)) statuses.push(await add(each));
					statuses.push(...(await Promise.all(news.slice(3).map(add))));
					assert.deepEqual([...new Set(statuses)], ['sent']);
					assert.match(String(await add(news[0])), /^[A-Z_]+$/);
					await api.deactivate(id);
					assert.deepEqual(
						inOrder(sendings(service)),
						inOrder(new Map(news.map((each) => [`${each['Business Name']} in Springfield`, 1]))),
					);
				},

			'a loop of 500 rows a round: every row is sent once and returned, and a second run sends nothing': async () => {
				const service = await sandbox();
				service.reset();
				const loop = node(
					'Rounds',
					'n8n-nodes-base.splitInBatches',
					{ batchSize: 500, options: {} },
					{ typeVersion: 3 },
				);
				const importNode = await importer('Rounds');
				const body = chain('Rounds', [manualTrigger(), itemsNode(rows(1, 1_200), 'Sheet'), loop, importNode]);
				const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
				body.nodes.push(node('All rows', 'n8n-nodes-base.noOp'));
				body.connections[loop.name] = { main: [to('All rows'), to(importNode.name)] };
				body.connections[importNode.name] = { main: [to(loop.name)] };
				const { id } = await api.createWorkflow(body);
				for (let times = 0; times < 2; times++) {
					const execution = await api.ended(await api.startRun(id));
					assert.equal(execution.error?.message, undefined);
					assert.equal(outputJson(execution, 'All rows').length, 1_200);
				}
				assert.deepEqual(
					service.ledger.map(({ count }) => count),
					[250, 250, 250, 250, 200],
				);
				assert.deepEqual([...new Set(sendings(service).values())], [1]);
			},
		};
	},
};

export default growingSheet;
