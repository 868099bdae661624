import { randomUUID } from 'node:crypto';
import { call, sideBySide } from '../test/e2e/callbacks/calls';
import { Receiver, SECRET, triggerNode } from '../test/e2e/callbacks/receiver';
import { chain, node } from '../test/e2e/workflow';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { conclude, quantile, table } from './report';

const calls = 100;
const rounds = 3;

/** Signed reports to the Seller Trigger beside calls of n8n's own Webhook node, 16 callers at once. */
export const run = (): Promise<boolean> => inReadsWorld(compare);

async function compare(world: ReadsWorld): Promise<boolean> {
	const { api, n8n } = world;
	const data = { baseUrl: world.serviceUrl, apiKey: 'bench', callbackSecret: SECRET };
	const credential = await api.createCredential('Seller', 'businessVerificationApi', data);
	const place = { api, n8n, sandbox: () => Promise.reject(new Error('There is no sandbox here')) };
	const receiver = await Receiver.started(place, triggerNode(credential));
	const webhook = await startWebhook(world);

	let refused = 0;
	const rate = async (urlOf: (ref: string) => string) => {
		const refs = Array.from({ length: calls }, () => `ref-${randomUUID()}`);
		const urls = refs.map((ref) => ({ ref, url: urlOf(ref) }));
		const started = performance.now();
		await sideBySide(16, urls, async ({ ref, url }) => {
			const { status } = await call(url, { status: 'complete', request_id: ref, seller_id: ref });
			if (status !== 200) refused++;
		});
		return calls / ((performance.now() - started) / 1_000);
	};
	const rates = { mine: [] as number[], webhook: [] as number[] };
	const signed = (ref: string) => receiver.sign({ ref });
	await Promise.all([rate(signed), rate(() => webhook)]);
	for (let round = 0; round < rounds; round++) {
		rates.mine.push(await rate(signed));
		rates.webhook.push(await rate(() => webhook));
	}
	const [mine, theirs] = [rates.mine, rates.webhook].map((all) => quantile(all, 0.5));
	table(
		`${calls} calls, 16 at once, medians of ${rounds} interleaved rounds`,
		['trigger', 'calls a second'],
		[
			['this node, signed and de-duplicated', mine.toFixed(1)],
			['Webhook node', theirs.toFixed(1)],
		],
	);
	const goals = [
		{ name: 'calls that were not answered 200', value: refused, atMost: 0 },
		{ name: 'times the Webhook node', value: mine / theirs, atLeast: 0.5 },
	];
	return conclude('callbacks', goals, { bars: { 'this node': 1, 'Webhook node': Number((mine / theirs).toFixed(2)) } });
}

async function startWebhook({ api, n8n }: ReadsWorld): Promise<string> {
	const path = randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived' };
	const trigger = node('Webhook', 'n8n-nodes-base.webhook', parameters, { typeVersion: 2, webhookId: path });
	const { id } = await api.createWorkflow(chain('Webhook', [trigger]));
	await api.activate(id);
	const url = `${n8n.url}/webhook/${path}`;
	await api.until('the Webhook node to listen', 30_000, async () => (await call(url, {})).status === 200);
	return url;
}
