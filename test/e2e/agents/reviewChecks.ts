import assert from 'node:assert/strict';
import fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import type { Credential } from '../client';
import type { Checks, World } from '../suite';
import { createKeyCredential } from '../verification';
import { Model } from './model';
import { reviewedWorkflow, tool } from './workflows';

const business = (businessName: string) => ({ businessName, businessCity: 'Springfield', businessState: 'IL' });
/** As docs/agents.md has it. */
const message =
	'=Verify {{ $tool.parameters.businessName }} in {{ $tool.parameters.businessCity }}, {{ $tool.parameters.businessState }}? This costs money.';

interface Sent {
	text: string;
	reply_markup: { inline_keyboard: Array<Array<{ text: string; url: string }>> };
}

/** The messenger of a person who reviews what an agent wants: keeps what n8n sends. */
async function startMessenger() {
	const server = fastify();
	const sent: Sent[] = [];
	server.post('/bottoken/sendMessage', (request) => {
		sent.push(request.body as Sent);
		return { ok: true, result: { message_id: sent.length } };
	});
	await server.listen({ host: '127.0.0.1', port: 0 });
	return {
		sent,
		url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
		close: () => server.close(),
	};
}

/** n8n answers what looks like a program with an empty page: messengers open links for a preview, which is no approval. */
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** A person stands between the AI Agent and a tool that is billed: nothing goes out before, and an answer is followed to its end. */
export function reviewChecks({ api, sandbox }: World): Checks {
	/** An agent that wants to verify this business, a person who answers, and what came of it. */
	const reviewed = async (name: string, answer: 'Approve' | 'Decline') => {
		const service = await sandbox();
		service.reset();
		const model = await Model.start();
		const messenger = await startMessenger();
		try {
			const chat = await api.createCredential('Model', 'openAiApi', { apiKey: 'none', url: model.url });
			const bot: Credential = await api.createCredential('Messenger', 'telegramApi', {
				accessToken: 'token',
				baseUrl: messenger.url,
			});
			const create = tool(await createKeyCredential(api, service), 'inquiry', 'create');
			model.says(
				// A reviewed tool is offered with its arguments one level down.
				() => ({ tool: 'inquiry_create', args: { toolParameters: business(name), hitlParameters: {} } }),
				() => 'Done.',
			);
			const { id } = await api.createWorkflow(reviewedWorkflow(chat, bot, message, create));
			const executionId = await api.startRun(id);
			await api.until('the question', async () => messenger.sent.length === 1);
			const asleep = async () => (await api.execution(executionId)).status === 'waiting';
			await api.until('the execution to wait', asleep);
			assert.deepEqual([service.ledger.length, service.requests.length], [0, 0]);
			const [{ text, reply_markup: markup }] = messenger.sent;
			assert.ok(text.startsWith(`Verify ${name} in Springfield, IL? This costs money.`), text);
			const { url } = markup.inline_keyboard.flat().find((button) => button.text.includes(answer))!;
			// The second time as a person does who is not sure whether the first click counted.
			for (let click = 1; click <= 2; click++) {
				const { status } = await fetch(url, { headers: browser });
				if (click === 1) assert.equal(status, 200);
			}
			const execution = await api.ended(executionId);
			assert.deepEqual([execution.status, execution.error?.message], ['success', undefined]);
			assert.match(JSON.stringify(execution.runs.Agent.at(-1)), /Done\./);
			assert.equal(messenger.sent.length, 1);
			return { service, heard: model.heard, runs: execution.runs[create.name] };
		} finally {
			await messenger.close();
			await model.close();
		}
	};

	return {
		'human review: a person reads who is to be verified, approves, and it is submitted and billed once': async () => {
			const { service, heard, runs } = await reviewed('Acme LLC', 'Approve');
			assert.deepEqual([runs.length, service.ledger.length, service.ledger.count('inquiry')], [1, 1, 1]);
			assert.equal(heard.length, 1);
			assert.match(heard[0], /"businessName":"Acme LLC"/);
		},

		'human review: a business that a person declines is not submitted, and the model is told': async () => {
			const { service, heard, runs } = await reviewed('Bolt LLC', 'Decline');
			assert.deepEqual([runs, service.ledger.length, service.requests.length], [undefined, 0, 0]);
			assert.equal(heard.length, 1);
			assert.match(heard[0], /rejected|declined|denied/i);
		},
	};
}
