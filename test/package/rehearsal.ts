import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { dist, root, temporaryFolder } from './built';

/*
 * Plays a workflow of GitHub's on this machine. Each job has a folder of its own, its scripts run in bash as they are
 * written, actions do here what they do there, and `gh`, `npm ci`, `npm publish` and `sudo` note how they were called.
 */

/** Without what jest sets, and without the repository that a hook of git names. */
const ownEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|GIT_.*)$/.test(name)));

const git = (folder: string, ...args: string[]) =>
	execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@acme.com', ...args], {
		...{ cwd: folder, env: ownEnv, stdio: 'pipe' },
	});

/** This repository as its owner would push it for a version. `.ci/run` packs the package and tests nothing. */
export function repository(version: string, date: string): string {
	const folder = temporaryFolder();
	const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
		...{ cwd: root, env: ownEnv, encoding: 'utf8' as const },
	});
	const wanted = /^(nodes|credentials|icons|scripts|host|\.ci|test\/saved)\/|^[^/]*$/;
	for (const file of listed.split('\n').filter((name) => name !== '' && wanted.test(name)))
		cpSync(path.join(root, file), path.join(folder, file));
	const change = (file: string, by: (text: string) => string) =>
		writeFileSync(path.join(folder, file), by(readFileSync(path.join(folder, file), 'utf8')));
	const ours = 'github.com/n8n-nodes-business-verification/';
	change('package.json', (text) =>
		JSON.stringify({
			...JSON.parse(text.replaceAll(ours, 'github.com/acme/')),
			version,
			author: { name: 'Acme', email: 'nodes@acme.com' },
		}),
	);
	change('CHANGELOG.md', (text) =>
		text.replace(new RegExp(`^(## ${version.split('-')[0]}) - .*$`, 'm'), `$1 - ${date}`),
	);
	change('.ci/run', () => 'exec node scripts/pack.mjs\n');
	git(folder, 'init', '--quiet', '--initial-branch=main');
	git(folder, 'add', '.');
	git(folder, 'commit', '--quiet', '--message=x');
	git(folder, 'tag', version);
	return folder;
}

/** As if the tag was set on a branch of somebody's. */
export function offMain(origin: string, tag: string): string {
	git(origin, 'checkout', '--quiet', '-b', 'other');
	git(origin, 'commit', '--quiet', '--allow-empty', '--message=y');
	git(origin, 'tag', '--force', tag);
	return origin;
}

const standIns = {
	gh: `case "$1 $2" in
		"run download") cp "$ARTIFACTS/$5"/* . ;;
		"api "*) printf 'n8n@%s\\n' 2.45.0 2.45.10 3.0.0 ;;
		"issue list") printf '%s' "$OPEN_ISSUE" ;;
		*) echo "gh $*" >> "$NOTES" ;;
	esac`,
	npm: `case "$1 $2 $3" in
		"--version "*) echo 11.6.0 ;;
		"ci "*) ln -s "$ROOT/node_modules" node_modules ;;
		"publish "*) test -f "$2" && echo "npm $*" >> "$NOTES" ;;
		"run --silent build") if [ -n "$BUILT" ]; then cp -r "$BUILT" dist; else exec "$NPM" "$@"; fi ;;
		*) exec "$NPM" "$@" ;;
	esac`,
	sudo: '',
};

interface Step {
	id?: string;
	uses?: string;
	run?: string;
	with?: Record<string, any>;
	env?: Record<string, string>;
}

export interface Played {
	/** How each job ended: 'success', 'failure', or 'skipped'. */
	results: Record<string, string>;
	/** How `gh` and `npm publish` were called. */
	notes: string;
	/** What the jobs printed. */
	output: string;
	/** What each job left for others. */
	outputs: Record<string, Record<string, string>>;
	/** The notes that the release on GitHub gets. */
	releaseNotes?: string;
	/** Where its jobs left files for others. */
	artifacts: string;
}

interface Circumstances {
	origin?: string;
	ref?: string;
	/** Only these jobs, with how others ended, or after what those of another play have left. */
	only?: string[];
	ended?: Record<string, string>;
	after?: Played;
	/** What happens on the machine of a job before the step that holds this text. */
	meanwhile?: { job: string; before: string; script: string };
	/** Compile, instead of taking the build that is there. */
	compile?: boolean;
	openIssue?: string;
}

export function play(workflow: string, given: Circumstances): Played {
	const { jobs } = parse(readFileSync(path.join(root, '.github/workflows', workflow), 'utf8'));
	const folder = temporaryFolder();
	const place = (name: string) => path.join(folder, name);
	const { artifacts = place('artifacts'), results, outputs } = given.after ?? {};
	for (const made of [place('bin'), artifacts]) mkdirSync(made, { recursive: true });
	for (const [name, script] of Object.entries(standIns)) {
		writeFileSync(path.join(place('bin'), name), `#!/bin/sh\n${script}\n`);
		chmodSync(path.join(place('bin'), name), 0o755);
	}
	writeFileSync(place('notes'), '');
	const env = {
		...ownEnv,
		PATH: `${place('bin')}${path.delimiter}${process.env.PATH}`,
		...{ ROOT: root, ARTIFACTS: artifacts, NOTES: place('notes'), OPEN_ISSUE: given.openIssue ?? '' },
		NPM: execFileSync('which', ['npm'], { encoding: 'utf8' }).trim(),
		BUILT: given.compile ? '' : dist,
		...{ GITHUB_REF_NAME: given.ref ?? 'main', GITHUB_RUN_ID: '7', GITHUB_REPOSITORY: 'acme/nodes' },
		GITHUB_SERVER_URL: 'https://github.com',
	};
	const before = { ...results, ...given.ended };
	const played: Played = { results: before, notes: '', output: '', outputs: { ...outputs }, artifacts };
	const waiting = Object.keys(jobs).filter((name) => given.only?.includes(name) ?? true);
	for (const name of waiting) {
		const job = jobs[name];
		const needed: string[] = [job.needs ?? []].flat();
		const needs = Object.fromEntries(
			needed.map((one) => [one, { result: played.results[one], outputs: played.outputs[one] ?? {} }]),
		);
		const known = { needs, github: { ref_name: env.GITHUB_REF_NAME, token: 'secret', repository: 'acme/nodes' } };
		played.results[name] = asked(job.if ?? 'success()', known) ? runJob(name, job, known) : 'skipped';
	}
	return { ...played, notes: readFileSync(place('notes'), 'utf8') };

	function runJob(name: string, job: { steps: Step[]; env?: object; outputs?: object }, known: object): string {
		const cwd = place(name);
		mkdirSync(cwd);
		const steps: Record<string, { outputs: Record<string, string> }> = {};
		for (const step of job.steps) {
			const { job: whose, before, script } = given.meanwhile ?? { job: '' };
			const isMeanwhile = whose === name && JSON.stringify(step).includes(before!);
			const set = { ...filled(job.env, { ...known, steps }), ...filled(step.env, { ...known, steps }) };
			const output = path.join(folder, `${name}-output`);
			writeFileSync(output, '');
			if (step.uses !== undefined) act(step, cwd);
			const line = `${isMeanwhile ? `${script}\n` : ''}${step.run ?? ''}`;
			const ran = spawnSync('bash', ['-e', '-c', line], {
				cwd,
				env: { ...env, ...set, GITHUB_OUTPUT: output },
				encoding: 'utf8',
			});
			played.output += `${ran.stdout}${ran.stderr}`;
			if (ran.status !== 0) return 'failure';
			const said = [...readFileSync(output, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]);
			if (step.id !== undefined) steps[step.id] = { outputs: Object.fromEntries(said) };
		}
		played.outputs[name] = filled(job.outputs, { ...known, steps });
		const notes = readdirSync(cwd).find((file) => file === 'notes.md');
		if (notes !== undefined) played.releaseNotes = readFileSync(path.join(cwd, notes), 'utf8');
		return 'success';
	}

	function act({ uses, with: options = {} }: Step, cwd: string): void {
		const [action] = uses!.split('@');
		if (action === 'actions/setup-node') return;
		if (action === 'actions/checkout') {
			if (given.origin === undefined) return symlinkSync(path.join(root, 'scripts'), path.join(cwd, 'scripts'));
			const depth = options['fetch-depth'] === 0 ? [] : ['--depth=1', `--branch=${given.ref}`];
			git(cwd, 'clone', '--quiet', ...depth, `file://${given.origin}`, '.');
			return void git(cwd, 'checkout', '--quiet', given.ref!);
		}
		if (action !== 'actions/upload-artifact') throw new Error(`Nobody has said what ${action} does`);
		// It leaves out what lies in a folder with a dot, unless it is told otherwise.
		const isLeftOut = /(^|\/)\./.test(options.path) && options['include-hidden-files'] !== true;
		const artifact = path.join(artifacts, options.name);
		mkdirSync(artifact);
		if (!isLeftOut) execFileSync('bash', ['-c', `cp ${options.path} '${artifact}'`], { cwd });
	}
}

/** The value of an expression: what GitHub's language shares with this one, and the functions that ours use. */
function asked(expression: string, known: Record<string, any>): any {
	const results = Object.values<any>(known.needs).map(({ result }) => result);
	const all = {
		...known,
		results,
		success: () => results.every((result) => result === 'success'),
		always: () => true,
		contains: (where: string | string[], what: string) => where.includes(what),
	};
	const translated = expression.replaceAll('needs.*.result', 'results');
	return new Function(...Object.keys(all), `return ${translated}`)(...Object.values(all));
}

const filled = (values: object | undefined, known: Record<string, any>): Record<string, string> =>
	Object.fromEntries(
		Object.entries(values ?? {}).map(([name, text]) => [
			name,
			String(text).replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(asked(expression, known))),
		]),
	);
