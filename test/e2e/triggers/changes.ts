import assert from 'node:assert/strict';
import type { Checks, Sandbox, World } from '../suite';
import { keyData } from '../verification';
import { NAME, Watched } from './watched';

const minute = 60_000;
const hour = 60 * minute;

/** What users change, and what the document leaves open, in the real n8n: each end once. */
export function changeChecks(world: World): Checks {
	const { api, n8n } = world;
	let service: Sandbox;
	let running: string[];

	/** A new service with 20 inquiries in flight, watched. */
	const watch = async (parameters: Record<string, unknown> = {}) => {
		service = await world.sandbox();
		service.reset();
		service.switches.lifecycle = 'manual';
		const now = service.clock.now();
		service.inquiries.seed(600, { createdFrom: now - 48 * hour, createdTo: now - hour });
		running = service.inquiries.seed(20, {
			status: 'RUNNING',
			createdFrom: now - 20 * minute,
			createdTo: now - 5 * minute,
			externalIdPrefix: 'run-',
			tags: ['crm'],
		});
		const watched = await Watched.start(world, parameters);
		await watched.polls(1);
		return watched;
	};
	const finish = (numbers: number[]) => numbers.forEach((number) => service.inquiries.finish(running[number - 1]));
	const ended = (numbers: number[]) =>
		numbers.map((number): [string, string, string] => [`run-${number}`, 'completed', 'RUNNING']);
	const change = async ({ workflowId }: Watched, edit: (trigger: Record<string, any>) => object) => {
		const { nodes, connections } = await api.workflow(workflowId);
		const [trigger, next] = nodes;
		const edited = { ...trigger, ...edit(trigger) };
		await api.updateWorkflow(workflowId, {
			nodes: [edited, next],
			connections: { [edited.name]: connections[trigger.name] },
		});
	};

	return {
		'the key is renewed while 20 are in flight': async () => {
			const watched = await watch();
			const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
			service.organization.apiKey = 'bvk_renewed';
			finish(numbers);
			await api.updateCredential(watched.credential, keyData(service));
			await watched.stop();
			await watched.resume();
			await watched.reports(ended(numbers));
			finish([20]);
			await watched.reports(ended([20]));
			await watched.stop();
		},

		// Hours of quiet are in test/watch: here n8n's clock cannot be moved along with the service's.
		'a filter is changed after a quiet time and a restart': async () => {
			const watched = await watch({ filters: { tags: 'crm' } });
			finish([1]);
			await watched.reports(ended([1]));
			const now = service.clock.now();
			const others = { status: 'RUNNING' as const, createdFrom: now - 20 * minute, createdTo: now - 5 * minute };
			for (const id of service.inquiries.seed(40, others)) service.inquiries.finish(id);
			await watched.polls(3);
			await n8n.restart();
			await watched.polls(1);
			await change(watched, ({ parameters }) => ({ parameters: { ...parameters, filters: {} } }));
			finish([2]);
			await watched.resume();
			await watched.reports(ended([2]));
			finish([3]);
			await watched.reports(ended([3]));
			await watched.stop();
		},

		'stopped, renamed and published again': async () => {
			const watched = await watch();
			finish([1]);
			await watched.reports(ended([1]));
			await watched.stop();
			finish([2, 3]);
			await change(watched, () => ({ name: `${NAME} 2` }));
			await watched.resume();
			await watched.reports(ended([2, 3]));
			await watched.stop();
		},

		'renamed before a restart of n8n': async () => {
			const watched = await watch();
			finish([1]);
			await watched.reports(ended([1]));
			await change(watched, () => ({ name: `${NAME} 2` }));
			await n8n.stop();
			finish([2]);
			await n8n.launch();
			await watched.resume();
			finish([3]);
			await api.until('both', async () => (await watched.events()).length >= 3);
			await watched.polls(2);
			const names = (await watched.events()).map(({ externalId }) => externalId);
			assert.deepEqual(names.sort(), ['run-1', 'run-2', 'run-3']);
			await watched.stop();
		},

		'completedAt comes seconds after the status': async () => {
			const watched = await watch();
			service.switches.completedAtDelayMs = 7_000;
			finish([1, 2]);
			await watched.reports(ended([1, 2]));
			await watched.polls(4);
			await watched.reports([], 0);
			await watched.stop();
		},

		'failed, retried, failed, retried, completed within two minutes': async () => {
			const watched = await watch();
			const begun = Date.now();
			const [id] = running;
			const retryFailed = async () => {
				const { status } = await fetch(`${service.url}/v1/inquiries/${id}/retry-failed`, {
					method: 'POST',
					headers: { authorization: `Bearer ${service.organization.apiKey}` },
				});
				assert.equal(status, 200);
			};
			service.inquiries.finish(id, 'FAILED');
			await watched.reports([['run-1', 'failed', 'RUNNING']]);
			await retryFailed();
			// No poll sees this run.
			service.inquiries.finish(id, 'FAILED');
			await watched.reports([['run-1', 'failed', 'FAILED']]);
			await retryFailed();
			await watched.polls(1);
			finish([1]);
			await watched.reports(ended([1]));
			assert.ok(Date.now() - begun < 2 * minute);
			await watched.stop();
		},

		'the last 24 hours hold 5,000 ends': async () => {
			service = await world.sandbox();
			service.reset();
			service.switches.lifecycle = 'manual';
			const now = service.clock.now();
			service.inquiries.seed(1_000, { createdFrom: now - 60 * hour, createdTo: now - 25 * hour });
			const recent = service.inquiries.seed(5_000, { createdFrom: now - 23 * hour, createdTo: now - minute });
			const watched = await Watched.start(world, { startingPoint: 'lookBack', lookBackHours: 24 });
			const { events } = await watched.news(5_000);
			await watched.polls(3);
			const ids = (await watched.events()).map(({ id }) => String(id));
			const told = new Set<string>();
			const again = events.filter(({ id }) => told.has(String(id)) || !told.add(String(id)));
			assert.deepEqual(again, []);
			assert.equal(events.length, 5_000);
			assert.deepEqual(ids.sort(), recent.sort());
			await watched.stop();
		},
	};
}
