import assert from 'node:assert/strict';
import axios from 'axios';
import type { Checks } from '../suite';
import { allOutput, type Place, succeeded } from './place';

/** The names that n8n gives to the fields of a form. */
const answerOf = (...fields: string[]) => {
	const body = new FormData();
	for (const [index, value] of fields.entries()) body.append(`field-${index}`, value);
	return body;
};

/** An application, a question in Slack, a person, and a line for the auditors. */
export function approvalChecks(placed: () => Place): Checks {
	let workflowId = '';
	/** n8n remembers what it submitted under which ID, longer than a service that is emptied. */
	const app = (number: number) => `app-${started}-${number}`;
	const started = Date.now();
	const apply = async (application: Record<string, string>) => {
		const url = `${placed().world.n8n.url}/webhook/application-to-approve-slack`;
		assert.equal((await axios.post(url, application, { proxy: false })).status, 200);
	};
	const messages = () => placed().partners.slack.messages;
	let read = 0;
	let runs = 0;
	/** Whichever comes first: a message that nobody has read yet, or the end of an execution. */
	const next = async () => {
		const { api } = placed().world;
		const isThere = async () => (await placed().over(workflowId)).length > runs || messages().length > read;
		await api.until('a message or the end of an execution', 90_000, isThere);
	};
	const nextMessage = async () => {
		await next();
		assert.ok(messages().length > read, `the execution ended without message ${read + 1}`);
		return messages()[read++];
	};
	const ended = async () => {
		await next();
		assert.equal(messages().length, read, 'somebody is asked again');
		return (await placed().finished(workflowId, ++runs))[0];
	};
	/** A person is slower than n8n, which posts the question before it goes to sleep. */
	const answer = async (url: string, ...fields: string[]) => {
		const { api } = placed().world;
		const sleeps = async () => (await api.executions(workflowId)).some(({ status }) => status === 'waiting');
		await api.until('the execution to wait', 60_000, sleeps);
		await axios.post(url, answerOf(...fields), { proxy: false });
	};

	return {
		'an approval: an answer without a name and a reason is asked for again, and the line says who, when and why':
			async () => {
				const { world, sandbox, partners } = placed();
				sandbox.reset();
				Object.assign(sandbox.switches, { lifecycle: 'clock', planningMs: 20, runningMs: 40, enrichingMs: 20 });
				partners.internet.repair();
				messages().length = 0;
				({ id: workflowId } = await placed().load('human-approval-slack.json', { channel: '#compliance' }));
				await world.api.activate(workflowId);
				const company = '<!channel> Lumen & <https://evil.example|Sons> &lt;';
				await apply({ id: app(1), company, city: 'Portland', state: 'OR', website: '' });
				const first = await nextMessage();
				// n8n turns entities back into signs before it sends a question, so the signs are gone.
				const escaped = '!channel Lumen and https://evil.example|Sons andlt;';
				assert.equal(first.text, `${escaped}: COMPLETED, score 80`);
				await answer(first.url!, 'Approve', '', '');
				const second = await nextMessage();
				assert.equal(second.text, `The last answer was not complete. ${escaped}: COMPLETED, score 80`);
				await answer(second.url!, 'Reject', 'Robin Reviewer', 'Not our market');
				const execution = await ended();
				succeeded(execution);
				const lines = allOutput(execution, 'Write the audit line');
				assert.deepEqual(
					lines.map(({ record, decision, who, reason }) => [record, decision, who, reason]),
					[[app(1), 'Reject', 'Robin Reviewer', 'Not our market']],
				);
			},

		'an approval: the same application twice is asked about once': async () => {
			await apply({ id: app(1), company: 'Lumen', city: 'Portland', state: 'OR', website: '' });
			await ended();
			assert.equal(placed().sandbox.ledger.count(), 1);
		},

		'an approval: an application that cannot be verified is told to the channel, and can be sent again corrected':
			async () => {
				await apply({ id: app(2), company: 'No Town <Ltd>', city: '', state: 'OR', website: '' });
				const { text, url } = await nextMessage();
				assert.ok(
					text.startsWith(`Application ${app(2)} (No Town &lt;Ltd&gt;) could not be verified: 'City' is required`),
					text,
				);
				assert.equal(url, undefined);
				await ended();
				await apply({ id: app(2), company: 'No Town Ltd', city: 'Salem', state: 'OR', website: '' });
				const question = await nextMessage();
				await answer(question.url!, 'Approve', 'Robin Reviewer', 'Known');
				await ended();
			},

		'an approval: Slack refuses three times, and the question is asked': async () => {
			const { internet } = placed().partners;
			internet.break({
				...{ matches: ({ path }) => path === '/api/chat.postMessage', times: 3 },
				...{ status: 429, headers: { 'retry-after': '1' }, body: { ok: false, error: 'ratelimited' } },
			});
			await apply({ id: app(3), company: 'Opal Nails', city: 'Salem', state: 'OR', website: '' });
			const question = await nextMessage();
			await answer(question.url!, 'Approve', 'Robin Reviewer', 'Known');
			succeeded(await ended());
			await placed().world.api.deactivate(workflowId);
		},
	};
}
