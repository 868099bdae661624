import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHost } from '../../host/find.mjs';
import type { HostName, InstalledHost } from '../../host/install.mjs';
import { installInto } from './package';
import { settings } from './settings';

const READY_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 30_000;
const PORT_ATTEMPTS = 3;

export interface N8nOptions {
	host: HostName;
	/** Tarballs that n8n shall find as installed community packages. */
	tarballs?: string[];
	/** A user folder to start with; a fresh one by default. */
	folder?: string;
	port?: number;
	env?: Record<string, string>;
	/** One of queue mode's other processes instead of the one with the editor. */
	command?: 'worker' | 'webhook';
}

/** One real n8n in a process of its own. It keeps its user folder and its port when it is started again. */
export class N8n {
	private child?: ChildProcess;

	private constructor(
		readonly host: HostName,
		readonly folder: string,
		private readonly installed: InstalledHost,
		private readonly extraEnv: Record<string, string>,
		private port: number | undefined,
		private readonly ownsFolder: boolean,
		private readonly command: 'start' | 'worker' | 'webhook',
	) {}

	static async start(options: N8nOptions): Promise<N8n> {
		const installed = await findHost(options.host);
		const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'n8n-'));
		const n8n = new N8n(
			options.host,
			folder,
			installed,
			options.env ?? {},
			options.port,
			options.folder === undefined,
			options.command ?? 'start',
		);
		n8n.install(options.tarballs ?? []);
		await n8n.launch();
		return n8n;
	}

	get url() {
		return `http://127.0.0.1:${this.port}`;
	}

	get version() {
		return this.installed.version;
	}

	get isRunning() {
		return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
	}

	/** Everything that n8n printed since the user folder was made. */
	log() {
		return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
	}

	/** Puts packages where n8n's own installer would; n8n sees them at its next start. */
	install(tarballs: string[]) {
		installInto(join(this.folder, '.n8n', 'nodes'), tarballs, this.installed.env);
	}

	/** Starts n8n; the same folder and port again if it ran before. */
	async launch() {
		const keepsPort = this.port !== undefined;
		for (let attempt = 1; ; attempt++) {
			this.port ??= await freePort();
			try {
				return await this.launchOnce(this.port);
			} catch (error) {
				// Somebody may take a free port before n8n does.
				const taken = /EADDRINUSE|port \d+ is already in use/i.test(String(error));
				if (!taken || attempt === PORT_ATTEMPTS) throw error;
				if (!keepsPort) this.port = undefined;
			}
		}
	}

	/** Lets n8n end by itself. */
	async stop() {
		if (!this.isRunning) return;
		process.kill(this.child!.pid!, 'SIGTERM');
		if (!(await this.ended(STOP_WITHIN_MS))) await this.kill();
	}

	/** As a power cut would: n8n and its task runner are gone at once. */
	async kill() {
		if (!this.isRunning) return;
		this.killAtOnce();
		await this.ended(STOP_WITHIN_MS);
	}

	async restart() {
		await this.stop();
		await this.launch();
	}

	/** Ends n8n and removes the user folder, if it was made here. */
	async dispose() {
		await this.stop();
		this.abandon();
		alive.delete(this);
	}

	/** For the end of the program, when nothing can be waited for. */
	abandon() {
		if (this.isRunning) this.killAtOnce();
		if (this.ownsFolder) rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}

	private killAtOnce() {
		killGroup(this.child!.pid!);
		this.installed.end?.(this.folder);
	}

	private get logFile() {
		return join(this.folder, 'n8n.log');
	}

	private async launchOnce(port: number) {
		mkdirSync(this.folder, { recursive: true });
		const logStart = this.log().length;
		const log = openSync(this.logFile, 'a');
		// INSPECT=9229 lets a debugger in.
		const inspect = process.env.INSPECT === undefined ? [] : [`--inspect=127.0.0.1:${process.env.INSPECT}`];
		const child = spawn(this.installed.node, [...inspect, this.installed.bin, this.command], {
			cwd: this.folder,
			env: {
				...settings(this.host, { folder: this.folder, port, brokerPort: await freePort() }),
				...this.installed.env,
				...(this.command === 'worker' && { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port) }),
				...this.extraEnv,
			},
			stdio: ['ignore', log, log],
			// A group of its own, so that the task runner can be ended with it.
			detached: true,
		});
		closeSync(log);
		this.child = child;
		alive.add(this);
		const deadline = Date.now() + READY_WITHIN_MS;
		while (!(await this.isReady())) {
			if (!this.isRunning || Date.now() > deadline) {
				const why = this.isRunning ? 'did not become ready' : `ended with exit code ${child.exitCode}`;
				await this.kill();
				throw new Error(`n8n ${this.version} ${why}:\n${this.log().slice(logStart).slice(-4000)}`);
			}
			await pause(200);
		}
	}

	/** Older versions call themselves healthy seconds before they answer. */
	private async isReady() {
		return (
			(await answers(`${this.url}/healthz/readiness`)) &&
			(this.command !== 'start' || (await answers(`${this.url}/rest/settings`)))
		);
	}

	private async ended(withinMs: number) {
		const deadline = Date.now() + withinMs;
		while (this.isRunning && Date.now() < deadline) await pause(50);
		return !this.isRunning;
	}
}

const alive = new Set<N8n>();

process.on('exit', () => {
	for (const n8n of alive) n8n.abandon();
});

function killGroup(pid: number) {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// It has ended by itself.
	}
}

async function answers(url: string) {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
		await response.arrayBuffer();
		return response.status === 200;
	} catch {
		return false;
	}
}

export function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const { port } = server.address() as { port: number };
			server.close(() => resolve(port));
		});
	});
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
