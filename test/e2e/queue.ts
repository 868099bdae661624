import { execFileSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostName } from '../../host/install.mjs';
import { program, provide } from '../../scripts/machine.mjs';
import { profileSettings } from './profiles';
import { QUEUE_MODE } from './queueMode';
import { freePort, N8n, type N8nOptions } from './n8n';
import { packedPackage } from './package';
import { serve } from './server';

const NOBODY = 65534;

/**
 * What n8n's queue mode has beside its main process: a Redis, a PostgreSQL, two workers and two webhook processors, each
 * with a folder of its own, as on different machines.
 */
export class Queue {
	readonly workers: N8n[] = [];
	readonly processors: N8n[] = [];
	private readonly mains: N8n[] = [];
	private readonly servers: ChildProcess[] = [];

	private constructor(
		private readonly host: HostName,
		private readonly folder: string,
		/** What all processes of n8n have in common. */
		readonly env: Record<string, string>,
		private readonly firstProcessorPort: number,
	) {}

	/** The servers alone: n8n's main process has to make its tables before the others start. */
	static async start(host: HostName): Promise<Queue> {
		const missing = await provide(['queue']);
		for (const { why, fix } of missing) throw new Error(`${why}. To mend it: ${fix}`);
		const [redisPort, databasePort, processorPort] = [await freePort(), await freePort(), await freePort()];
		const queue = new Queue(
			host,
			mkdtempSync(join(tmpdir(), 'queue-')),
			{
				...QUEUE_MODE,
				// The other engine takes a tenth of a second of computing for each call, five processes on one machine more.
				N8N_EXPRESSION_ENGINE: 'legacy',
				WEBHOOK_URL: `http://127.0.0.1:${processorPort}/`,
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(redisPort),
				DB_POSTGRESDB_HOST: '127.0.0.1',
				DB_POSTGRESDB_PORT: String(databasePort),
				DB_POSTGRESDB_DATABASE: 'postgres',
				DB_POSTGRESDB_USER: 'n8n',
				DB_POSTGRESDB_PASSWORD: 'unused',
				...profileSettings(),
			},
			processorPort,
		);
		try {
			await queue.redis(redisPort);
			await queue.database(databasePort);
			return queue;
		} catch (error) {
			await queue.close();
			throw error;
		}
	}

	/** A worker does one execution at a time, so that two of them are surely in two processes. */
	async join() {
		const ports = [this.firstProcessorPort, await freePort()];
		const started = await Promise.allSettled([
			...ports.map(async (port) => this.processors.push(await this.begin({ command: 'webhook', port }))),
			...ports.map(async () =>
				this.workers.push(await this.begin({ command: 'worker', env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } })),
			),
		]);
		for (const result of started) if (result.status === 'rejected') throw result.reason;
	}

	/** Another main process, which knows nothing but the database, at the address of the one that is gone. */
	async takeOver({ url }: N8n) {
		this.mains.push(await this.begin({ port: Number(new URL(url).port) }));
	}

	private begin({ env, ...more }: Partial<N8nOptions>) {
		return N8n.start({ host: this.host, tarballs: [packedPackage()], ...more, env: { ...this.env, ...env } });
	}

	/** The worker that took up the execution. */
	workerOf(executionId: string): N8n | undefined {
		return this.workers.find((worker) => new RegExp(`started execution ${executionId}\\b`).test(worker.log()));
	}

	logs(): Record<string, string> {
		const named = (what: string, all: N8n[]) => all.map((each, index) => [`${what} ${index + 1}`, each.log()]);
		return Object.fromEntries([
			...named('main process', this.mains),
			...named('worker', this.workers),
			...named('webhook processor', this.processors),
		]);
	}

	async close() {
		// What they hold is thrown away.
		await Promise.all(
			[...this.mains, ...this.processors, ...this.workers].map(async (each) => (await each.kill(), each.dispose())),
		);
		for (const server of this.servers.reverse()) await ended(server);
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}

	private async redis(port: number) {
		const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: this.folder };
		const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
		await this.serve(port, [program('redis-server')!, ...args]);
	}

	/** PostgreSQL refuses to run for the superuser, who then runs it as nobody. */
	private async database(port: number) {
		const data = join(this.folder, 'database');
		mkdirSync(data);
		let asNobody: string[] = [];
		if (process.getuid?.() === 0) {
			asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
			chmodSync(this.folder, 0o755);
			execFileSync('chown', [`${NOBODY}:${NOBODY}`, data]);
		}
		const initdb = [...asNobody, program('initdb')!, '-D', data, '-U', 'n8n', '-A', 'trust', '--no-sync', '-E', 'UTF8'];
		execFileSync(initdb[0], initdb.slice(1), { stdio: 'pipe', cwd: data });
		const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: data, fsync: 'off' };
		const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
		await this.serve(port, [...asNobody, program('postgres')!, '-D', data, ...args]);
	}

	private async serve(port: number, command: string[]) {
		this.servers.push(await serve(command, this.folder, () => accepts(port)));
	}
}

async function ended(server: ChildProcess) {
	if (server.exitCode !== null || server.signalCode !== null) return;
	const exit = new Promise((resolve) => server.once('exit', resolve));
	server.kill('SIGQUIT');
	const timer = setTimeout(() => server.kill('SIGKILL'), 5_000);
	await exit;
	clearTimeout(timer);
}

const accepts = async (port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const socket = createConnection({ port, host: '127.0.0.1' }, () => resolve(true)).on('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});
