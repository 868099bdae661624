import assert from 'node:assert/strict';
import { outputJson } from '../client';
import type { Checks, Sandbox, World } from '../suite';
import { killAtHandOver } from './killed';
import { NAME, Watched } from './watched';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What must hold in the real n8n, whichever of its two schedulers polls. */
export function triggerChecks(world: World, { durable }: { durable: boolean }): Checks {
	const { api, n8n } = world;
	let service: Sandbox;
	let running: string[];
	let watched: Watched;
	const finish = (...numbers: number[]) => numbers.forEach((number) => service.inquiries.finish(running[number - 1]));

	return {
		'activated "from now", it reports nothing old': async () => {
			service = await world.sandbox();
			service.reset();
			service.switches.lifecycle = 'manual';
			// A poll may fall between an end and its businesses.
			service.switches.clusteringMs = 0;
			const now = service.clock.now();
			service.inquiries.seed(1_200, { createdFrom: now - 30 * day, createdTo: now - 2 * hour });
			running = service.inquiries.seed(20, {
				status: 'RUNNING',
				createdFrom: now - 20 * minute,
				createdTo: now - 5 * minute,
				externalIdPrefix: 'run-',
			});
			watched = await Watched.start(world);
			await watched.polls(2);
			assert.deepEqual(await watched.events(), []);
		},

		'a completion starts one execution, with the right items': async () => {
			service.inquiries.finish(running[0]);
			service.inquiries.finish(running[1], 'FAILED');
			const events = await watched.reports([
				['run-1', 'completed', 'RUNNING'],
				['run-2', 'failed', 'RUNNING'],
			]);
			const first = service.inquiries.get(running[0]);
			const [createdAt, completedAt] = [first.createdAt, first.completedAt!].map((at) => new Date(at).toISOString());
			const { detectedAt, ...rest } = events.find(({ id }) => id === running[0])!;
			assert.ok(Date.parse(detectedAt) >= first.completedAt!);
			assert.deepEqual(rest, {
				id: running[0],
				status: 'COMPLETED',
				externalId: 'run-1',
				scorecardScore: 80,
				createdAt,
				completedAt,
				summary: 'External ID run-1: COMPLETED, score 80 (provider scale). 1 business found: Seeded Business 1.',
				isFinal: true,
				event: 'completed',
				previousStatus: 'RUNNING',
				deduplicationKey: `${running[0]}:COMPLETED:${completedAt.slice(0, 19)}Z`,
			});
		},

		'n8n stopped and started again: what ended meanwhile is reported once': async () => {
			await n8n.stop();
			finish(3);
			const now = service.clock.now();
			service.inquiries.seed(1, { createdFrom: now, createdTo: now, externalIdPrefix: 'born-' });
			await n8n.launch();
			await watched.reports([
				['run-3', 'completed', 'RUNNING'],
				['born-1', 'completed', null],
			]);
		},

		'n8n killed between two polls: the same; with the look-back the last hour comes again, with its keys': async () => {
			const looking = await Watched.start(world, { options: { recheckHours: 1 } });
			// What finishes in the second of its activation is not surely of after it, so nothing repeats it.
			await watched.polls(1, 2);
			finish(4);
			await watched.reports([['run-4', 'completed', 'RUNNING']], 1, 2);
			const [reported] = await looking.reports([['run-4', 'completed', 'RUNNING']], 1, 2);
			await n8n.kill();
			finish(5);
			await n8n.launch();
			await watched.reports([['run-5', 'completed', 'RUNNING']], 1, 2);
			const { events } = await looking.news(2, 2);
			await looking.stop();
			const keys = events.map(({ deduplicationKey }) => deduplicationKey);
			assert.equal(new Set(keys).size, keys.length);
			const again = events.filter(({ deduplicationKey }) => deduplicationKey === reported.deduplicationKey);
			assert.deepEqual([again.length, events.filter(({ externalId }) => externalId === 'run-5').length], [1, 1]);
		},

		...(durable && {
			'n8n killed while it starts a workflow: neither lost nor repeated': async () => {
				for (const number of [19, 20]) {
					await killAtHandOver(world, () => finish(number));
					await watched.reports([[`run-${number}`, 'completed', 'RUNNING']]);
				}
			},
		}),

		'published again, nothing is repeated, and what ended meanwhile is reported once': async () => {
			await watched.stop();
			finish(6);
			await watched.resume();
			await watched.reports([['run-6', 'completed', 'RUNNING']]);
		},

		'an edit of another node and a new name of the trigger repeat nothing': async () => {
			const { nodes, connections } = await api.workflow(watched.workflowId);
			const [trigger, next] = nodes;
			await api.updateWorkflow(watched.workflowId, { nodes: [trigger, { ...next, notes: 'edited' }], connections });
			await watched.resume();
			finish(7);
			await watched.reports([['run-7', 'completed', 'RUNNING']]);

			const renamed = { nodes: [{ ...trigger, name: 'Renamed' }, next], connections: { Renamed: connections[NAME] } };
			await api.updateWorkflow(watched.workflowId, renamed);
			await watched.resume();
			finish(8);
			await watched.reports([['run-8', 'completed', 'RUNNING']]);
			await api.updateWorkflow(watched.workflowId, { nodes: [trigger, next], connections });
			await watched.resume();
			await watched.reports([], 0);
		},

		'a test in the editor shows a real sample and changes nothing': async () => {
			const before = await api.staticData(watched.workflowId);
			const execution = await api.run(watched.workflowId);
			assert.equal(execution.error?.message, undefined);
			const [sample, ...more] = outputJson(execution, NAME);
			assert.deepEqual(
				[service.inquiries.get(String(sample.id)).status, sample.event, more.length],
				['COMPLETED', 'completed', 0],
			);
			assert.deepEqual(await api.staticData(watched.workflowId), before);
			finish(9);
			await watched.reports([['run-9', 'completed', 'RUNNING']]);
		},

		'polls that take longer than the interval neither lose nor repeat': async () => {
			service.switches.latencyMs = 900;
			finish(10);
			await watched.polls(1);
			finish(11);
			const { events } = await watched.news(2);
			service.switches.latencyMs = 0;
			assert.deepEqual(events.map(({ externalId }) => externalId).sort(), ['run-10', 'run-11']);
		},

		'a refused key shows as a failed execution, and with the key restored nothing is missing': async () => {
			service.faults.add({ path: '/v1/inquiries', status: 401, times: null });
			finish(12);
			const failed = async () => (await watched.handed()).find(({ status }) => status === 'error');
			await api.until('a failed execution', async () => (await failed()) !== undefined);
			const { error } = await api.execution((await failed())!.id);
			assert.match(error!.message, /401/);
			service.faults.clear();
			// The durable scheduler waits half an hour after a refused key; publishing again ends that.
			if (durable) await watched.stop().then(watched.resume);
			await watched.reports([['run-12', 'completed', 'RUNNING']]);
			await watched.stop();
		},
	};
}
