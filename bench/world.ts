import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Credential } from '../test/e2e/client';
import { N8n } from '../test/e2e/n8n';
import { pack, packedPackage } from '../test/e2e/package';
import { chain, manualTrigger, node, type WorkflowBody, type WorkflowNode } from '../test/e2e/workflow';

export interface Figures {
	ms: number;
	cpuMs: number;
	/** The longest time in which n8n did nothing else. */
	stallMs: number;
	items: number;
	/** Different IDs among the items, and whether they came in the order asked for. */
	ids: number;
	inOrder: boolean;
}

const reportWithinMs = 180_000;

/** The newest n8n with our package and the nodes of the benchmarks, and a service in a process of its own that counts. */
export class World<Counts> {
	private constructor(
		readonly n8n: N8n,
		readonly api: Client,
		readonly credential: Credential,
		readonly tlsCredential: Credential,
		private readonly headerCredential: Credential,
		/** Of the floor's rows. */
		readonly bareCredential: Credential,
		readonly serviceUrl: string,
		readonly tlsUrl: string,
		private readonly service: ChildProcess,
		private readonly reports: Reports,
		private readonly folder: string,
	) {}

	/** Measures beside the service that this program is, and ends both. */
	static async during<Counts>(program: string, measure: (world: World<Counts>) => Promise<boolean>): Promise<boolean> {
		const world = await World.open<Counts>(program);
		return await measure(world).finally(() => world.close());
	}

	private static async open<Counts>(program: string): Promise<World<Counts>> {
		const service = fork(program, { execArgv: ['--import', 'tsx'] });
		const { url, tlsUrl = url } = await message<{ url: string; tlsUrl?: string }>(service);
		const folder = mkdtempSync(join(tmpdir(), 'bench-'));
		const nodes = pack(join(__dirname, 'nodes'), folder);
		const n8n = await N8n.start({
			host: 'newest',
			tarballs: [packedPackage(), nodes],
			env: {
				NODE_OPTIONS: '--expose-gc',
				// The service over TLS has a certificate that nobody has signed.
				NODE_TLS_REJECT_UNAUTHORIZED: '0',
				// Saving rows costs more than importing them, and is not what is measured.
				EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
				EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'false',
				...(process.env.BENCH_PROFILES && { BENCH_PROFILES: process.env.BENCH_PROFILES }),
			},
		});
		const api = await Client.connect(n8n.url);
		const credentialFor = (baseUrl: string) =>
			api.createCredential('Verification', 'businessVerificationApi', { baseUrl, apiKey: 'bench' });
		const credential = await credentialFor(url);
		const tlsCredential = await credentialFor(tlsUrl);
		const headerCredential = await api.createCredential('Header', 'httpHeaderAuth', {
			name: 'Authorization',
			value: 'Bearer bench',
		});
		const bareCredential = await api.createCredential('Bare', 'benchApi', { key: 'bench' });
		const reports = await Reports.open();
		const urls = [url, tlsUrl] as const;
		const credentials = [credential, tlsCredential, headerCredential, bareCredential] as const;
		return new World<Counts>(n8n, api, ...credentials, ...urls, service, reports, folder);
	}

	/** A workflow that measures these nodes, from the rows or IDs handed to them until they have put out the last item. */
	around(nodes: WorkflowNode[], name: string, rows: number, idsAlone = false): WorkflowBody {
		return chain(name, [
			manualTrigger(),
			node('Source', 'n8n-nodes-bench.rowSource', { rows, idsAlone }),
			...nodes,
			node('Sink', 'n8n-nodes-bench.rowSink', { url: this.reports.url }),
		]);
	}

	/** n8n's own node, with the header that the service expects. */
	httpRequest(parameters: Record<string, unknown>): WorkflowNode {
		const { id, name } = this.headerCredential;
		return node(
			'HTTP Request',
			'n8n-nodes-base.httpRequest',
			{ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth', ...parameters },
			{ typeVersion: 4.2, credentials: { httpHeaderAuth: { id, name } } },
		);
	}

	/** Runs a workflow from its first node and returns what its sink measured. */
	async run(workflow: WorkflowBody): Promise<{ figures: Figures; counts: Counts }> {
		await this.counts();
		// A variant that blocks n8n for seconds makes it believe for a moment that its database is gone.
		await this.api.until('n8n to be ready', async () => (await fetch(`${this.api.url}/healthz/readiness`)).ok);
		const { id } = await this.api.createWorkflow(workflow);
		const reported = this.reports.next();
		const executionId = await this.api.startRun(id);
		const figures = await Promise.race([reported, this.failed(executionId)]);
		// The run is over for us; n8n still has to let go of its rows.
		await new Promise((resolve) => setTimeout(resolve, 500));
		return { figures, counts: await this.counts() };
	}

	/** What the service was sent since the last time it was asked. */
	async counts(): Promise<Counts> {
		this.service.send('counts');
		return await message<Counts>(this.service);
	}

	private async close(): Promise<void> {
		await this.n8n.dispose();
		this.reports.close();
		this.service.kill();
		rmSync(this.folder, { recursive: true, force: true });
	}

	private async failed(executionId: string): Promise<never> {
		await new Promise((resolve) => setTimeout(resolve, reportWithinMs).unref());
		const { status, error } = await this.api.execution(executionId);
		throw new Error(`The workflow did not reach its end (${status}): ${error?.message ?? ''}`);
	}
}

/** Where the sinks send their figures. */
class Reports {
	private taken?: (figures: Figures) => void;

	private constructor(private readonly server: Server) {
		server.on('request', (request, response) => {
			let text = '';
			request.on('data', (part) => (text += String(part)));
			request.on('end', () => {
				response.setHeader('content-type', 'application/json');
				response.end('{}');
				this.taken?.(JSON.parse(text) as Figures);
			});
		});
	}

	static open(): Promise<Reports> {
		const server = createServer();
		const reports = new Reports(server);
		return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(reports)));
	}

	get url() {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	next(): Promise<Figures> {
		return new Promise((resolve) => (this.taken = resolve));
	}

	close(): void {
		this.server.close();
	}
}

const message = <T>(child: ChildProcess) =>
	new Promise<T>((resolve) => child.once('message', (value) => resolve(value as T)));
