import { parseArgs } from 'node:util';
import { seconds } from '../../host/step.mjs';
import { provide } from '../../scripts/machine.mjs';
import { breakIt, BREAKS } from './breaks';
import { Stage, Stopped } from './stage';
import type { Job } from './workflow';

/*
 * npm run rehearse: runs the workflows of GitHub step by step on a machine like theirs, publishes to a registry on this
 * machine, and installs from there with n8n's own installer. docs/development/release.md says what cannot be rehearsed.
 *   npm run rehearse -- newest             the jobs with that in their names, also those that are left out otherwise
 *   npm run rehearse -- --break <name>     whether it stops where a workflow is broken on purpose; 'all' for each break
 */

const PUBLISH = 'publish.yml publish';

/** Jobs that only GitHub can run. */
const IMPOSSIBLE: Record<string, string> = {
	'codeql.yml analyze': 'GitHub scans the code',
	'newest.yml image': 'it needs Docker',
};

/** A job whose result follows what others publish, not what changes here. */
const ONLY_ASKED_FOR = 'newest.yml scanner';

/** Whether the workflow has installed what every leg needs, also those that are left out here. */
const NOTHING_MISSING = 'node test/rehearsal/missing.mjs';

/** Lines that would take too long, and what is run in their place. */
const SHORTENED: Record<string, Record<string, string>> = {
	[PUBLISH]: { 'bash .ci/run': `${NOTHING_MISSING} && bash .ci/run lint smoke-newest` },
	'ci.yml everything': { 'bash .ci/run': `${NOTHING_MISSING} && bash .ci/run smoke-newest` },
	'ci.yml source': { 'npm run test:unit': 'npm run test:unit -- test/rehearsal' },
};

/** For a break nothing is installed, built or tested: the tarball holds what is in the repository. */
const SHORTENED_MORE = {
	'npm ci': 'true',
	'bash .ci/run': `${NOTHING_MISSING} && mkdir -p .cache/package && npm pack --silent --pack-destination .cache/package`,
};

const tally = { passed: 0, failed: 0 };

async function main() {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: { break: { type: 'string', multiple: true, default: [] } },
	});
	const broken = values.break.includes('all') ? Object.keys(BREAKS) : values.break;
	const unknown = broken.find((name) => !(name in BREAKS));
	if (unknown !== undefined) throw new Error(`No break is called ${unknown}: ${Object.keys(BREAKS).join(', ')}, all`);
	const missing = await provide(['rehearsal', 'layers']);
	if (missing.length > 0) throw new Error(missing.map(({ why, fix }) => `${why}. To mend it: ${fix}`).join('\n'));
	if (broken.length === 0) await rehearse(positionals);
	for (const name of broken) await rehearseBroken(name);
}

async function rehearse(words: string[]) {
	const failed: string[] = [];
	await onStage(
		() => undefined,
		async (stage) => {
			for (const job of chosen(stage.jobs(), words)) {
				console.log(`\n${job.name}`);
				try {
					const before = job.needs.find((need) => failed.includes(need));
					if (before !== undefined) throw new Stopped('not begun', `It needs ${before}`);
					await stage.play(job, SHORTENED[job.key] ?? {}, passed);
					if (job.key !== PUBLISH) continue;
					await stage.checkRegistry(passed);
					await stage.install(passed);
				} catch (error) {
					if (!(error instanceof Stopped)) throw error;
					tally.failed++;
					failed.push(job.key);
					console.log(`  ✗ ${error.message}`);
				}
			}
		},
	);
}

function chosen(jobs: Job[], words: string[]) {
	return jobs.filter(({ name, key }) => {
		if (words.length > 0 && !words.some((word) => name.includes(word))) return false;
		const asked = key !== ONLY_ASKED_FOR || words.length > 0;
		const why =
			IMPOSSIBLE[key] ?? (asked ? undefined : 'it tries what n8n has published since: ask for it by its name');
		if (why !== undefined) console.log(`Not rehearsed: ${name}, ${why}`);
		return why === undefined;
	});
}

function passed(what: string, since: number, notes: string[] = []) {
	tally.passed++;
	console.log([`  ✓ ${what} (${seconds(since)})`, ...notes].join('\n      '));
}

async function rehearseBroken(name: string) {
	const broken = BREAKS[name];
	const since = Date.now();
	const stopped = await onStage(
		(folder) => breakIt(broken, folder),
		async (stage) => {
			for (const job of stage.jobs()) {
				if (job.key !== broken.job) continue;
				await stage.play(job, SHORTENED_MORE, () => undefined);
				if (job.key === PUBLISH) await stage.checkRegistry(() => undefined);
			}
		},
	).catch((error) => {
		if (error instanceof Stopped) return error;
		throw error;
	});
	const asItShould = stopped !== undefined && stopped.step.startsWith(broken.stopsAt) && broken.says.test(stopped.said);
	tally[asItShould ? 'passed' : 'failed']++;
	console.log(`${asItShould ? '✓' : '✗'} ${name}: stopped at ${stopped?.step ?? 'no step'} (${seconds(since)})`);
	if (!asItShould) console.log(stopped?.said ?? '');
}

async function onStage(change: (folder: string) => void, act: (stage: Stage) => Promise<void>): Promise<undefined> {
	const stage = await Stage.open(change);
	try {
		await act(stage);
	} finally {
		await stage.close();
	}
}

// Leaving by exit() ends what the rehearsal has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

main()
	.catch((error) => {
		tally.failed++;
		console.log(error);
	})
	.finally(() => {
		console.log(`${tally.passed} passed, ${tally.failed} failed`);
		process.exitCode = tally.failed === 0 ? 0 : 1;
	});
