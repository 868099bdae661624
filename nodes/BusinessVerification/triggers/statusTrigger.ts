import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { Failure } from '../definition/failure';
import { nodeErrorOf } from '../engine/nodeError';
import type { PollResult } from '../status';
import { concernsScheduler, longestPollMs } from './statusAsking';
import { attention } from './statusEvents';
import { takeTurn, type Turn } from './statusMemory';
import { type Watcher, watcherFor } from './statusWatcher';

/** After so many polls in a row that did not get through, the user is told, and then about once an hour. */
const strainedFrom = 5;
const strainedAgain = 60;

/** One tick: a sample where a person tests, else what has happened since the last one. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const watcher = await watcherFor(context);
		return context.getMode() === 'manual' ? [[await watcher.sample()]] : await inTurn(context, watcher);
	} catch (error) {
		throw nodeErrorOf(context.getNode(), error);
	}
}

async function inTurn(context: IPollFunctions, watcher: Watcher): Promise<INodeExecutionData[][] | null> {
	const turn = takeTurn(context, longestPollMs + 60_000);
	if (turn === null) return null;
	try {
		const result = await watcher.poll(turn);
		const { events, next, trouble } = result;
		if (trouble !== undefined && events.length === 0 && concernsScheduler(trouble)) throw trouble;
		if (trouble instanceof Error) context.logger.warn(`A part of the poll is put off: ${trouble.message}`);
		const notice = noticeOf(result, turn);
		const items = events.map(watcher.itemOf);
		if (notice !== undefined) {
			context.logger.warn(notice);
			if (watcher.wantsAttention) items.push(attentionItem(notice, next.at));
		}
		if (!turn.keep(next, items.length > 0)) return null;
		if (items.length > 0) return [items];
		if (notice !== undefined && next.strained > 0) throw new Failure(notice, { description: strainedHelp });
		return null;
	} finally {
		turn.end();
	}
}

const strainedHelp =
	"Nothing is lost yet: what could not be read is read later. Choose the event 'Attention Needed' to get this as an item.";

const unreadable =
	'What n8n had saved for this trigger is damaged or of another version of this package, so it starts anew';

function noticeOf({ notice, next, trouble }: PollResult, { isUnreadable }: Turn): string | undefined {
	if (isUnreadable) return unreadable;
	const { strained } = next;
	if (strained !== strainedFrom && (strained === 0 || strained % strainedAgain > 0)) return notice;
	const reason = trouble instanceof Error ? trouble.message : 'there is more to read than one poll has time for';
	return `The last ${strained} polls did not get through: ${reason}`;
}

const attentionItem = (message: string, at: number): INodeExecutionData => ({
	json: {
		event: attention,
		message,
		detectedAt: new Date().toISOString(),
		deduplicationKey: `${attention}:${at}`,
	},
});
