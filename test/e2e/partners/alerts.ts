import assert from 'node:assert/strict';
import type { Checks } from '../suite';
import { allOutput, type Place, succeeded } from './place';
import type { Call } from './shapes';

const isPost = ({ path }: Call) => path === '/api/chat.postMessage';
const limited = { status: 429, headers: { 'retry-after': '1' }, body: { ok: false, error: 'ratelimited' } };

/** Completions that the trigger reports, told in Slack by n8n's own node. */
export function alertChecks(placed: () => Place): Checks {
	let workflowId = '';
	let runs = 0;
	let next = 0;

	/** So many verifications finish between two polls; gives what was posted and the executions. */
	const finish = async (count: number, names: Record<string, unknown> = {}, status?: 'FAILED') => {
		const { sandbox, partners } = placed();
		partners.slack.messages.length = 0;
		partners.crmPaths.length = 0;
		const prefix = `alert-${++next}-`;
		for (const [number, answer] of Object.entries(names)) partners.crm[`${prefix}${number}`] = answer;
		const now = sandbox.clock.now();
		const ids = sandbox.inquiries.seed(count, {
			...{ status: 'RUNNING' as const, createdFrom: now - 60_000, createdTo: now - 30_000 },
			externalIdPrefix: prefix,
		});
		ids.forEach((id) => sandbox.inquiries.finish(id, status));
		const executions = await placed().finished(workflowId, ++runs, 120_000);
		return { prefix, texts: partners.slack.messages.map(({ text }) => text), execution: executions[0] };
	};

	const publish = async (values: Record<string, unknown>) => {
		const { world, sandbox, partners } = placed();
		sandbox.reset();
		sandbox.switches.lifecycle = 'manual';
		partners.internet.repair();
		({ id: workflowId } = await placed().load('completion-to-slack.json', {
			...{ channel: '#verifications', crmUrl: partners.crmUrl },
			...values,
		}));
		runs = 0;
		await world.api.activate(workflowId);
	};

	return {
		'Slack: each completion is told once, by name, status and score, and no status is called a verdict': async () => {
			await publish({});
			const { texts, execution, prefix } = await finish(4, {
				1: { name: 'Bolt & Sons <https://evil.example|click>' },
				2: [{ name: 'One' }, { name: 'Two' }],
				3: { name: '<!channel> Ltd' },
			});
			succeeded(execution);
			assert.deepEqual(texts.sort(), [
				'*&lt;!channel&gt; Ltd*: COMPLETED, score 80',
				'*Bolt &amp; Sons &lt;https://evil.example|click&gt;*: COMPLETED, score 80',
				`*${prefix}2*: COMPLETED, score 80`,
				`*${prefix}4*: COMPLETED, score 80`,
			]);
		},

		'Slack: an inquiry without an external ID asks the CRM for nothing': async () => {
			const { sandbox, partners } = placed();
			partners.slack.messages.length = 0;
			partners.crmPaths.length = 0;
			const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING', externalIdPrefix: null });
			sandbox.inquiries.finish(id);
			succeeded((await placed().finished(workflowId, ++runs))[0]);
			assert.deepEqual(partners.crmPaths, []);
			assert.deepEqual(
				partners.slack.messages.map(({ text }) => text),
				[`*${id}*: COMPLETED, score 80`],
			);
		},

		'Slack: 100 completions in one poll, with rate limits in between: a hundred messages, each once': async () => {
			const { internet } = placed().partners;
			let posts = 0;
			internet.break({
				matches: (call) => isPost(call) && [4, 5, 6, 30, 60, 61].includes(++posts),
				times: 6,
				...limited,
			});
			const started = Date.now();
			const { texts, execution, prefix } = await finish(100);
			console.log(
				`    100 messages in ${((Date.now() - started) / 1000).toFixed(1)} s, without the second between two`,
			);
			succeeded(execution);
			const expected = Array.from({ length: 100 }, (_, index) => `*${prefix}${index + 1}*: COMPLETED, score 80`);
			assert.deepEqual([...texts].sort(), expected.sort());
		},

		'Slack: a message that is not taken for long is kept in a table, and the others are sent': async () => {
			const { internet } = placed().partners;
			internet.break({
				matches: (call) => isPost(call) && String(call.body.text).includes('-2*'),
				times: 5,
				...limited,
			});
			const { texts, execution, prefix } = await finish(3, {}, 'FAILED');
			succeeded(execution);
			const said = 'FAILED, score none. The checks could not run';
			assert.deepEqual(texts.sort(), [`*${prefix}1*: ${said}`, `*${prefix}3*: ${said}`]);
			const [kept, ...more] = allOutput(execution, 'Keep what was not delivered');
			assert.deepEqual([kept.text, more], [`*${prefix}2*: ${said}`, []]);
			assert.notEqual(String(kept.reason), '');
			await placed().world.api.deactivate(workflowId);
		},

		'Slack: as one message for each poll, if the reader wants that': async () => {
			await publish({ oneMessage: true });
			const { texts, prefix } = await finish(3);
			assert.equal(texts.length, 1);
			assert.deepEqual(
				texts[0].split('\n').sort(),
				[1, 2, 3].map((number) => `*${prefix}${number}*: COMPLETED, score 80`),
			);
			await placed().world.api.deactivate(workflowId);
		},
	};
}
