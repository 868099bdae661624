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

/** A person stands between the AI Agent and a tool that is billed: what that person reads, and that nothing goes out before. */
export function reviewChecks({ api, sandbox }: World): Checks {
	return {
		'human review: a person reads who is to be verified before anything is submitted': async () => {
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
					() => ({ tool: 'inquiry_create', args: { toolParameters: business('Acme LLC'), hitlParameters: {} } }),
					() => 'Done.',
				);
				const { id } = await api.createWorkflow(reviewedWorkflow(chat, bot, message, create));
				await api.startRun(id);
				await api.until('the question', 60_000, async () => messenger.sent.length === 1);
				const [{ text, reply_markup: markup }] = messenger.sent;
				assert.ok(text.startsWith('Verify Acme LLC in Springfield, IL? This costs money.'), text);
				const buttons = markup.inline_keyboard.flat().map((button) => button.text);
				assert.ok(
					buttons.some((button) => /approve/i.test(button)) && buttons.some((button) => /decline/i.test(button)),
				);
				assert.deepEqual([service.ledger.length, service.requests.length], [0, 0]);
			} finally {
				await messenger.close();
				await model.close();
			}
		},
	};
}
