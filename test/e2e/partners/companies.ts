import assert from 'node:assert/strict';
import type { Checks } from '../suite';
import { type Place, succeeded } from './place';
import type { Call } from './shapes';

const isUpdate = ({ host, method }: Call) => host === 'api.hubapi.com' && method === 'PUT';
const isRead = ({ host, method, path }: Call) =>
	host === 'api.hubapi.com' && method === 'GET' && path.startsWith('/companies/');

const tooMany = {
	status: 429,
	body: { status: 'error', message: 'You have reached your ten_secondly_rolling limit.' },
};
const down = { status: 503, body: { message: 'down' } };

/** New companies of HubSpot, told by its own trigger and written by n8n's own node. */
export function companyChecks(placed: () => Place): Checks {
	let workflowId = '';
	let runs = 0;
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
	const good = (name: string) => ({ name, city: 'Salem', state: 'OR', domain: `${name.toLowerCase()}.example` });
	const told = async (...deliveries: number[][]) => {
		const { partners } = placed();
		for (const ids of deliveries) assert.equal(await partners.hubspot.deliver(ids), 200);
		runs += deliveries.length;
		return (await placed().finished(workflowId, runs, 120_000)).slice(0, deliveries.length);
	};
	const statusOf = (id: number) => placed().partners.hubspot.companies.get(id)?.verification_status;
	const problemOf = (id: number) => placed().partners.hubspot.companies.get(id)?.verification_problem;
	const submitted = () =>
		placed()
			.sandbox.ledger.map(({ key }) => Number(key))
			.sort();

	return {
		'HubSpot: published, it subscribes': async () => {
			const { world, partners } = placed();
			({ id: workflowId } = await placed().load('crm-verification-hubspot.json'));
			runs = 0;
			await world.api.activate(workflowId);
			assert.match(String(partners.hubspot.target), /\/webhook\//);
		},

		'HubSpot: in one delivery, an incomplete, a nameless and a deleted company do not stop the others': async () => {
			const [acme, bolt, nameless, deleted, cedar] = made(
				good('Acme'),
				{ name: 'Bolt', state: 'OR' },
				{ city: 'Salem', state: 'OR', domain: 'nameless.example' },
				good('Deleted'),
				good('Cedar'),
			);
			placed().partners.hubspot.companies.delete(deleted);
			const [execution] = await told([acme, bolt, nameless, deleted, cedar]);
			assert.deepEqual([acme, bolt, nameless, cedar].map(statusOf), ['COMPLETED', 'ERROR', 'ERROR', 'COMPLETED']);
			assert.match(String(problemOf(bolt)), /'City' is required/);
			assert.match(String(problemOf(nameless)), /'Business Name'/);
			assert.equal(problemOf(acme), '');
			assert.deepEqual(submitted(), [acme, cedar]);
			// The deleted one has no record to write to, so the run tells of it.
			assert.match(String(execution.error?.message), new RegExp(`company ${deleted}: .*could not be found`));
		},

		'HubSpot: it asks for patience at the second read and at the second write, and everything is written': async () => {
			const ids = made(good('Acme'), good('Bolt'), good('Cedar'));
			const { internet } = placed().partners;
			let [reads, writes] = [0, 0];
			internet.break({ matches: (call) => isRead(call) && [2, 3].includes(++reads), times: 2, ...tooMany });
			internet.break({ matches: (call) => isUpdate(call) && ++writes === 2, ...tooMany });
			const [execution] = await told(ids);
			succeeded(execution);
			assert.deepEqual(ids.map(statusOf), ['COMPLETED', 'COMPLETED', 'COMPLETED']);
			assert.deepEqual(ids.map(problemOf), ['', '', '']);
			assert.deepEqual(submitted(), ids);
		},

		'HubSpot: an answer is lost after the record was written': async () => {
			const ids = made(good('Acme'), good('Bolt'));
			placed().partners.internet.break({ matches: isUpdate, loseAnswer: true });
			const [execution] = await told(ids);
			succeeded(execution);
			assert.deepEqual(ids.map(statusOf), ['COMPLETED', 'COMPLETED']);
		},

		'HubSpot: while it stays down the run is seen to fail, and the same event later bills nothing': async () => {
			const [id] = made(good('Acme'));
			const { internet } = placed().partners;
			internet.break({ matches: isUpdate, times: Infinity, ...down });
			const [failed] = await told([id]);
			assert.match(String(failed.error?.message), new RegExp(`HubSpot did not take the result of company ${id}`));
			assert.equal(statusOf(id), undefined);
			internet.repair();
			const [again] = await told([id]);
			succeeded(again);
			assert.equal(statusOf(id), 'COMPLETED');
			assert.deepEqual(submitted(), [id]);
		},

		'HubSpot: the same event twice is one verification, and a forged one is none': async () => {
			const [id] = made(good('Acme'));
			for (const execution of await told([id], [id])) succeeded(execution);
			await placed().partners.hubspot.deliver([id], 'another secret');
			// What comes after it has run, so the forged one would have.
			for (const execution of await told([id])) succeeded(execution);
			assert.deepEqual(submitted(), [id]);
			assert.equal((await placed().world.api.executions(workflowId)).length, runs);
		},

		'HubSpot: 200 companies at once, with refusals in between, are verified and written once each': async () => {
			const { world, partners } = placed();
			const ids = made(...Array.from({ length: 200 }, (_, index) => good(`Business${index}`)));
			let calls = 0;
			const isTurn = (call: Call) => (isRead(call) || isUpdate(call)) && ++calls % 25 === 0;
			partners.internet.break({ matches: isTurn, times: 20, ...tooMany });
			const started = Date.now();
			for (const execution of await told(ids.slice(0, 100), ids.slice(100))) succeeded(execution);
			console.log(`    200 companies in ${((Date.now() - started) / 1000).toFixed(1)} s`);
			assert.deepEqual([...new Set(ids.map(statusOf))], ['COMPLETED']);
			assert.deepEqual(submitted(), ids);
			await world.api.deactivate(workflowId);
			await world.api.until('HubSpot is left', 30_000, async () => partners.hubspot.target === undefined);
		},

		'HubSpot without a developer account: each run catches up on what has no result, and only on that': async () => {
			const { world, partners } = placed();
			const { id } = await placed().load('crm-verification-hubspot-schedule.json');
			const ids = made(
				good('Acme'),
				{ name: 'Bolt', state: 'OR' },
				{ ...good('Cedar'), verification_status: 'COMPLETED' },
			);
			partners.internet.break({ matches: isUpdate, times: Infinity, ...down });
			const run = async () => world.api.run(id, 'Every five minutes');
			assert.match(String((await run()).error?.message), /HubSpot did not take the result of company/);
			partners.internet.repair();
			succeeded(await run());
			assert.deepEqual(ids.map(statusOf), ['COMPLETED', 'ERROR', 'COMPLETED']);
			assert.match(String(problemOf(ids[1])), /'City' is required/);
			assert.deepEqual(submitted(), [ids[0]]);
			const calls = partners.internet.calls.length;
			succeeded(await run());
			assert.equal(partners.internet.calls.length, calls + 1);
		},
	};
}
