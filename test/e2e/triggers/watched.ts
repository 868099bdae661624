import assert from 'node:assert/strict';
import type { Client, Credential } from '../client';
import type { Sandbox, World } from '../suite';
import { createKeyCredential, PACKAGE } from '../verification';
import { chain, everyTwoSeconds, node } from '../workflow';

export type Event = Record<string, any>;

interface Handed {
	id: string;
	status: string;
	mode: string;
	events: Event[];
}

export const NAME = 'Status Trigger';

/** An active workflow that our polling trigger starts, and everything that was handed to its executions. */
export class Watched {
	private readonly read = new Map<string, Handed>();
	private readonly known = new Set<string>();

	private constructor(
		private readonly api: Client,
		private readonly sandbox: Sandbox,
		readonly workflowId: string,
		readonly credential: Credential,
	) {}

	static async start(
		{ api, sandbox }: World,
		parameters: Record<string, unknown> = {},
		pollTimes: object = everyTwoSeconds,
	) {
		const service = await sandbox();
		const credential = await createKeyCredential(api, service);
		const trigger = node(
			NAME,
			`${PACKAGE}.businessVerificationTrigger`,
			{ authentication: 'apiKey', pollTimes, ...parameters },
			{ credentials: { [credential.type]: { id: credential.id, name: credential.name } } },
		);
		const { id } = await api.createWorkflow(chain('Watches', [trigger, node('Next', 'n8n-nodes-base.noOp')]));
		await api.activate(id);
		return new Watched(api, service, id, credential);
	}

	stop = () => this.api.deactivate(this.workflowId);

	resume = () => this.api.activate(this.workflowId);

	/** Executions that the trigger started or failed in, oldest first. */
	async handed(): Promise<Handed[]> {
		for (const { id, status } of await this.api.executions(this.workflowId)) {
			if (this.read.has(id) || !['success', 'error', 'crashed'].includes(status)) continue;
			this.read.set(id, await handedTo(this.api, id));
		}
		return [...this.read.values()].filter(({ mode }) => mode === 'trigger').sort((a, b) => Number(a.id) - Number(b.id));
	}

	async events(): Promise<Event[]> {
		return (await this.handed()).flatMap(({ events }) => events);
	}

	/** What was handed over since this was last asked, once there is that much and a whole poll more added nothing. */
	async news(count: number, watchers = 1): Promise<{ executions: number; events: Event[] }> {
		const fresh = async () =>
			(await this.handed()).filter(({ id, events }) => events.length > 0 && !this.known.has(id));
		const total = async () => (await fresh()).flatMap(({ events }) => events).length;
		await this.api.until(`${count} events`, async () => (await total()) >= count);
		await this.polls(1, watchers);
		const news = await fresh();
		for (const { id } of news) this.known.add(id);
		return { executions: news.length, events: news.flatMap(({ events }) => events) };
	}

	/** All that was reported since this was last asked, by external ID, and by how many executions. */
	async reports(
		expected: Array<[externalId: string, event: string, previousStatus: string | null]>,
		executions = 1,
		watchers = 1,
	) {
		const news = await this.news(expected.length, watchers);
		const seen = news.events.map(({ externalId, event, previousStatus = null }) => [externalId, event, previousStatus]);
		assert.deepEqual(
			{ executions: news.executions, events: seen.sort() },
			{ executions, events: [...expected].sort() },
		);
		return news.events;
	}

	/** Lets so many polls begin and end. */
	async polls(count: number, watchers = 1) {
		const begun = this.sandbox.requests.total;
		const isFirst = ({ query }: { query: Record<string, unknown> }) => String(query.status ?? '').includes('RUNNING');
		const since = () => this.sandbox.requests.slice(-Math.max(1, this.sandbox.requests.total - begun));
		await this.api.until(`${count} polls`, async () => since().filter(isFirst).length > count * watchers);
	}
}

/** Also of an execution that was killed: n8n puts an item of its own for what it lost of the output, but keeps the start. */
async function handedTo(api: Client, executionId: string): Promise<Handed> {
	const { id, status, mode, data } = await api.savedExecution(executionId);
	const { resultData, executionData } = data;
	// The first execution of a rename has the node under its new name, so it is taken by its place.
	const output = Object.values<any>(resultData?.runData ?? {})[0]?.[0]?.data?.main?.[0];
	const start = executionData?.nodeExecutionStack?.[0]?.data?.main?.[0];
	const events = [output, start].map((items: Array<{ json: Event }> = []) =>
		items.map(({ json }) => json).filter(({ event }) => event !== undefined),
	);
	return { id, status, mode, events: events.find(({ length }) => length > 0) ?? [] };
}
