import { randomUUID } from 'node:crypto';
import { call, sideBySide } from '../test/e2e/callbacks/calls';
import { Receiver, SECRET, triggerNode } from '../test/e2e/callbacks/receiver';
import { chain, node } from '../test/e2e/workflow';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { besideFloor, conclude, quantile, table } from './report';

const calls = 60;
const rounds = 3;

/** Signed reports to the Seller Trigger beside calls of n8n's own Webhook node, 16 callers at once. */
export const run = (): Promise<boolean> => inReadsWorld(compare);

async function compare(world: ReadsWorld): Promise<boolean> {
	const { api, n8n } = world;
	const data = { baseUrl: world.serviceUrl, apiKey: 'bench', callbackSecret: SECRET };
	const credential = await api.createCredential('Seller', 'businessVerificationApi', data);
	const place = { api, n8n, sandbox: () => Promise.reject(new Error('There is no sandbox here')) };
	const receiver = await Receiver.started(place, triggerNode(credential));
	const webhook = await startWebhook(world, 'n8n-nodes-base.webhook');
	const bare = await startWebhook(world, 'n8n-nodes-bench.bareTrigger');

	let refused = 0;
	const rate = async (urlOf: (ref: string) => string, count = calls) => {
		const refs = Array.from({ length: count }, () => `ref-${randomUUID()}`);
		const urls = refs.map((ref) => ({ ref, url: urlOf(ref) }));
		const started = performance.now();
		await sideBySide(16, urls, async ({ ref, url }) => {
			const { status } = await call(url, { status: 'complete', request_id: ref, seller_id: ref });
			if (status !== 200) refused++;
		});
		return count / ((performance.now() - started) / 1_000);
	};
	const rates = { mine: [] as number[], bare: [] as number[], webhook: [] as number[] };
	const signed = (ref: string) => receiver.sign({ ref });
	for (const urlOf of [signed, () => bare, () => webhook]) await rate(urlOf, 16);
	for (let round = 0; round < rounds; round++) {
		rates.mine.push(await rate(signed));
		rates.bare.push(await rate(() => bare));
		rates.webhook.push(await rate(() => webhook));
	}
	const [mine, floor, theirs] = [rates.mine, rates.bare, rates.webhook].map((all) => quantile(all, 0.5));
	table(
		`${calls} calls, 16 at once, medians of ${rounds} interleaved rounds`,
		['trigger', 'calls a second'],
		[
			['this node, signed and de-duplicated', mine.toFixed(1)],
			['a trigger that does nothing', floor.toFixed(1)],
			['Webhook node', theirs.toFixed(1)],
		],
	);
	const goals = [
		{ name: 'calls that were not answered 200', value: refused, atMost: 0 },
		besideFloor(
			{ name: 'times the Webhook node', value: mine / theirs, atLeast: 0.5 },
			floor / theirs,
			'a trigger that does nothing',
		),
	];
	return conclude('callbacks', goals);
}

async function startWebhook({ api, n8n }: ReadsWorld, type: string): Promise<string> {
	const webhookId = randomUUID();
	const isOwn = type === 'n8n-nodes-base.webhook';
	const parameters = isOwn ? { httpMethod: 'POST', path: webhookId, responseMode: 'onReceived' } : {};
	const trigger = node('Trigger', type, parameters, { typeVersion: isOwn ? 2 : 1, webhookId });
	const { id } = await api.createWorkflow(chain('Is called', [trigger]));
	await api.activate(id);
	const url = `${n8n.url}/webhook/${webhookId}${isOwn ? '' : '/bare'}`;
	await api.until(`${type} to listen`, async () => (await call(url, {})).status === 200);
	return url;
}
