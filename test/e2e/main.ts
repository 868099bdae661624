import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { findHost } from '../../host/find.mjs';
import { HOSTS, type HostName } from '../../host/install.mjs';
import { Browser } from './browser';
import { Client } from './client';
import { N8n, type N8nOptions } from './n8n';
import { packedPackage } from './package';
import { chosenProfile, PROFILE_NAMES, profileSettings, useProfile } from './profiles';
import type { Sandbox, Size, Suite, World } from './suite';

const SUITES = join(__dirname, 'suites');

interface Tally {
	passed: number;
	failed: number;
}

async function main() {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: {
			host: { type: 'string', default: 'newest' },
			profile: { type: 'string' },
			runs: { type: 'string' },
			rows: { type: 'string' },
		},
	});
	const known = readdirSync(SUITES).map((file) => basename(file, '.ts'));
	const hosts = values.host === 'both' ? HOSTS : [values.host];
	const profile = PROFILE_NAMES.find((name) => name === values.profile);
	const unknown = positionals.filter((name) => !known.includes(name));
	if (positionals.length === 0 || unknown.length > 0 || profile !== values.profile) {
		console.log(
			`npm run e2e -- <suite…> [--host ${HOSTS.join('|')}|both|<folder>|<image>] [--profile ${PROFILE_NAMES.join('|')}] [--runs N] [--rows N]\nSuites: ${known.join(', ')}`,
		);
		process.exitCode = 2;
		return;
	}
	if (profile !== undefined) useProfile(profile);
	// A name that nobody knows ends the run before anything is built.
	for (const host of hosts) await findHost(host);
	const tally: Tally = { passed: 0, failed: 0 };
	for (const host of hosts) await runSuites(positionals, host, sizeOf(values), tally);
	console.log(`${tally.passed} passed, ${tally.failed} failed`);
	process.exitCode = tally.failed === 0 ? 0 : 1;
}

/** Some suites can be run larger than `npm test` runs them. */
function sizeOf({ runs, rows }: { runs?: string; rows?: string }): Size {
	return { ...(runs !== undefined && { runs: Number(runs) }), ...(rows !== undefined && { rows: Number(rows) }) };
}

/** Suites that need no settings of their own share one n8n: each finds it as empty as the first did. */
async function runSuites(names: string[], host: HostName, size: Size, tally: Tally) {
	let shared: { n8n: N8n; api: Client } | undefined;
	const usual = async () => {
		if (shared === undefined || !shared.n8n.isRunning) {
			await shared?.n8n.dispose();
			shared = await started({ host, tarballs: [packedPackage()], env: profileSettings() });
		} else {
			await shared.api.empty();
		}
		return shared;
	};
	for (const name of names) {
		const before = { ...tally };
		const begun = Date.now();
		await runSuite(name, host, size, tally, usual);
		console.log(
			`${name} on ${host}: ${tally.passed - before.passed} passed, ${tally.failed - before.failed} failed (${since(begun)})`,
		);
	}
	await shared?.n8n.dispose();
}

async function started(options: N8nOptions) {
	const begun = Date.now();
	const n8n = await N8n.start(options);
	const api = await Client.connect(n8n.url);
	console.log(`  n8n ${n8n.version} is ready (${since(begun)})`);
	return { n8n, api };
}

async function runSuite(
	name: string,
	host: HostName,
	size: Size,
	tally: Tally,
	usual: () => Promise<{ n8n: N8n; api: Client }>,
) {
	const closing: Array<() => Promise<unknown>> = [];
	const once = <T>(open: () => Promise<T>, close: (value: T) => Promise<unknown>) => {
		let opened: Promise<T> | undefined;
		return () => (opened ??= open().then((value) => (closing.unshift(() => close(value)), value)));
	};
	let logs = (): Record<string, string> => ({});
	const failedBefore = tally.failed;
	const profile = chosenProfile();
	console.log(`\n${name} on ${host}${profile === undefined ? '' : ` as ${profile}`}`);
	try {
		const suite: Suite = (await import(join(SUITES, `${name}.ts`))).default;
		const prepared = await suite.prepare?.(host);
		if (prepared) closing.push(() => prepared.close());
		const own = async () => {
			const tarballs = prepared?.tarballs ?? [packedPackage()];
			const running = await started({ host, tarballs, env: { ...suite.env, ...prepared?.env, ...profileSettings() } });
			closing.unshift(() => running.n8n.dispose());
			return running;
		};
		const place = await (suite.env === undefined && prepared === undefined ? usual() : own());
		const { url } = place.n8n;
		logs = () => ({ n8n: place.n8n.log(), ...prepared?.logs?.() });
		const world: World = {
			host,
			profile,
			size,
			...place,
			sandbox: once(startSandbox, (sandbox) => sandbox.close()),
			browser: once(
				() => Browser.open(url),
				(browser) => browser.close(),
			),
		};
		for (const [what, check] of Object.entries(suite.checks(world))) await runCheck(what, check, tally);
	} catch (error) {
		tally.failed++;
		console.log(`  ✗ the suite could not run: ${described(error)}`);
	}
	if (tally.failed > failedBefore) {
		for (const [of, log] of Object.entries(logs())) console.log(`  The end of the log of ${of}:\n${log.slice(-2000)}`);
	}
	for (const close of closing) await close().catch((error) => console.log(`  could not clean up: ${described(error)}`));
}

async function runCheck(what: string, check: () => Promise<void>, tally: Tally) {
	const started = Date.now();
	try {
		await check();
		tally.passed++;
		console.log(`  ✓ ${what} (${since(started)})`);
	} catch (error) {
		tally.failed++;
		console.log(`  ✗ ${what} (${since(started)})\n${described(error)}`);
	}
}

/** Node shortens what an assertion expected and saw: here they are shown whole. */
function described(error: unknown) {
	if (!(error instanceof Error)) return inspect(error);
	const at =
		error.stack
			?.split('\n')
			.find((line) => line.includes(SUITES))
			?.trim() ?? '';
	if (!('expected' in error && 'actual' in error)) return `${error.message}\n${at}`;
	const show = (value: unknown) => inspect(value, { depth: 12, breakLength: 100 });
	return `${error.message}\nexpected: ${show(error.expected)}\nseen:     ${show(error.actual)}\n${at}`;
}

async function startSandbox(): Promise<Sandbox> {
	const { startSandbox } = await import('../../sandbox');
	return startSandbox();
}

const since = (started: number) => `${((Date.now() - started) / 1000).toFixed(1)} s`;

// Leaving by exit() ends what the run has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

main().catch((error) => {
	console.log(described(error));
	console.log('0 passed, 1 failed');
	process.exitCode = 1;
});
