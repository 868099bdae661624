import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findHost } from '../../../host/find.mjs';
import { call } from '../callbacks/calls';
import { Receiver, sellerCredential, triggerNode } from '../callbacks/receiver';
import { Client, outputJson, type Credential } from '../client';
import { N8n } from '../n8n';
import { packedPackage } from '../package';
import { Registry } from '../registry';
import { savedWorkflows, SavedOperations } from '../saved';
import type { Suite } from '../suite';
import { Watched } from '../triggers/watched';
import { PACKAGE } from '../verification';
import { chain, itemsNode, manualTrigger } from '../workflow';

const { version } = JSON.parse(readFileSync(join(__dirname, '..', '..', '..', 'package.json'), 'utf8'));
const next = version.replace(/\d+$/, (patch: string) => String(Number(patch) + 1));

let registry: Registry;

/** From a registry into n8n by n8n's own installer, on to the next version, and out again. */
const install: Suite = {
	async prepare(host) {
		registry = await Registry.start();
		const { env } = await findHost(host);
		return { env: registry.env(env.PATH), tarballs: [], close: () => registry.close() };
	},

	checks(world) {
		const { api, n8n, sandbox, host } = world;
		let credential: Credential;
		let operations: SavedOperations;
		let before: Awaited<ReturnType<SavedOperations['effects']>>;
		let watched: Watched;
		let receiver: Receiver;
		let other: string;

		const ours = async () => (await api.nodeTypes()).map(({ name }) => name).filter((name) => name.startsWith(PACKAGE));
		const installed = async () =>
			(await api.get('/rest/community-packages')).map(
				({ packageName, installedVersion, updateAvailable, installedNodes, failedLoading }: any) => ({
					packageName,
					installedVersion,
					...(updateAvailable && { updateAvailable }),
					...(failedLoading && { failedLoading }),
					nodes: installedNodes.map(({ type }: { type: string }) => type).sort(),
				}),
			);
		// Which version is the newest, the older n8n asks the public registry only.
		const named = (number: string) => ({ name: PACKAGE, ...(host === 'oldest' && { version: number }) });
		const nodes = [
			`${PACKAGE}.businessVerification`,
			`${PACKAGE}.businessVerificationSellerTrigger`,
			`${PACKAGE}.businessVerificationTrigger`,
		];
		const otherRuns = async () => assert.deepEqual(outputJson(await api.run(other), 'Items'), [{ healthy: true }]);

		return {
			"n8n's installer fetches the package and loads it": async () => {
				await registry.publish(packedPackage());
				await api.post('/rest/community-packages', named(version));
				assert.deepEqual(await installed(), [{ packageName: PACKAGE, installedVersion: version, nodes }]);
				await api.until('n8n to know the nodes', async () => (await ours()).length >= nodes.length);
				assert.deepEqual((await ours()).filter((name) => !name.endsWith('Tool')).sort(), nodes);
			},

			'workflows of every operation and trigger are saved, and run': async () => {
				const service = await sandbox();
				credential = await sellerCredential(world);
				other = (await api.createWorkflow(chain('Other', [manualTrigger(), itemsNode([{ healthy: true }])]))).id;
				operations = await SavedOperations.create(api, service, credential, version);
				before = await operations.effects();
				for (const [operation, { status, error }] of Object.entries(before))
					assert.deepEqual([operation, status, error], [operation, 'success', undefined]);

				const { triggers } = savedWorkflows(version);
				service.reset();
				service.switches.lifecycle = 'manual';
				watched = await Watched.start(world, triggers.businessVerificationTrigger);
				await watched.polls(1);
				receiver = await Receiver.started(world, triggerNode(credential, triggers.businessVerificationSellerTrigger));
				assert.equal((await call(receiver.sign({ ref: 'first' }), { request_id: 'r1' })).status, 200);
				assert.equal(await receiver.executions(1), 1);
			},

			'n8n shows that there is a newer version, and its update loads it': async () => {
				await registry.publish(packedPackage(), next);
				const [{ updateAvailable }] = await installed();
				assert.equal(updateAvailable, next);
				await api.patch('/rest/community-packages', named(next));
				assert.deepEqual(await installed(), [{ packageName: PACKAGE, installedVersion: next, nodes }]);
			},

			'active triggers go on, and remember what they have reported': async () => {
				const service = await sandbox();
				const [ended] = service.inquiries.seed(1, { status: 'RUNNING', tags: ['priority'], externalIdPrefix: 'crm-' });
				service.inquiries.finish(ended);
				const { events } = await watched.news(1);
				assert.deepEqual(
					events.map(({ id, status }) => [id, status]),
					[[ended, 'COMPLETED']],
				);
				assert.equal((await call(receiver.sign({ ref: 'second' }), { request_id: 'r2' })).status, 200);
				assert.equal(await receiver.executions(2), 2);
				assert.deepEqual(await receiver.refs(), ['first', 'second']);
				await watched.stop();
			},

			'every saved workflow still does the same': async () => {
				assert.deepEqual(await operations.effects(), before);
			},

			'uninstalled, it leaves n8n as it was, also after a start': async () => {
				await api.send('DELETE', `/rest/community-packages?name=${PACKAGE}`);
				// n8n answers before it has written its list anew.
				await api.until('n8n to forget the nodes', async () => (await ours()).length === 0);
				assert.deepEqual(await installed(), []);
				await otherRuns();
				await n8n.restart();
				await api.logIn();
				assert.deepEqual([await ours(), await installed()], [[], []]);
				await otherRuns();
				assert.equal((await api.workflow(receiver.workflowId)).nodes.length, 1);
				const said = await api.run(operations.workflowOf('user.getProfile')).then(
					({ error }) => error?.message,
					({ message }) => message,
				);
				assert.match(said, /Unrecognized node type/);
			},

			'installed again, the saved workflows are whole': async () => {
				await api.post('/rest/community-packages', named(next));
				assert.deepEqual((await operations.effects())['user.getProfile'], before['user.getProfile']);
			},

			'where unverified packages are not allowed, as n8n 3 has it from the start, n8n says so': async () => {
				await n8n.stop();
				const { env } = await findHost(host);
				const strict = await N8n.start({
					host,
					folder: n8n.folder,
					env: { PATH: env.PATH, N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' },
				});
				try {
					const there = await Client.connect(strict.url);
					const { data } = await there.send(
						'POST',
						'/rest/community-packages',
						{ name: `${PACKAGE}-other` },
						[400, 500],
					);
					assert.match(data.message, /Installation of unverified community packages is forbidden/);
				} finally {
					await strict.stop();
				}
			},
		};
	},
};

export default install;
