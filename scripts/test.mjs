import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installHost, isInstalled } from '../host/install.mjs';
import { chosen, leftOut, reportOf } from './legs.mjs';
import { checkNode, installDependencies, provide } from './machine.mjs';
import { packProject } from './pack.mjs';
import { seconds } from '../host/step.mjs';

/*
 * From a fresh clone; ends with "N passed, N failed".
 *   npm test                  the fast way: seven minutes of two cores
 *   npm test -- all           everything, on both hosts
 *   npm test -- unit smoke    the legs of these names
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const LOGS = join(ROOT, '.cache', 'logs');
const SIGN_OF_LIFE_MS = 20_000;
const MINUTE_MS = 60_000;
/** Beside other work a leg may take an hour, so silence is what shows that it hangs. */
const SILENT_MS = 30 * MINUTE_MS;
const SHOWN_ON_FAILURE = 20_000;
/** Beside the legs of the sources: an n8n mostly waits. */
const LANES_OF_N8N = 2;

const started = Date.now();
const inCi = process.env.CI === 'true';
const running = new Map();
const children = new Set();
const results = [];

async function main() {
	checkNode();
	const { positionals } = parseArgs({ allowPositionals: true });
	const legs = chosen(positionals);
	mkdirSync(LOGS, { recursive: true });

	const missing = await provide(needsOf(legs));
	for (const { name, why, fix } of missing) console.log(`This machine has no ${name} (${why}). To mend it: ${fix}`);
	const [possible, impossible] = split(legs, (leg) => !missing.some(({ name }) => needs(leg).includes(name)));
	for (const leg of impossible) {
		const lacks = missing.filter(({ name }) => needs(leg).includes(name));
		record(leg, { notRun: `mend it with: ${lacks.map(({ fix }) => fix).join('; ')}` });
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
		const waiting = processesOf(n8n);
		const driveN8n = async () => {
			while (waiting.length > 0) {
				const legsOfOne = waiting.shift();
				const problem = await installs[legsOfOne[0].host];
				if (problem !== undefined) for (const leg of legsOfOne) record(leg, { failed: 1, why: problem });
				else await (legsOfOne[0].suite === undefined ? runLeg(legsOfOne[0], env) : runSuites(legsOfOne, env));
			}
		};
		const lanes = Array.from({ length: LANES_OF_N8N }, driveN8n);
		await Promise.all([inTurn(source, (leg) => runLeg(leg, env)).then(driveN8n), ...lanes]);
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
		record(leg, { passed: 1, took: Date.now() - begun });
		return tarball;
	} catch (error) {
		record(leg, { failed: 1, took: Date.now() - begun, why: error.message });
		return undefined;
	}
}

function processesOf(legs) {
	const byProcess = new Map();
	for (const leg of legs) {
		const key = leg.process?.key ?? leg.name;
		byProcess.set(key, [...(byProcess.get(key) ?? []), leg]);
	}
	return [...byProcess.values()];
}

async function runLeg(leg, env) {
	const begun = Date.now();
	if (leg.counts === 'jest') rmSync(join(ROOT, reportOf(leg.name)), { force: true });
	running.set(leg.name, begun);
	const { code, output } = await capture(leg.line, { ...env, ...leg.env });
	running.delete(leg.name);
	writeLog(leg.name, output);
	const counted = count(leg, code, output);
	record(leg, {
		...counted,
		took: Date.now() - begun,
		why: counted.failed > 0 ? output.slice(-SHOWN_ON_FAILURE) : undefined,
	});
}

/** Several suites in one process: each is recorded as soon as it says that it has ended. */
async function runSuites(legs, env) {
	const left = [...legs];
	let begun = Date.now();
	let read = 0;
	const take = (output, counted) => {
		const leg = left.shift();
		const own = output.slice(read);
		read = output.length;
		running.delete(leg.name);
		writeLog(leg.name, own);
		record(leg, {
			...counted,
			took: Date.now() - begun,
			why: counted.failed > 0 ? own.slice(-SHOWN_ON_FAILURE) : undefined,
		});
		begun = Date.now();
		if (left.length > 0) running.set(left[0].name, begun);
	};
	running.set(left[0].name, begun);
	const line = [...legs[0].process.line, ...legs.map(({ suite }) => suite)];
	const hear = (soFar) => {
		for (let ended; left.length > 0 && (ended = endOf(left[0].suite).exec(soFar.slice(read))) !== null;) {
			const [whole, passed, failed] = ended;
			take(soFar.slice(0, read + ended.index + whole.length), { passed: Number(passed), failed: Number(failed) });
		}
	};
	const { code, output } = await capture(line, env, hear);
	while (left.length > 0) take(output, { passed: 0, failed: 1 });
	if (code !== 0 && legs.every(({ name }) => results.find((result) => result.name === name).failed === 0)) {
		record({ name: legs.at(-1).process.key }, { failed: 1, why: output.slice(-SHOWN_ON_FAILURE) });
	}
}

const endOf = (suite) => new RegExp(`^${suite} on \\S+: (\\d+) passed, (\\d+) failed .*$`, 'm');

const writeLog = (name, output) => writeFileSync(join(LOGS, `${name}.log`), output);

function capture([program, ...args], env, hear = () => {}) {
	return new Promise((resolve) => {
		let output = '';
		const child = spawn(program, args, {
			cwd: ROOT,
			env: { ...env, PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${env.PATH}` },
			stdio: ['ignore', 'pipe', 'pipe'],
			shell: process.platform === 'win32',
		});
		children.add(child);
		const keep = (chunk) => {
			output += chunk;
			limit.refresh();
			hear(output);
		};
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		const limit = setTimeout(() => {
			output += `\nended after ${SILENT_MS / MINUTE_MS} silent minutes\n`;
			child.kill();
		}, SILENT_MS);
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
function count({ name, counts }, code, output) {
	const { passed, failed } = counted[counts](output, name) ?? { passed: 0, failed: 0 };
	if (counts === 'itself') return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
	const endedBadly = code !== 0 || passed + failed === 0;
	return { passed, failed: failed === 0 && endedBadly ? 1 : failed };
}

const counted = {
	itself: () => undefined,
	jest(_output, name) {
		try {
			const report = JSON.parse(readFileSync(join(ROOT, reportOf(name)), 'utf8'));
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

/** In CI, a leg that lacks what could be installed has failed. */
function record(leg, { passed = 0, failed = 0, took = 0, why, notRun }) {
	const missed = notRun !== undefined && inCi ? 1 : 0;
	results.push({ name: leg.name, passed, failed: failed + missed, took, notRun });
	if (why) console.log(`\n${'-'.repeat(20)} ${leg.name}\n${why}\n${'-'.repeat(20)}`);
	console.log(line(results.at(-1)));
}

function line({ name, passed, failed, took, notRun }) {
	if (notRun !== undefined) return `- ${name}: not run, ${notRun}`;
	return `${failed > 0 ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed${took > 0 ? ` (${inSeconds(took)})` : ''}`;
}

function showRunning() {
	const now = [...running].map(([name, since]) => `${name} (${seconds(since)})`).join(', ');
	if (now !== '') console.log(`  running: ${now}`);
}

const inSeconds = (ms) => `${(ms / 1000).toFixed(0)} s`;

/** Legs run side by side, so their seconds add up to more than the run took. */
function showLegs() {
	const rows = results.filter(({ took }) => took > 0).sort((a, b) => b.took - a.took);
	console.log(`\n| leg | seconds |\n|---|---|`);
	for (const { name, took } of rows) console.log(`| ${name} | ${Math.round(took / 1000)} |`);
	console.log(`| all, by the clock, load ${loadavg()[1].toFixed(1)} | ${Math.round((Date.now() - started) / 1000)} |`);
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
	results.push({ name: 'npm test itself', passed: 0, failed: 1, took: 0 });
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${results.map(line).join('\n')}`);
showLegs();
if (process.argv.includes('all')) console.log(`Left out: ${leftOut().join(', ')}`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
