import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
	chmodSync,
	closeSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installHost, type HostName } from '../../host/install.mjs';
import { freePort } from './n8n';
import { installInto } from './package';
import { settings } from './settings';

export interface QueueOptions {
	host: HostName;
	tarballs: string[];
	/** How many webhook processors share the calls. */
	processors: number;
	env?: Record<string, string>;
}

/** n8n in queue mode: a main process, a worker and webhook processors, with a PostgreSQL and a Redis of their own. */
export class Queue {
	readonly url: string;
	readonly webhookUrls: string[] = [];
	private readonly children: ChildProcess[] = [];

	private constructor(
		private readonly folder: string,
		private readonly mainPort: number,
	) {
		this.url = `http://127.0.0.1:${mainPort}`;
	}

	static async start(options: QueueOptions): Promise<Queue> {
		const queue = new Queue(mkdtempSync(join(tmpdir(), 'queue-')), await freePort());
		try {
			await queue.launch(options);
			return queue;
		} catch (error) {
			await queue.dispose();
			throw error;
		}
	}

	log = () =>
		readdirSync(this.folder)
			.filter((file) => file.endsWith('.log'))
			.map((file) => `${file}\n${readFileSync(join(this.folder, file), 'utf8').slice(-1500)}`)
			.join('\n');

	async dispose() {
		for (const child of this.children.reverse()) await ended(child);
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}

	private async launch({ host, tarballs, processors, env = {} }: QueueOptions) {
		const installed = await installHost(host);
		installInto(join(this.folder, '.n8n', 'nodes'), tarballs, installed.env);
		const redisPort = await freePort();
		this.run('redis', program('redis-server'), [
			'--port',
			String(redisPort),
			'--bind',
			'127.0.0.1',
			'--save',
			'',
			'--appendonly',
			'no',
		]);
		await listening(redisPort);
		const databasePort = await this.database();

		const n8n = async (name: string, command: string, port: number, more: Record<string, string> = {}) => {
			this.run(name, installed.node, [installed.bin, command], {
				...settings(host, { folder: this.folder, port, brokerPort: await freePort() }),
				...installed.env,
				EXECUTIONS_MODE: 'queue',
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(redisPort),
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: '127.0.0.1',
				DB_POSTGRESDB_PORT: String(databasePort),
				DB_POSTGRESDB_DATABASE: 'postgres',
				DB_POSTGRESDB_USER: 'n8n',
				DB_POSTGRESDB_PASSWORD: 'unused',
				...env,
				...more,
			});
			await answering(`http://127.0.0.1:${more.QUEUE_HEALTH_CHECK_PORT ?? port}/healthz/readiness`);
		};
		await n8n('main', 'start', this.mainPort);
		const healthPort = String(await freePort());
		await n8n('worker', 'worker', await freePort(), {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: healthPort,
		});
		for (let each = 1; each <= processors; each++) {
			const port = await freePort();
			await n8n(`webhook-${each}`, 'webhook', port);
			this.webhookUrls.push(`http://127.0.0.1:${port}`);
		}
	}

	/** PostgreSQL refuses to run for the superuser, who then runs it as nobody. */
	private async database(): Promise<number> {
		const port = await freePort();
		const folder = join(this.folder, 'database');
		mkdirSync(folder);
		const asNobody =
			process.getuid?.() === 0 ? [program('setpriv'), '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
		if (asNobody.length > 0) {
			chmodSync(this.folder, 0o755);
			execFileSync('chown', ['65534:65534', folder]);
		}
		const [initdb, ...initArgs] = [
			...asNobody,
			program('initdb'),
			'-D',
			folder,
			'-U',
			'n8n',
			'-A',
			'trust',
			'--no-sync',
			'-E',
			'UTF8',
		];
		execFileSync(initdb, initArgs, { stdio: 'pipe', cwd: folder });
		const options = [
			'-p',
			String(port),
			'-c',
			'listen_addresses=127.0.0.1',
			'-c',
			`unix_socket_directories=${folder}`,
			'-c',
			'fsync=off',
		];
		const [postgres, ...args] = [...asNobody, program('postgres'), '-D', folder, ...options];
		this.run('database', postgres, args);
		await listening(port);
		return port;
	}

	private run(name: string, file: string, args: string[], env: NodeJS.ProcessEnv = process.env) {
		const log = openSync(join(this.folder, `${name}.log`), 'a');
		const child = spawn(file, args, { cwd: this.folder, env, stdio: ['ignore', log, log] });
		closeSync(log);
		this.children.push(child);
		alive.add(child);
		child.once('exit', () => alive.delete(child));
	}
}

const alive = new Set<ChildProcess>();

process.on('exit', () => {
	for (const child of alive) child.kill('SIGKILL');
});

/** Debian keeps PostgreSQL's programs out of the path. */
function program(name: string): string {
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
	const found = [...(process.env.PATH ?? '').split(':'), ...versions]
		.map((folder) => join(folder, name))
		.find(existsSync);
	if (found === undefined) throw new Error(`Queue mode needs '${name}': install PostgreSQL and Redis`);
	return found;
}

async function ended(child: ChildProcess) {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exit = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
	await exit;
	clearTimeout(timer);
}

const listening = async (port: number) =>
	until(
		`port ${port}`,
		() =>
			new Promise<boolean>((resolve) => {
				const socket = createConnection({ port, host: '127.0.0.1' }, () => resolve(true)).on('error', () =>
					resolve(false),
				);
				socket.once('connect', () => socket.destroy());
			}),
	);

const answering = async (url: string) =>
	until(url, async () =>
		fetch(url, { signal: AbortSignal.timeout(5000) }).then(
			({ status }) => status === 200,
			() => false,
		),
	);

async function until(what: string, isTrue: () => Promise<boolean>) {
	const deadline = Date.now() + 120_000;
	while (!(await isTrue())) {
		if (Date.now() > deadline) throw new Error(`waited two minutes for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}
