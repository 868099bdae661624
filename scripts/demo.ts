import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox';
import { Client, OWNER, type Credential } from '../test/e2e/client';
import { exampleFiles } from '../test/e2e/examples';
import { freePort, N8n } from '../test/e2e/n8n';
import { packedPackage } from '../test/e2e/package';
import { loadExamples, type Place, postSeller } from '../test/e2e/stories/place';
import { stories } from '../test/e2e/stories/stories';
import { clientLoginData, JWT_TYPE, KEY_TYPE, keyData, OAUTH2_TYPE, pastedTokenData } from '../test/e2e/verification';

/** The sandbox and a real n8n with owner, credentials and example workflows; started by `npm start`. */

const ROOT = resolve(__dirname, '..');
const KEPT_FOLDER = join(ROOT, '.cache', 'demo');
const N8N_PORT = 5678;
const SANDBOX_PORT = 4010;
const CALLBACK_SECRET = 'a secret for the callbacks of the demo';

const { values: options } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		fresh: { type: 'boolean', default: false },
		port: { type: 'string', default: String(N8N_PORT) },
	},
});

const started = Date.now();
const since = (begun: number) => `${((Date.now() - begun) / 1000).toFixed(0)} s`;

async function main() {
	let closingLine = '';
	const folder = options.check ? mkdtempSync(join(tmpdir(), 'demo-')) : KEPT_FOLDER;
	if (options.fresh) rmSync(folder, { recursive: true, force: true });
	console.log('… starting the sandbox and n8n');
	const switches = { ends: 'varied', sellerMs: 2_000, callbackRetries: 100 } as const;
	const sandbox = await startSandbox({ port: await portNear(SANDBOX_PORT), switches });
	try {
		const n8n = await N8n.start({
			host: 'newest',
			tarballs: [packedPackage()],
			folder,
			port: await portNear(Number(options.port)),
		});
		try {
			const api = await Client.connect(n8n.url);
			// So that lists and samples are not blank at first.
			sandbox.inquiries.seed(20, { externalIdPrefix: 'demo-', scorecardScore: 82 });
			sandbox.inquiries.seed(4, { externalIdPrefix: 'demo-failed-', status: 'FAILED' });
			const credentials = await saveCredentials(api, sandbox);
			const place = await loadExamples({ api, n8n, sandbox }, credentials);
			if (options.check) closingLine = await check(place);
			else await show(place);
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
async function saveCredentials(api: Client, sandbox: Place['sandbox']): Promise<Credential[]> {
	const there = await api.credentials();
	const wanted = [
		{ name: 'Sandbox (API key)', type: KEY_TYPE, data: keyData(sandbox) },
		{ name: 'Sandbox (token)', type: JWT_TYPE, data: pastedTokenData(sandbox) },
		{ name: 'Sandbox (client credentials)', type: OAUTH2_TYPE, data: clientLoginData(sandbox) },
	];
	const saved: Credential[] = [];
	for (const { name, type, data: access } of wanted) {
		const data = { ...access, callbackSecret: CALLBACK_SECRET };
		const before = there.find((credential) => credential.name === name && credential.type === type);
		saved.push(await (before ? api.updateCredential(before, data) : api.createCredential(name, type, data)));
	}
	return saved;
}

/** What a person may do next. */
async function show(place: Place) {
	const { api, n8n, sandbox, ids } = place;
	const reports = 'seller-report-to-crm.json';
	if (!(await api.workflow(ids[reports])).active) await api.activate(ids[reports]);
	// A person may have chosen its 'Header Auth'.
	await postSeller(place).catch(() => undefined);
	console.log(`
Ready after ${since(Number(process.env.DEMO_STARTED ?? started))}. What to do next:

  1. Open       ${n8n.url}
  2. Log in     ${OWNER.email} / ${OWNER.password}
  3. Open       the workflow "Verify the rows of a CSV file …", one of ${exampleFiles().length}
  4. Click      "Execute workflow", then open the last two nodes
  5. Try        the other workflows: those that need no other account run with one click

The mock service decides by the exact name: "Mountain Dairy" fails, "Lake Motors" is PARTIAL_SUCCESS,
and others end as their names decide, most within seconds, some after two minutes.
Your own credential: Base URL ${sandbox.url}, API Key ${sandbox.organization.apiKey}
Stop with Ctrl-C. Your changes in n8n are kept; \`npm start -- --fresh\` deletes them.`);
	await new Promise<void>((stop) => {
		atSignal = () => {
			atSignal = abandon;
			stop();
		};
	});
}

/** Plays what the person is told to click first; the suites 'stories' and 'partners' play the others, but for those of agents. */
async function check(place: Place): Promise<string> {
	console.log(`  ${await stories['sheet-import-offline.json'](place)}`);
	return '1 passed, 0 failed';
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
