import assert from 'node:assert/strict';
import type { Checks } from '../suite';
import { type Place, succeeded } from './place';
import type { Call } from './internet';

const isPost = ({ path }: Call) => path === '/api/chat.postMessage';
const limited = { status: 429, headers: { 'retry-after': '1' }, body: { ok: false, error: 'ratelimited' } };

/** Completions that the trigger reports, told in Slack by n8n's own node. */
export function alertChecks(placed: () => Place): Checks {
	let workflowId = '';
	let runs = 0;
	let next = 0;

	/** So many verifications finish between two polls; gives what was posted and the execution. */
	const finish = async (count: number, externalIds?: string) => {
		const { sandbox, partners } = placed();
		partners.slack.messages.length = 0;
		const prefix = externalIds ?? `alert-${++next}-`;
		const now = sandbox.clock.now();
		const ids = sandbox.inquiries.seed(count, {
			...{ status: 'RUNNING' as const, createdFrom: now - 60_000, createdTo: now - 30_000 },
			externalIdPrefix: prefix,
		});
		ids.forEach((id) => sandbox.inquiries.finish(id));
		const [execution] = await placed().finished(workflowId, ++runs);
		const lines = partners.slack.messages.flatMap(({ text }) => text.split('\n'));
		return { prefix, lines, messages: partners.slack.messages.length, execution };
	};
	const idsIn = (lines: string[]) =>
		lines.map((line) => /^External ID (.*): COMPLETED, score 80 \(provider scale\)/.exec(line)?.[1]).sort();
	const numbered = (prefix: string, count: number) =>
		Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`).sort();

	return {
		'Slack: each completion is a line, and text of others cannot call the channel': async () => {
			const { world, sandbox, partners } = placed();
			sandbox.reset();
			// A poll may fall between an end and its businesses, and then tells of some of them later.
			Object.assign(sandbox.switches, { lifecycle: 'manual', clusteringMs: 0 });
			partners.internet.repair();
			({ id: workflowId } = await placed().load('completion-to-slack.json'));
			runs = 0;
			await world.api.activate(workflowId);
			const { lines, messages, execution } = await finish(2, '<!channel> & ');
			succeeded(execution);
			assert.equal(messages, 1);
			assert.deepEqual(idsIn(lines), ['&lt;!channel&gt; &amp; 1', '&lt;!channel&gt; &amp; 2']);
		},

		'Slack: of 100 completions in one poll 50 are one message, with how many more, also where Slack refuses three times':
			async () => {
				placed().partners.internet.break({ matches: isPost, times: 3, ...limited });
				const { prefix, lines, messages, execution } = await finish(100);
				succeeded(execution);
				assert.equal(messages, 1);
				assert.equal(lines.pop(), 'and 50 more, in Executions of n8n');
				const all = numbered(prefix, 100);
				assert.ok(lines.length === 50 && idsIn(lines).every((id) => all.includes(id!)), lines.join('\n'));
			},

		'Slack: what has not finished after two hours is told once': async () => {
			const { world, sandbox, partners } = placed();
			const now = sandbox.clock.now();
			const seed = (minutes: number, externalIdPrefix: string) =>
				sandbox.inquiries.seed(2, {
					...{ status: 'RUNNING' as const, externalIdPrefix },
					...{ createdFrom: now - (minutes + 1) * 60_000, createdTo: now - minutes * 60_000 },
				});
			seed(130, 'late-');
			seed(30, 'young-');
			partners.slack.messages.length = 0;
			succeeded(await world.api.run(workflowId, 'Every hour'));
			const [{ text }] = partners.slack.messages;
			assert.deepEqual(
				text
					.split('\n')
					.map((line) => line.split(':')[0])
					.sort(),
				['External ID late-1', 'External ID late-2'],
			);
			succeeded(await world.api.run(workflowId, 'Every hour'));
			assert.equal(partners.slack.messages.length, 1);
			await placed().world.api.deactivate(workflowId);
		},
	};
}
