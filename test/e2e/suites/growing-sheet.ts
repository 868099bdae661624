import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sandbox, Suite } from '../suite';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, itemsNode, manualTrigger, node } from '../workflow';

type Row = { name: string; city: string; id: string };

const rows = (from: number, to: number): Row[] =>
	Array.from({ length: to - from + 1 }, (_, index) => ({
		name: `Business ${from + index}`,
		city: 'Springfield',
		id: `lead-${from + index}`,
	}));

const csv = (sheet: Row[]) =>
	['Business Name,City,State,External ID', ...sheet.map(({ name, city, id }) => `${name},${city},IL,${id}`)].join('\n');

/** How often the service was sent each row, by what the row says. */
function sendings(service: Sandbox): Map<string, number> {
	const times = new Map<string, number>();
	for (const { method, path, body } of service.requests) {
		if (method !== 'POST' || path !== '/v1/batch-inquiries/') continue;
		for (const { businessCity, externalId } of (body as { inquiries: Array<Record<string, string>> }).inquiries) {
			const row = `${externalId} ${businessCity}`;
			times.set(row, (times.get(row) ?? 0) + 1);
		}
	}
	return times;
}

const once = (sheet: Row[]) => sheet.map(({ id, city }): [string, number] => [`${id} ${city}`, 1]);

/** A CSV file that grows and is corrected, read every hour by a workflow that keeps in step with it. */
const growingSheet: Suite = {
	checks({ api, n8n, sandbox }) {
		let sheet = rows(1, 40);
		let workflow = '';
		const seen = new Map(once(sheet));
		const path = join(n8n.folder, '.n8n-files', 'growing.csv');
		const save = (changed: Row[]) => {
			sheet = changed;
			for (const [row, times] of once(sheet)) seen.set(row, times);
			writeFileSync(path, csv(sheet));
		};
		const run = async () => {
			const execution = await api.ended(await api.startRun(workflow, 'Every hour'), 120_000);
			assert.equal(execution.error?.message, undefined);
			assert.equal(execution.status, 'success');
			assert.deepEqual(inOrder(sendings(await sandbox())), inOrder(seen));
		};
		const inOrder = (times: Map<string, number>) => [...times].sort(([a], [b]) => (a < b ? -1 : 1));

		const triedAgain = async (importMode: string) => {
			const service = await sandbox();
			service.reset();
			const credential = await createKeyCredential(api, service);
			const leads = rows(1, 10);
			const value = {
				businessName: '={{ $json.name }}',
				businessCity: '={{ $json.city }}',
				businessState: 'IL',
				externalId: '={{ $json.id }}',
				businessDba: '={{ "at " + $now.toMillis() + " " + Math.random() }}',
			};
			const parameters = {
				resource: 'batch',
				operation: 'submit',
				name: `Changing ${importMode}`,
				importMode,
				columnsFrom: 'mapping',
				columns: { mappingMode: 'defineBelow', value },
				options: { lookupGrace: 1, chunkSize: 4, concurrency: 1 },
			};
			// The second batch of the first try is refused.
			service.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', skip: 1, status: 422 });
			const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
			const node = verificationNode(credential, parameters, { name: 'Import', ...again });
			const made = await api.createWorkflow(chain('Changing cells', [manualTrigger(), itemsNode(leads), node]));
			const execution = await api.run(made.id);
			assert.equal(execution.error?.message, undefined);
			assert.deepEqual(
				service.ledger.map(({ count }) => count),
				[4, 4, 2],
			);
			assert.deepEqual(service.ledger.flatMap(({ keys = [] }) => keys).sort(), leads.map(({ id }) => id).sort());
		};

		return {
			'tried again by n8n with another cell, each row is sent once: Keep in Step': () => triedAgain('keepInStep'),

			'tried again by n8n with another cell, each row is sent once: Import Once': () => triedAgain('once'),

			'the first hour sends the sheet': async () => {
				const service = await sandbox();
				service.reset();
				mkdirSync(dirname(path), { recursive: true });
				save(sheet);
				const credential = await createKeyCredential(api, service);
				const parameters = {
					resource: 'batch',
					operation: 'submit',
					name: 'Leads',
					importMode: 'keepInStep',
					options: { lookupGrace: 2, concurrency: 1 },
				};
				const nodes = [
					node(
						'Every hour',
						'n8n-nodes-base.scheduleTrigger',
						{ rule: { interval: [{ field: 'hours' }] } },
						{ typeVersion: 1.2 },
					),
					node('The file', 'n8n-nodes-base.readWriteFile', { operation: 'read', fileSelector: path, options: {} }),
					node('Its rows', 'n8n-nodes-base.extractFromFile', { operation: 'csv', options: {} }),
					verificationNode(credential, parameters, { name: 'Import' }),
				];
				workflow = (await api.createWorkflow(chain('Every hour', nodes))).id;
				await run();
			},

			'an hour without a change sends nothing': run,

			'rows added below are sent': async () => {
				save([...sheet, ...rows(41, 60)]);
				await run();
			},

			'corrected rows are sent, and nothing else': async () => {
				save(sheet.map((row, index) => (index === 4 || index === 30 ? { ...row, city: 'Salem' } : row)));
				await run();
			},

			'rows inserted on top are sent, and nothing else': async () => {
				save([...rows(61, 65), ...sheet]);
				await run();
			},

			'rows removed, and the others sorted, send nothing': async () => {
				save([...sheet.slice(0, 10), ...sheet.slice(14)].reverse());
				await run();
			},

			'killed while it sends, the next hour sends what is missing': async () => {
				const service = await sandbox();
				service.switches.latencyMs = 300;
				save([...rows(101, 250), ...sheet]);
				const before = service.ledger.count('batch');
				const killed = await api.startRun(workflow, 'Every hour');
				await api.until('some batches to be sent', 60_000, async () => service.ledger.count('batch') >= before + 2);
				await n8n.kill();
				const sent = service.ledger.count('batch') - before;
				await n8n.launch();
				service.switches.latencyMs = 0;
				// As long as n8n looks through what its death left behind, it takes a new execution for one of those.
				await api.ended(killed);
				await run();
				console.log(
					`    ${sent} batches were processed when n8n was gone, ${service.ledger.count('batch') - before} in the end`,
				);
			},
		};
	},
};

export default growingSheet;
