import { Agent } from 'node:http';
import axios, { type AxiosInstance, type AxiosResponse, type Method } from 'axios';
import { parse } from 'flatted';
import type { WorkflowBody } from './workflow';

export const OWNER = { email: 'owner@example.com', firstName: 'Olivia', lastName: 'Owner', password: 'Sandbox-2026' };

export const ENDED = ['success', 'error', 'canceled', 'crashed'];
/** A busy n8n is late; one that takes longer hangs. */
const LATE_MS = 300_000;

export interface Credential {
	id: string;
	name: string;
	type: string;
	data?: Record<string, unknown>;
}

export interface Workflow extends WorkflowBody {
	id: string;
	versionId: string;
	active: boolean;
	isArchived?: boolean;
	staticData: unknown;
}

export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
	pairedItem?: unknown;
	error?: unknown;
}

interface NodeRun {
	data?: { main?: Array<Item[] | null> };
}

export interface Execution {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	error?: { message: string; description?: string; [key: string]: unknown };
	runs: Record<string, NodeRun[]>;
}

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
}

/** A connection for each request: one that is kept may be closed by n8n while the next request is on its way. */
const httpAgent = new Agent({ keepAlive: false });

/** What the editor does, over the editor's own interface. Works the same on every supported version of n8n. */
export class Client {
	private readonly http: AxiosInstance;

	private cookie = '';

	constructor(readonly url: string) {
		this.http = axios.create({ baseURL: url, proxy: false, validateStatus: () => true, timeout: 120_000, httpAgent });
	}

	/** Creates the owner unless there is one, and logs in. */
	static async connect(url: string): Promise<Client> {
		const client = new Client(url);
		const settings = await client.get('/rest/settings');
		if (settings.userManagement?.showSetupOnFirstLoad) await client.post('/rest/owner/setup', OWNER);
		await client.logIn();
		return client;
	}

	async logIn() {
		const { email, password } = OWNER;
		const response = await this.send('POST', '/rest/login', { emailOrLdapLoginId: email, password });
		this.cookie = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
		if (this.cookie === '') throw new Error('n8n accepted the log-in but sent no cookie');
	}

	// Types

	nodeTypes = () => this.types('nodes');

	credentialTypes = () => this.types('credentials');

	/** n8n writes a list piece by piece after each change, and serves what is there: until it is whole, it is text. */
	private async types(list: string): Promise<Array<{ name: string; displayName: string; [key: string]: any }>> {
		let types: any;
		await this.until(`the list of ${list}`, async () => {
			types = await this.get(`/types/${list}.json`);
			return Array.isArray(types);
		});
		return types;
	}

	// Credentials

	async createCredential(name: string, type: string, data: Record<string, unknown>): Promise<Credential> {
		const { id } = await this.post('/rest/credentials', { name, type, data });
		return { id, name, type, data };
	}

	async updateCredential({ id, name, type }: Credential, data: Record<string, unknown>): Promise<Credential> {
		await this.patch(`/rest/credentials/${id}`, { name, type, data });
		return { id, name, type, data };
	}

	async credentials(): Promise<Credential[]> {
		return this.get('/rest/credentials');
	}

	/** What n8n sends to the browser of a person who opens the credential. */
	async shownCredential({ id }: Credential): Promise<Record<string, unknown>> {
		return (await this.get(`/rest/credentials/${id}?includeData=true`)).data;
	}

	/** The test that the credential's form runs after saving. */
	async testCredential(credential: Credential): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return this.post('/rest/credentials/test', { credentials: credential });
	}

	/** Presses 'Connect' and logs in, at an identity provider that asks nothing. */
	async connect({ id }: Credential) {
		const response = await this.send('GET', `/rest/oauth2-credential/auth?id=${id}`);
		const login = await axios.get(response.data.data, { maxRedirects: 0, validateStatus: () => true, proxy: false });
		// Newer versions want the browser back that pressed the button.
		const browser = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]);
		const cookie = [this.cookie, ...browser].join('; ');
		const { status, data } = await this.http.get(String(login.headers.location), { headers: { cookie } });
		if (status !== 200 || !/connected|success/i.test(String(data))) {
			throw new Error(`n8n answered the login with ${status}: ${String(data).slice(0, 500)}`);
		}
	}

	// Workflows

	async createWorkflow(workflow: WorkflowBody): Promise<Workflow> {
		return this.post('/rest/workflows', { active: false, ...workflow });
	}

	async workflow(id: string): Promise<Workflow> {
		return this.get(`/rest/workflows/${id}`);
	}

	async workflows(): Promise<Array<Pick<Workflow, 'id' | 'name' | 'active' | 'isArchived'>>> {
		return this.get('/rest/workflows');
	}

	async updateWorkflow(id: string, change: Partial<WorkflowBody>): Promise<Workflow> {
		const { versionId } = await this.workflow(id);
		return this.patch(`/rest/workflows/${id}`, { versionId, ...change });
	}

	/** What each node remembers between runs; the key is "node:<name>". */
	async staticData(id: string): Promise<Record<string, any>> {
		const { staticData } = await this.workflow(id);
		return (typeof staticData === 'string' ? JSON.parse(staticData) : staticData) ?? {};
	}

	/** Publishes and waits until the triggers run; newer versions answer before that. */
	async activate(id: string) {
		const { versionId } = await this.workflow(id);
		await this.post(`/rest/workflows/${id}/activate`, { versionId });
		await this.until(`workflow ${id} to be published`, async () => {
			const publication = await this.publication(id);
			if (publication === undefined) return true;
			const { status, liveVersionId, triggers = [] } = publication;
			const failed = triggers.find((trigger: { errorMessage?: string }) => trigger.errorMessage);
			if (failed) throw new Error(`n8n could not activate the workflow: ${failed.errorMessage}`);
			return status === 'published' && liveVersionId === versionId;
		});
	}

	/** Unpublishes and waits until no trigger runs; newer versions answer before that. */
	async deactivate(id: string) {
		await this.post(`/rest/workflows/${id}/deactivate`, {});
		await this.until(`workflow ${id} to be unpublished`, async () => {
			const publication = await this.publication(id);
			return publication === undefined || publication.status === 'not_published';
		});
	}

	/** Undefined in versions that publish before they answer. */
	private async publication(id: string) {
		const path = `/rest/workflows/${id}/publication-status`;
		const { status, data } = await this.send('GET', path, undefined, [200, 404]);
		return status === 404 ? undefined : data.data;
	}

	/** Leaves neither workflows nor credentials behind. */
	async empty() {
		for (let left = await this.workflows(); left.length > 0; left = await this.workflows()) {
			for (const { id, active, isArchived } of left) {
				if (active) await this.deactivate(id);
				if (!isArchived) await this.post(`/rest/workflows/${id}/archive`, {});
				await this.until(`workflow ${id} to be deleted`, async () => {
					// A workflow that a suite unpublished just before it ended may still be on its way.
					const { status } = await this.send('DELETE', `/rest/workflows/${id}`, undefined, [200, 409]);
					return status === 200;
				});
			}
		}
		for (const { id } of await this.credentials()) await this.send('DELETE', `/rest/credentials/${id}`);
	}

	// Executions

	/** Starts a manual run from the given trigger (the first node by default) and does not wait. */
	async startRun(id: string, triggerName?: string): Promise<string> {
		const workflowData = await this.workflow(id);
		const name = triggerName ?? workflowData.nodes[0].name;
		const { executionId } = await this.post(`/rest/workflows/${id}/run`, {
			workflowData,
			triggerToStartFrom: { name },
		});
		return executionId;
	}

	async run(id: string, triggerName?: string): Promise<Execution> {
		return this.ended(await this.startRun(id, triggerName));
	}

	async ended(executionId: string): Promise<Execution> {
		let execution: Execution | undefined;
		await this.until(`execution ${executionId} to end`, async () => {
			execution = await this.execution(executionId);
			return ENDED.includes(execution.status);
		});
		return execution!;
	}

	async execution(executionId: string): Promise<Execution> {
		const { data, id, status, mode, workflowId } = await this.savedExecution(executionId);
		const { resultData = {} } = data;
		return { id, status, mode, workflowId, error: resultData.error, runs: resultData.runData ?? {} };
	}

	/** As n8n keeps it: of one that is starting nothing yet, and of the others a text. */
	async savedExecution(executionId: string): Promise<any> {
		const { data, ...saved } = await this.get(`/rest/executions/${executionId}`);
		return { ...saved, data: (typeof data === 'string' ? parse(data) : data) ?? {} };
	}

	/**
	 * All of them, the highest ID first. The editor's list is in the order of the starts but its pages follow the IDs, and
	 * the public one leaves out what the main process believes to run, which in queue mode it may believe for ever. So the
	 * editor's is read by the times of its order. The unfinished come first, in one request: one that falls asleep, wakes
	 * or ends in between is in both.
	 */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		const found = new Map<string, ExecutionSummary>();
		const read = async (filter: object) => {
			const query = new URLSearchParams({ limit: '100', filter: JSON.stringify({ workflowId, ...filter }) });
			const { results } = await this.get(`/rest/executions?${query}`);
			for (const { id, status, mode } of results) found.set(String(id), { id: String(id), status, mode });
			return results;
		};
		await read({ status: ['new', 'running', 'waiting'] });
		let startedBefore: string | undefined;
		for (let known = -1; known < found.size;) {
			known = found.size;
			const oldest = (await read({ startedBefore })).at(-1);
			startedBefore = oldest?.startedAt ?? oldest?.createdAt;
		}
		return [...found.values()].sort((a, b) => Number(b.id) - Number(a.id));
	}

	executionIds = async (workflowId: string) => (await this.executions(workflowId)).map(({ id }) => id);

	async stopExecution(executionId: string) {
		await this.post(`/rest/executions/${executionId}/stop`, {});
	}

	// Plain requests

	get = (path: string) => this.data('GET', path);

	post = (path: string, body: unknown) => this.data('POST', path, body);

	patch = (path: string, body: unknown) => this.data('PATCH', path, body);

	/** The whole response; a status outside `accepted` is an error with n8n's own words. */
	async send(method: Method, path: string, body?: unknown, accepted: number[] = [200, 201]): Promise<AxiosResponse> {
		const headers = this.cookie === '' ? {} : { cookie: this.cookie };
		const response = await this.http.request({ method, url: path, data: body, headers });
		if (!accepted.includes(response.status)) {
			const text = typeof response.data === 'string' ? response.data : JSON.stringify(response.data);
			throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 1000)}`);
		}
		return response;
	}

	private async data(method: Method, path: string, body?: unknown): Promise<any> {
		const { data } = await this.send(method, path, body);
		return data !== null && typeof data === 'object' && 'data' in data ? data.data : data;
	}

	/** Asks again and again until the answer is true. */
	async until(what: string, isTrue: () => Promise<boolean>) {
		const deadline = Date.now() + LATE_MS;
		while (!(await isTrue())) {
			if (Date.now() > deadline) throw new Error(`waited ${LATE_MS / 1000} s for ${what}`);
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
	}
}

/** The items that a node put out in its last run. */
export function output(execution: Execution, nodeName: string, index = 0): Item[] {
	return execution.runs[nodeName]?.at(-1)?.data?.main?.[index] ?? [];
}

/** The same, without anything but the data of each item. */
export const outputJson = (execution: Execution, nodeName: string, index = 0) =>
	output(execution, nodeName, index).map((item) => item.json);
