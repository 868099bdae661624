import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox } from '../sandbox';
import { Client, OWNER, type Credential } from '../test/e2e/client';
import { example, exampleFiles, withCredentials, withLeads } from '../test/e2e/examples';
import { freePort, N8n } from '../test/e2e/n8n';
import { packedPackage } from '../test/e2e/package';
import { fetchedTokenData, JWT_TYPE, KEY_TYPE, keyData, PACKAGE, pastedTokenData } from '../test/e2e/verification';

/** The sandbox and a real n8n with owner, credentials and example workflows; started by `npm start`. */

const ROOT = resolve(__dirname, '..');
const KEPT_FOLDER = join(ROOT, '.cache', 'demo');
const N8N_PORT = 5678;
const SANDBOX_PORT = 4010;

const { values: options } = parseArgs({
	options: { check: { type: 'boolean', default: false }, fresh: { type: 'boolean', default: false } },
});

const started = Number(process.env.DEMO_STARTED ?? Date.now());

interface Demo {
	sandbox: Sandbox;
	n8n: N8n;
	api: Client;
}

async function main() {
	let closingLine = '';
	const folder = options.check ? mkdtempSync(join(tmpdir(), 'demo-')) : KEPT_FOLDER;
	if (options.fresh) rmSync(folder, { recursive: true, force: true });
	console.log('… starting the sandbox and n8n');
	const sandbox = await startSandbox({ port: await portNear(SANDBOX_PORT) });
	try {
		const n8n = await N8n.start({
			host: 'newest',
			tarballs: [packedPackage()],
			folder,
			port: await portNear(N8N_PORT),
		});
		try {
			const api = await Client.connect(n8n.url);
			const demo = { sandbox, n8n, api };
			await loadExamples(demo, await saveCredentials(demo));
			if (options.check) closingLine = await check(demo);
			else await show(demo);
		} finally {
			console.log('… stopping n8n');
			await n8n.stop();
		}
	} finally {
		await sandbox.close();
		if (options.check) rmSync(folder, { recursive: true, force: true });
	}
	if (closingLine) console.log(closingLine);
}

/** The sandbox has new secrets at every start: credentials of an earlier one get them too. */
async function saveCredentials({ api, sandbox }: Demo): Promise<Credential[]> {
	const there = await api.credentials();
	const wanted = [
		{ name: 'Sandbox (API key)', type: KEY_TYPE, data: keyData(sandbox) },
		{ name: 'Sandbox (token)', type: JWT_TYPE, data: pastedTokenData(sandbox) },
		{ name: 'Sandbox (client credentials)', type: JWT_TYPE, data: fetchedTokenData(sandbox) },
	];
	const saved: Credential[] = [];
	for (const { name, type, data } of wanted) {
		const before = there.find((credential) => credential.name === name);
		saved.push(await (before ? api.updateCredential(before, data) : api.createCredential(name, type, data)));
	}
	return saved;
}

/** Examples that are there already may hold somebody's changes and stay as they are. */
async function loadExamples({ api, n8n }: Demo, credentials: Credential[]) {
	const there = (await api.workflows()).map(({ name }) => name);
	for (const { name, nodes, connections, settings } of exampleFiles().map(example)) {
		if (there.includes(name)) continue;
		const connected = nodes.map((node) => withCredentials(withLeads(node, n8n, 1_000), credentials));
		await api.createWorkflow({ name, nodes: connected, connections, settings });
	}
}

async function show({ sandbox, n8n }: Demo) {
	const { organisation } = sandbox;
	console.log(`
  n8n ${n8n.version}     ${n8n.url}
  log in         ${OWNER.email} / ${OWNER.password}
  workflows      ${exampleFiles().length} from examples/

  sandbox        ${sandbox.url}   (what it can do: ${sandbox.url}/_sandbox/switches)
  API key        ${organisation.apiKey}
  token          ${organisation.jwt}

Ready after ${((Date.now() - started) / 1000).toFixed(0)} s. Stop with Ctrl-C; what you do in n8n is kept, \
\`npm start -- --fresh\` forgets it.`);
	await new Promise<void>((stop) => {
		atSignal = () => {
			atSignal = abandon;
			stop();
		};
	});
}

/** Prints one line for each thing that a person would find in the demo. */
async function check({ sandbox, n8n, api }: Demo): Promise<string> {
	const loaded = (await api.workflows()).map(({ name }) => name);
	const types = (await api.nodeTypes()).map(({ name }) => name);
	const credentials = (await api.credentials()).map(({ type }) => type);
	const profile = await fetch(`${sandbox.url}/v1/users/me`, {
		headers: { authorization: `Bearer ${sandbox.organisation.apiKey}` },
	});
	const found: Record<string, boolean> = {
		'the sandbox answers': profile.status === 200,
		'n8n knows the node': types.includes(`${PACKAGE}.businessVerification`),
		'credentials of both kinds are there': [KEY_TYPE, JWT_TYPE].every((type) => credentials.includes(type)),
		'there are examples': exampleFiles().length > 0,
	};
	for (const { name } of exampleFiles().map(example)) found[`the example "${name}" is loaded`] = loaded.includes(name);
	const failed = Object.values(found).filter((holds) => !holds).length;
	for (const [what, holds] of Object.entries(found)) console.log(`  ${holds ? '✓' : '✗'} ${what}`);
	if (failed > 0) console.log(n8n.log().slice(-2000));
	process.exitCode = failed === 0 ? 0 : 1;
	return `${Object.keys(found).length - failed} passed, ${failed} failed`;
}

/** The usual port, so that bookmarks work, unless somebody has it. */
function portNear(usual: number): Promise<number> {
	if (options.check) return freePort();
	return new Promise((resolvePort) => {
		const server = createServer();
		server.once('error', () => resolvePort(freePort()));
		server.listen(usual, '127.0.0.1', () => server.close(() => resolvePort(usual)));
	});
}

// Leaving by exit() ends n8n too; a second Ctrl-C does not wait.
const abandon = (): void => process.exit(1);
let atSignal = abandon;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => atSignal());

main().catch((error) => {
	console.log(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
