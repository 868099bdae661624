import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installHost, isInstalled } from '../host/install.mjs';
import { checkNode, installDependencies, provide } from './machine.mjs';
import { packProject } from './pack.mjs';

/*
 * npm start: the demo, from a fresh clone.
 *   -- --fresh   forgets what was done in the demo's n8n before
 *   -- --check   starts it, looks whether everything is there, and stops
 *   -- --port N  where n8n answers
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const HOST = 'newest';

async function main() {
	const started = Date.now();
	// An unknown option ends here, before anything is built.
	parseArgs({ options: { check: { type: 'boolean' }, fresh: { type: 'boolean' }, port: { type: 'string' } } });
	checkNode();
	if (!isInstalled(HOST)) {
		const missing = await provide(['compiler']);
		for (const { name, why, fix } of missing) console.log(`This machine has no ${name} (${why}). To mend it: ${fix}`);
		if (missing.length > 0) return 1;
	}
	const host = installHost(HOST);
	// Whoever has packed already tests that package: packing again would pull it away under the others.
	const tarball = installDependencies(ROOT).then(() => process.env.E2E_TARBALL ?? packProject(ROOT));
	// Both to their end, so that nothing is cut off half-way when one of them fails.
	const [, packed] = await Promise.allSettled([host, tarball]).then(() => Promise.all([host, tarball]));
	return runDemo({ ...process.env, E2E_TARBALL: packed, DEMO_STARTED: String(started) });
}

/** The demo is a program of its own in TypeScript, which could not run before the dependencies were there. */
function runDemo(env) {
	const args = ['--import', 'tsx', join(ROOT, 'scripts', 'demo.ts'), ...process.argv.slice(2)];
	const demo = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
	// Ctrl-C reaches the demo by itself: this one only waits until it has cleaned up.
	atSignal = { SIGINT: () => {}, SIGTERM: () => demo.kill() };
	return new Promise((resolve) => demo.on('close', (code) => resolve(code ?? 1)));
}

// Leaving by exit() ends the step that is under way.
let atSignal = { SIGINT: () => process.exit(1), SIGTERM: () => process.exit(1) };
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => atSignal[signal]());

main().then(
	(code) => (process.exitCode = code),
	(error) => {
		console.log(error.message);
		process.exitCode = 1;
	},
);
