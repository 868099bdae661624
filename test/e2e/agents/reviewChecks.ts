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

/** A person stands between the AI Agent and a tool that is billed. */
export function reviewChecks({ api, sandbox }: World): Checks {
	const review = async (answer: 'approve' | 'decline') => {
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
				() => ({ tool: 'inquiry_create', args: { toolParameters: business(`To ${answer} LLC`), hitlParameters: {} } }),
				() => 'Done.',
			);
			const { id } = await api.createWorkflow(reviewedWorkflow(chat, bot, message, create));
			const executionId = await api.startRun(id);
			await api.until('the question', 60_000, async () => messenger.sent.length === 1);
			const [{ text, reply_markup: markup }] = messenger.sent;
			assert.ok(text.startsWith(`Verify To ${answer} LLC in Springfield, IL? This costs money.`), text);
			assert.equal(service.ledger.count('inquiry'), 0);
			const buttons = markup.inline_keyboard.flat();
			const { url } = buttons.find((button) => new RegExp(answer, 'i').test(button.text))!;
			// n8n takes a caller without a browser's name for the preview of a link.
			await api.until('n8n to take the answer', 60_000, async () => {
				return (await fetch(url, { headers: { 'user-agent': 'Mozilla/5.0' } })).ok;
			});
			const execution = await api.ended(executionId);
			assert.equal(execution.status, 'success');
			return { service, heard: model.heard };
		} finally {
			await messenger.close();
			await model.close();
		}
	};

	return {
		'human review: a person reads who is to be verified, and approves': async () => {
			const { service, heard } = await review('approve');
			assert.equal(service.ledger.count('inquiry'), 1);
			assert.match(heard[0], /To approve LLC/);
		},

		'human review: what a person declines is not submitted': async () => {
			const { service } = await review('decline');
			assert.deepEqual([service.ledger.length, service.requests.length], [0, 0]);
		},
	};
}
