import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/*
 * A workflow file as GitHub would run it: its jobs, one for each value of a matrix, with their steps. Only what our
 * workflows use is understood. Every other key, expression or variable is an error, because a part that is skipped
 * silently is a part that was not rehearsed.
 */

export interface Action {
	/** As in `uses:`, without the commit. */
	name: string;
	commit: string;
	with: Record<string, string>;
}

export interface Step {
	title: string;
	action?: Action;
	run?: string;
	env: Record<string, string>;
}

export interface Job {
	/** File and job, the same for all values of a matrix. */
	key: string;
	name: string;
	/** Keys of the jobs that have to end well before it. */
	needs: string[];
	image: string;
	rights: Record<string, string>;
	env: Record<string, string>;
	steps: Step[];
}

/** What GitHub knows of a run: `github.*` in expressions, `GITHUB_*` and `RUNNER_*` in the environment. */
interface Run {
	github: Record<string, string>;
	env: Record<string, string>;
}

/** The commit that the workflows run for; the version is the tag of its release. */
interface Commit {
	/** Owner and name. */
	name: string;
	version: string;
	commit: string;
}

export interface Pins {
	image: string;
	actions: Array<{ action: string; tag: string; commit: string; checked: string }>;
}

export const pins = (root: string): Pins => JSON.parse(readFileSync(join(root, '.github', 'pins.json'), 'utf8'));

/** `uses:` may name a folder of the repository that an action lives in. */
export const repositoryOf = (action: string) => action.split('/').slice(0, 2).join('/');

const WORKFLOW_KEYS = ['name', 'on', 'permissions', 'jobs'];
const JOB_KEYS = ['runs-on', 'needs', 'if', 'timeout-minutes', 'strategy', 'permissions', 'steps'];
const STEP_KEYS = ['uses', 'with', 'run', 'env'];

/** The jobs of every workflow of a folder. */
export function readWorkflows(root: string, { name, version, commit }: Commit): Job[] {
	const folder = join(root, '.github', 'workflows');
	return readdirSync(folder).flatMap((file) => {
		// A release is a tag; everything else is about the branch.
		const [type, ref] = file === 'publish.yml' ? ['tag', version] : ['branch', 'main'];
		const env = {
			CI: 'true',
			GITHUB_ACTIONS: 'true',
			GITHUB_REF_NAME: ref,
			GITHUB_REF_TYPE: type,
			GITHUB_REPOSITORY: name,
			GITHUB_RUN_ID: '1',
			GITHUB_SERVER_URL: 'https://github.com',
			GITHUB_SHA: commit,
			RUNNER_OS: 'Linux',
		};
		const github = { token: 'no-token', repository: name };
		return readJobs(file, readFileSync(join(folder, file), 'utf8'), { github, env });
	});
}

export function readJobs(file: string, text: string, run: Run): Job[] {
	const workflow = parse(text);
	onlyKeys(file, workflow, WORKFLOW_KEYS);
	return Object.entries<any>(workflow.jobs).flatMap(([name, job]) => {
		const where = `${file} ${name}`;
		onlyKeys(where, job, JOB_KEYS);
		// A job for failures is rehearsed as if something had failed.
		if (![undefined, 'failure()'].includes(job.if)) throw new Error(`${where}: unknown condition ${job.if}`);
		return combinations(where, job.strategy).map((matrix) => {
			const lookUp = (value: unknown) => evaluate(where, String(value), { matrix, github: run.github });
			return {
				key: where,
				name: [where, ...Object.values(matrix)].join(' '),
				needs: [job.needs ?? []].flat().map((need) => `${file} ${need}`),
				image: lookUp(job['runs-on']),
				rights: job.permissions ?? workflow.permissions,
				env: run.env,
				steps: job.steps.map((step: any) => readStep(where, step, run, lookUp)),
			};
		});
	});
}

function readStep(where: string, step: any, { env }: Run, lookUp: (value: unknown) => string): Step {
	onlyKeys(where, step, STEP_KEYS);
	if ((step.uses === undefined) === (step.run === undefined)) throw new Error(`${where}: a step is either uses or run`);
	const values = (record: object = {}) =>
		Object.fromEntries(Object.entries(record).map(([key, value]) => [key, lookUp(value)]));
	if (step.uses !== undefined) {
		const [name, commit] = step.uses.split('@');
		return { title: name, action: { name, commit, with: values(step.with) }, env: values(step.env) };
	}
	const run = lookUp(step.run);
	const unknown = [...run.matchAll(/\$\{?((?:GITHUB|RUNNER)_\w+)/g)].find(([, variable]) => !(variable in env));
	if (unknown !== undefined) throw new Error(`${where}: unknown variable ${unknown[1]}`);
	return { title: run.split('\n')[0], run, env: values(step.env) };
}

function combinations(where: string, strategy?: { matrix: Record<string, unknown[]> }) {
	if (strategy === undefined) return [{}];
	onlyKeys(where, strategy, ['fail-fast', 'matrix']);
	return Object.entries(strategy.matrix).reduce<Array<Record<string, string>>>(
		(before, [name, values]) => before.flatMap((each) => values.map((value) => ({ ...each, [name]: String(value) }))),
		[{}],
	);
}

function evaluate(where: string, text: string, contexts: Record<string, Record<string, string>>) {
	return text.replace(/\$\{\{(.*?)\}\}/g, (_whole, expression: string) => {
		const [, context, key] = /^\s*(\w+)\.(\w+)\s*$/.exec(expression) ?? [];
		const value = contexts[context]?.[key];
		if (value === undefined) throw new Error(`${where}: unknown expression ${expression.trim()}`);
		return value;
	});
}

function onlyKeys(where: string, record: object, known: string[]) {
	const unknown = Object.keys(record).filter((key) => !known.includes(key));
	if (unknown.length > 0) throw new Error(`${where}: unknown ${unknown.join(', ')}`);
}
