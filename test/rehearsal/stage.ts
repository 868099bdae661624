import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { withoutProjectSettings } from '../../host/install.mjs';
import { Registry } from '../e2e/registry';
import { CERTIFICATES, HOME, Machine } from './machine';
import { type Repository, releasedRepository } from './repository';
import { playAction, type Scene, standInPrograms } from './standIns';
import { type Job, pins, readWorkflows, type Step } from './workflow';

const ROOT = resolve(__dirname, '..', '..');
const STEP_WITHIN_MS = 10 * 60_000;
const SHOWN = 8_000;

/** A step at which the rehearsal cannot go on, and what was said there. */
export class Stopped extends Error {
	constructor(
		readonly step: string,
		readonly said: string,
	) {
		super(`${step}\n${said}`);
	}
}

/** Called when something has passed, with the time at which it began and what was different from GitHub. */
export type Passed = (what: string, since: number, notes?: string[]) => void;

interface Tarball {
	file: string;
	integrity: string;
}

/** A release that is about to happen: its repository, the registry that it goes to, and the machines it needs. */
export class Stage {
	/** The tarball that was tested, with its hash at that time. */
	private tested?: Tarball;

	private constructor(
		private readonly folder: string,
		private readonly repository: Repository,
		private readonly registry: Registry,
	) {}

	static async open(change: (folder: string) => void): Promise<Stage> {
		const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
		folders.add(folder);
		const repository = releasedRepository(join(folder, 'repository'), change);
		return new Stage(folder, repository, await Registry.start());
	}

	async close() {
		await this.registry.close();
		rmSync(this.folder, { recursive: true, force: true });
		folders.delete(this.folder);
	}

	jobs(): Job[] {
		try {
			return readWorkflows(this.repository.folder, this.repository);
		} catch (error) {
			throw new Stopped('reading', (error as Error).message);
		}
	}

	/** Runs a job step by step. In place of a line that is a key of `shortened`, its value is run. */
	async play(job: Job, shortened: Record<string, string>, passed: Passed) {
		const { image } = pins(this.repository.folder);
		if (job.image !== image)
			throw new Stopped('runs-on', `${job.image} is not the image of .github/pins.json: ${image}`);
		const machine = await Machine.start(npmSettings());
		try {
			standInPrograms(machine, this.registry.url);
			const project = this.repository.name.split('/')[1];
			const workspace = `${HOME}/work/${project}/${project}`;
			machine.makeFolder(workspace);
			const scene = { machine, repository: this.repository, workspace, ref: job.env.GITHUB_REF_NAME };
			for (const step of job.steps) {
				const since = Date.now();
				const script = step.run && (shortened[step.run] ?? step.run);
				const output = await this.playStep(job, { ...step, run: script }, scene);
				const notes = [...output.matchAll(/^Not rehearsed: .*$/gm)].map(([line]) => line);
				passed(step.title, since, script === step.run ? notes : [`Shortened to: ${script}`, ...notes]);
				this.tested ??= this.keepTarball(machine.pathOf(`${workspace}/.cache/package`));
			}
		} finally {
			machine.end();
		}
	}

	private async playStep(job: Job, { title, action, run, env }: Step, scene: Scene): Promise<string> {
		const played =
			action === undefined
				? { script: run! }
				: await playAction(action, scene).catch(({ message }) => {
						throw new Stopped(title, message);
					});
		const rights = Object.entries(job.rights).map((right) => right.join(':'));
		const settings = { ...job.env, GITHUB_WORKSPACE: scene.workspace, RIGHTS: rights.join(' '), ...env };
		const { code, output } = await scene.machine.run(played.script, scene.workspace, settings, STEP_WITHIN_MS);
		if (code !== 0) throw new Stopped(title, output.slice(-SHOWN));
		played.afterwards?.();
		return output;
	}

	/** Its machine ends before n8n fetches it. */
	private keepTarball(folder: string): Tarball | undefined {
		const [name] = existsSync(folder) ? readdirSync(folder) : [];
		if (name === undefined) return undefined;
		const file = join(this.folder, name);
		copyFileSync(join(folder, name), file);
		return { file, integrity: `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}` };
	}

	async checkRegistry(passed: Passed) {
		const what = 'The registry holds the tarball that was tested';
		const since = Date.now();
		const name = this.repository.name.split('/')[1];
		const answer = await fetch(`${this.registry.url}/${name}`);
		const { versions = {} }: any = answer.ok ? await answer.json() : {};
		const published = versions[this.repository.version]?.dist.integrity;
		if (this.tested === undefined) throw new Stopped(what, 'No tarball was tested');
		if (published === undefined) throw new Stopped(what, `It does not hold ${name} ${this.repository.version}`);
		if (published !== this.tested.integrity) throw new Stopped(what, 'It holds another tarball');
		passed(what, since);
	}

	/** The suite that installs, updates and removes the package in n8n, with what the workflow has published. */
	async install(passed: Passed) {
		const since = Date.now();
		const line = ['--import', 'tsx', 'test/e2e/main.ts', 'install', '--host', 'newest'];
		const env = { ...process.env, E2E_TARBALL: this.tested?.file, E2E_REGISTRY: this.registry.url };
		try {
			await promisify(execFile)(process.execPath, line, { cwd: ROOT, env, maxBuffer: 10 ** 8 });
		} catch (error) {
			const { stdout, stderr } = error as { stdout: string; stderr: string };
			throw new Stopped(INSTALLS, (stdout + stderr).slice(-SHOWN));
		}
		passed(INSTALLS, since);
	}
}

const folders = new Set<string>();

process.on('exit', () => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const INSTALLS = "n8n's installer fetches the package from that registry, updates and removes it";

/** Where npm gets packages from on this machine. */
function npmSettings() {
	const env = withoutProjectSettings();
	const registry = execFileSync('npm', ['config', 'get', 'registry'], {
		cwd: tmpdir(),
		env,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	return `registry=${registry.trim()}\ncafile=${CERTIFICATES}\n`;
}
