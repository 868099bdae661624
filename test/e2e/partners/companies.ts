import assert from 'node:assert/strict';
import type { Checks } from '../suite';
import type { WorkflowNode } from '../workflow';
import { type Place, succeeded } from './place';
import type { Call } from './internet';

const isUpdate = ({ host, method }: Call) => host === 'api.hubapi.com' && method === 'PUT';
const down = { status: 503, body: { message: 'down' } };

/** Companies of HubSpot that have no result yet, read and written by n8n's own node. */
export function companyChecks(placed: () => Place): Checks {
	let workflowId = '';
	let lastId = Date.now() % 1_000_000_000;

	/** Companies that were never there before: n8n remembers what it submitted under which ID. */
	const made = (...companies: Array<Record<string, string>>): number[] => {
		const { sandbox, partners } = placed();
		sandbox.reset();
		Object.assign(sandbox.switches, { lifecycle: 'clock', planningMs: 20, runningMs: 40, enrichingMs: 20 });
		partners.internet.repair();
		partners.hubspot.companies.clear();
		return companies.map((company) => {
			partners.hubspot.companies.set(++lastId, { ...company });
			return lastId;
		});
	};
	const load = async (edit?: (node: WorkflowNode) => WorkflowNode) =>
		(await placed().load('crm-verification-hubspot.json', edit)).id;
	const run = async (id = workflowId) => await placed().world.api.run(id, 'Every five minutes');
	const good = (name: string) => ({ name, city: 'Salem', state: 'OR', domain: `${name.toLowerCase()}.example` });
	const statusOf = (id: number) => placed().partners.hubspot.companies.get(id)?.verification_status;
	const submitted = () =>
		placed()
			.sandbox.ledger.map(({ key }) => Number(String(key).replace(/^hubspot-/, '')))
			.sort();

	return {
		'HubSpot: an incomplete company waits, a wrong one does not stop the others, and the execution names it':
			async () => {
				workflowId = await load();
				const [acme, bolt, cedar, old, dale] = made(
					good('Acme'),
					{ ...good('Bolt'), city: '[object Object]' },
					good('Cedar'),
					{ ...good('Old'), verification_status: 'FAILED' },
					{ name: 'Dale', state: 'OR' },
				);
				const { status, error } = await run();
				assert.equal(status, 'error');
				assert.match(String(error?.message), /^Bolt: 'City' contains an object/);
				assert.deepEqual([acme, cedar, old].map(statusOf), ['COMPLETED', 'COMPLETED', 'FAILED']);
				assert.deepEqual([bolt, dale].map(statusOf), [undefined, undefined]);
				assert.deepEqual(submitted(), [acme, cedar]);
			},

		'HubSpot: while it stays down the execution fails, and the next one writes without a second bill': async () => {
			const ids = made(good('Acme'), good('Bolt'));
			const { internet } = placed().partners;
			internet.break({ matches: isUpdate, times: Infinity, ...down });
			assert.equal((await run()).status, 'error');
			assert.deepEqual(ids.map(statusOf), [undefined, undefined]);
			internet.repair();
			succeeded(await run());
			assert.deepEqual(ids.map(statusOf), ['COMPLETED', 'COMPLETED']);
			assert.deepEqual(submitted(), ids);
			const calls = internet.calls.length;
			succeeded(await run());
			assert.equal(internet.calls.length, calls + 1);
		},
	};
}
