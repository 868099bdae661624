import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installHost, isInstalled } from '../host/install.mjs';
import { LEGS } from './legs.mjs';
import { checkNode, installDependencies, provide } from './machine.mjs';
import { packProject } from './pack.mjs';
import { seconds } from '../host/step.mjs';

/*
 * npm test: everything, from a fresh clone. Ends with "N passed, N failed".
 * `npm test -- unit smoke` runs only the legs whose names contain one of the words.
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const LOGS = join(ROOT, '.cache', 'logs');
const JEST_REPORT = join(ROOT, '.cache', 'jest.json');
const SIGN_OF_LIFE_MS = 20_000;
const LEG_WITHIN_MS = 20 * 60_000;
const SHOWN_ON_FAILURE = 20_000;

const started = Date.now();
const inCi = process.env.CI === 'true';
const running = new Map();
const children = new Set();
const results = [];

async function main() {
	checkNode();
	const words = process.argv.slice(2);
	const legs = LEGS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
	if (legs.length === 0)
		throw new Error(`No leg is called ${words.join(' or ')}: ${LEGS.map(({ name }) => name).join(', ')}`);
	mkdirSync(LOGS, { recursive: true });

	const missing = await provide(needsOf(legs));
	for (const { name, why, fix } of missing) console.log(`This machine has no ${name} (${why}). To mend it: ${fix}`);
	const [possible, impossible] = split(legs, (leg) => !missing.some(({ name }) => needs(leg).includes(name)));
	for (const leg of impossible) {
		const { fix } = missing.find(({ name }) => needs(leg).includes(name));
		record(leg, { notRun: `mend it with: ${fix}` });
	}

	const alive = setInterval(showRunning, SIGN_OF_LIFE_MS);
	try {
		await runLegs(possible);
	} finally {
		clearInterval(alive);
	}
}

async function runLegs(legs) {
	const [source, n8n] = split(legs, ({ lane }) => lane === 'source');
	// Installing an n8n takes minutes and partly waits for the network: meanwhile the sources are checked.
	const installs = installInTurn([...new Set(n8n.map(({ host }) => host))]);
	try {
		await installDependencies(ROOT);
		const tarball = await build();
		if (tarball === undefined) {
			for (const leg of legs) record(leg, { failed: 1, why: 'there is no build to test' });
			return;
		}
		const env = { ...process.env, E2E_TARBALL: tarball, FORCE_COLOR: '0' };
		const waiting = [...n8n];
		const driveN8n = async () => {
			while (waiting.length > 0) {
				const leg = waiting.shift();
				const problem = await installs[leg.host];
				if (problem === undefined) await runLeg(leg, env);
				else record(leg, { failed: 1, why: problem });
			}
		};
		// An n8n mostly waits: what the source lane leaves free when it is done, a second one takes.
		await Promise.all([inTurn(source, (leg) => runLeg(leg, env)).then(driveN8n), driveN8n()]);
	} finally {
		await Promise.all(Object.values(installs));
	}
}

/** One after the other: two would take each other's processor time. Each promise gives what went wrong, if anything. */
function installInTurn(hosts) {
	const installs = {};
	let before = Promise.resolve();
	for (const host of hosts) {
		installs[host] = before
			.then(() => installHost(host))
			.then(
				() => undefined,
				(error) => error.message,
			);
		before = installs[host];
	}
	return installs;
}

async function build() {
	const leg = { name: 'build', counts: 'itself' };
	const begun = Date.now();
	try {
		const tarball = await packProject(ROOT);
		record(leg, { passed: 1, took: seconds(begun) });
		return tarball;
	} catch (error) {
		record(leg, { failed: 1, took: seconds(begun), why: error.message });
		return undefined;
	}
}

async function runLeg(leg, env) {
	const begun = Date.now();
	const log = join(LOGS, `${leg.name.replaceAll(/[ /]/g, '-')}.log`);
	if (leg.counts === 'jest') rmSync(JEST_REPORT, { force: true });
	running.set(leg.name, begun);
	const { code, output } = await capture(leg.line, { ...env, ...leg.env });
	running.delete(leg.name);
	writeFileSync(log, output);
	const counted = count(leg, code, output);
	record(leg, {
		...counted,
		took: seconds(begun),
		why: counted.failed > 0 ? output.slice(-SHOWN_ON_FAILURE) : undefined,
	});
}

function capture([program, ...args], env) {
	return new Promise((resolve) => {
		let output = '';
		const child = spawn(program, args, {
			cwd: ROOT,
			env: { ...env, PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${env.PATH}` },
			stdio: ['ignore', 'pipe', 'pipe'],
			shell: process.platform === 'win32',
		});
		children.add(child);
		const keep = (chunk) => (output += chunk);
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		const limit = setTimeout(() => {
			output += `\nended after ${LEG_WITHIN_MS / 60_000} minutes\n`;
			child.kill();
		}, LEG_WITHIN_MS);
		const end = (code) => {
			clearTimeout(limit);
			children.delete(child);
			resolve({ code, output });
		};
		child.on('error', (error) => {
			output += error.message;
			end(1);
		});
		child.on('close', end);
	});
}

/** A leg that ended badly has a failure, whatever it counted. */
function count({ counts }, code, output) {
	const { passed, failed } = counted[counts](output) ?? { passed: 0, failed: 0 };
	if (counts === 'itself') return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
	const endedBadly = code !== 0 || passed + failed === 0;
	return { passed, failed: failed === 0 && endedBadly ? 1 : failed };
}

const counted = {
	itself: () => undefined,
	jest() {
		try {
			const report = JSON.parse(readFileSync(JEST_REPORT, 'utf8'));
			// A skipped test proves nothing.
			const skipped = report.numPendingTests + report.numTodoTests;
			return {
				passed: report.numPassedTests,
				failed: report.numFailedTests + report.numRuntimeErrorTestSuites + skipped,
			};
		} catch {
			return undefined;
		}
	},
	'closing line'(output) {
		const [, passed, failed] = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? [];
		return passed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) };
	},
};

function record(leg, { passed = 0, failed = 0, took = '', why, notRun }) {
	const missed = notRun !== undefined && inCi ? 1 : 0;
	results.push({ name: leg.name, passed, failed: failed + missed, took, notRun });
	if (why) console.log(`\n${'-'.repeat(20)} ${leg.name}\n${why}\n${'-'.repeat(20)}`);
	console.log(line(results.at(-1)));
}

function line({ name, passed, failed, took, notRun }) {
	if (notRun !== undefined) return `- ${name}: not run, ${notRun}`;
	return `${failed > 0 ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed${took && ` (${took})`}`;
}

function showRunning() {
	const now = [...running].map(([name, since]) => `${name} (${seconds(since)})`).join(', ');
	if (now !== '') console.log(`  running: ${now}`);
}

function needsOf(legs) {
	return [...new Set(legs.flatMap(needs))];
}

/** A host that is there already was compiled before. */
function needs(leg) {
	return leg.needs.filter((need) => need !== 'compiler' || !isInstalled(leg.host));
}

function split(list, test) {
	return [list.filter(test), list.filter((each) => !test(each))];
}

async function inTurn(legs, run) {
	for (const leg of legs) await run(leg);
}

for (const signal of ['SIGINT', 'SIGTERM']) {
	process.on(signal, () => {
		for (const child of children) child.kill();
		process.exit(1);
	});
}

try {
	await main();
} catch (error) {
	console.log(error.message);
	results.push({ name: 'npm test itself', passed: 0, failed: 1, took: '' });
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${results.map(line).join('\n')}\n\nAll of it took ${seconds(started)}`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
