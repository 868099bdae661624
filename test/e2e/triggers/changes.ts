import assert from 'node:assert/strict';
import type { Checks, Sandbox, World } from '../suite';
import { keyData } from '../verification';
import { NAME, Watched } from './watched';

const minute = 60_000;
const hour = 60 * minute;

/** What users change in the real n8n: each completion is reported once. */
export function changeChecks(world: World): Checks {
	const { api, n8n } = world;
	let service: Sandbox;
	let running: string[];

	/** A new service with 20 inquiries in flight, watched. */
	const watch = async () => {
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
		});
		const watched = await Watched.start(world);
		await watched.polls(1);
		return watched;
	};
	const finish = (numbers: number[]) => numbers.forEach((number) => service.inquiries.finish(running[number - 1]));
	const ended = (numbers: number[]) =>
		numbers.map((number): [string, string, string] => [`run-${number}`, 'completed', 'RUNNING']);
	const rename = async ({ workflowId }: Watched) => {
		const { nodes, connections } = await api.workflow(workflowId);
		const [trigger, next] = nodes;
		const name = `${NAME} 2`;
		await api.updateWorkflow(workflowId, {
			nodes: [{ ...trigger, name }, next],
			connections: { [name]: connections[trigger.name] },
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

		'renamed before a restart of n8n': async () => {
			const watched = await watch();
			finish([1]);
			await watched.reports(ended([1]));
			await rename(watched);
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
	};
}
