import type { StatusEvent } from './ledger';
import { Failure } from '../kit/service';
import { type IDataObject, type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { endStatuses, isEnd } from '../document/inquiries';
import { ownerOf } from '../engine/account';
import { readParameters } from '../engine/parameters';
import { queryOf } from '../inquiry/list';
import { sentences } from '../kit/objects';
import { batchOutput } from '../sheet/batches';
import { inquiryOutput } from '../inquiry/record';
import { judgeByResults, readInFull } from './results';
import { pollWholeList } from './wholeList';
import { pollInquiries } from './inquiryPoll';
import type { PollOptions, PollResult } from './poll';
import { askingFor, concernsScheduler, longestPollMs, sources } from './sources';
import { takeTurn, type PollTurn } from './triggerMemory';
import { creationFilters, endEvents, resultFilters, statusTriggerFields, triggerEvents } from './fields';
import { nodeErrorOf } from '../engine/runErrors';

const hourMs = 3_600_000;

/** One poll: a sample in a manual test, otherwise the events since the last poll. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const watcher = await watcherFor(context);
		if (context.getMode() !== 'manual') return await inTurn(context, watcher);
		const sample = await sampleOf(watcher);
		if (sample) return [[sample]];
		throw new NodeOperationError(context.getNode(), 'No sample data yet', {
			description: 'Submit an inquiry or a batch that passes the filters, and test again. Production is not affected.',
		});
	} catch (error) {
		throw nodeErrorOf(context.getNode(), context.getMode() === 'manual' ? error : withOutlook(error));
	}
}

/**
 * Whoever reads that a poll failed wants to know what became of the events. If it is the first one after a start, n8n tries
 * again, but not after an error with the word Authorization: the trigger would stay off until somebody publishes it.
 */
function withOutlook(error: unknown): unknown {
	if (!(error instanceof Failure)) return error;
	const { message, details } = error;
	const facts = details.cause === 'temporarily-unavailable' ? sentences(details.facts, reportedLater) : details.facts;
	return new Failure(message.replaceAll('Authorization', 'authorization'), { ...details, facts });
}

const reportedLater = 'What finishes meanwhile is reported by a later poll.';

async function inTurn(context: IPollFunctions, watcher: StatusWatcher): Promise<INodeExecutionData[][] | null> {
	const turn = takeTurn(context, longestPollMs + 60_000);
	if (turn === null) return null;
	try {
		const result = await watcher.pollFrom(turn);
		const { events, next, failure } = result;
		if (failure instanceof Error) context.logger.warn(`A part of the poll is put off: ${failure.message}`);
		const isSelected = watcher.settings.triggerOn.includes('attention');
		// A poll that fails loses its events and, if it is the first, the workflow is not published: then the problem waits, as
		// it does for the notice of a beginning.
		const canTell = result.notice === undefined && (isSelected || (events.length === 0 && turn.saved !== undefined));
		const problem = takeProblem(result, canTell);
		const notice = result.notice ?? problem;
		const items = events.map((event) => itemOf(watcher.settings, event));
		if (notice !== undefined) {
			context.logger.warn(notice);
			const detectedAt = new Date().toISOString();
			const deduplicationKey = `attention:${next.at}`;
			if (isSelected) items.push({ json: { event: 'attention', message: notice, detectedAt, deduplicationKey } });
		}
		if (!turn.keep(next, items.length > 0)) return null;
		if (items.length > 0) return [items];
		if (failure !== undefined && concernsScheduler(failure)) throw failure;
		if (problem !== undefined && canTell) throw new Failure(problem, { description: problemHelp });
		return null;
	} finally {
		turn.end();
	}
}

/** Incomplete polls in a row before a first notice, and between later ones. */
const noticeAfter = 5;
const noticeEvery = 60;

const problemHelp = "To get this as an item, select the event 'When Polling Fails'.";

/** What fails the poll if its event is not selected. Notes in memory whether the user was told. */
function takeProblem({ next, failure, unknownStatus }: PollResult, canTell: boolean): string | undefined {
	const { incompletePolls, owesNotice, toldStatuses } = next;
	const isDue = incompletePolls === noticeAfter || incompletePolls % noticeEvery === 0 || (owesNotice && canTell);
	if (incompletePolls >= noticeAfter && isDue) {
		next.owesNotice = !canTell;
		const reason = failure instanceof Error ? failure.message : 'there is more to read than fits in one poll';
		return `The last ${incompletePolls} polls could not read everything, so results may come late or be missed: ${reason}`;
	}
	if (unknownStatus === undefined || !canTell) return undefined;
	toldStatuses.push(unknownStatus);
	return `The service shows the status ${unknownStatus}, which its API documentation does not list. It counts as not finished: if it is final, only 'Verification Status Changed' reports it`;
}

/** What 'Trigger On' can call an event, first its name in the output. A completion is a status change, too. */
const namesOf = ({ kind, row }: Pick<StatusEvent, 'kind' | 'row'>): Array<keyof typeof triggerEvents> =>
	kind === 'ended'
		? [endEvents[row.status as keyof typeof endEvents], 'finished', 'statusChanged']
		: [kind === 'changed' ? 'statusChanged' : 'created'];

type StatusWatcher = Awaited<ReturnType<typeof watcherFor>>;

async function watcherFor(context: IPollFunctions) {
	const settings = readParameters(context, statusTriggerFields);
	const { watch, batchId = '', triggerOn, startingPoint, lookBackHours = 0, filters = {}, output } = settings;
	const { recheckHours = 0, resultsMinutes: waitMinutes = 0 } = settings.options;
	if (triggerOn.length === 0) throw new Failure("'Trigger On' is empty", { description: 'Choose at least one event.' });
	const unknown = triggerOn.find((name) => !Object.hasOwn(triggerEvents, name));
	const description = `Possible values: ${Object.keys(triggerEvents).join(', ')}.`;
	if (unknown !== undefined) throw new Failure(`'Trigger On' has no event '${unknown}'`, { description });

	const asking = await askingFor(context);
	const [creationQuery, resultQuery] = [creationFilters, resultFilters].map((group) =>
		queryOf(Object.fromEntries(Object.entries(filters).filter(([name]) => name in group))),
	);
	const source = sources[watch](asking, { filters: creationQuery, batchId });
	// Of the inquiries of a batch, the API documentation promises no more than status and progress.
	const rowsSuffice = watch === 'batch' || (watch === 'inquiry' && output === 'simplified');
	const judge: PollOptions['judge'] = async (events, reader) => {
		const verdicts = await judgeByResults(events, resultQuery, reader);
		if (!rowsSuffice || (watch === 'inquiry' && waitMinutes > 0))
			await readInFull(verdicts, reader, { waitMinutes, only: output === 'simplified' ? 'ended' : undefined });
		return verdicts;
	};

	const pollList = watch === 'inquiry' ? pollInquiries : pollWholeList;
	const pollFrom = async ({ saved, lastPollAt, isFirstOfProcess }: PollTurn): Promise<PollResult> =>
		pollList(source, saved, {
			...(await ownerOf(asking, saved)),
			filters: JSON.stringify([watch, batchId, creationQuery]),
			lookBackMs: startingPoint === 'lookBack' ? lookBackHours * hourMs : undefined,
			lastPollAt,
			recheckMs: isFirstOfProcess && recheckHours > 0 ? recheckHours * hourMs : undefined,
			wanted: (event) => namesOf(event).some((name) => triggerOn.includes(name)),
			judge,
		});
	return { settings, resultQuery, rowsSuffice, source, pollFrom };
}

function itemOf({ watch, output }: StatusWatcher['settings'], event: StatusEvent): INodeExecutionData {
	const added = {
		event: namesOf(event)[0],
		...(event.previousStatus !== null && { previousStatus: event.previousStatus }),
		detectedAt: new Date().toISOString(),
		deduplicationKey: event.key,
	};
	const record = event.row.json!;
	const json =
		watch === 'batch' ? batchOutput(record, { output }, added) : inquiryOutput(record, { output }, { extra: added });
	return { json: json as IDataObject };
}

/** If possible, a record that matches 'Trigger On'. */
async function sampleOf(watcher: StatusWatcher): Promise<INodeExecutionData | undefined> {
	const { settings, resultQuery, rowsSuffice, source } = watcher;
	const { watch, triggerOn } = settings;
	const isInquiry = watch === 'inquiry';
	const order = isInquiry ? ({ sort_by: 'created_at', sort_order: 'desc' } as const) : {};
	const newest = { limit: 1, offset: 0, ...order };
	const ends = endStatuses.filter((status) => triggerOn.some((name) => ['finished', endEvents[status]].includes(name)));
	const matching = isInquiry && ends.length > 0 ? [{ ...newest, ...resultQuery, status: ends.join(',') }] : [];
	for (const query of [...matching, newest]) {
		const [row] = (await source.page(query)).rows;
		if (row === undefined) continue;
		const full = rowsSuffice ? row : await source.read(row.id);
		const kind = isEnd(row.status) ? 'ended' : 'created';
		const key = `${row.id}:${row.status}:${row.completedAt ?? ''}`;
		return itemOf(settings, { kind, row: full === 'gone' ? row : full, previousStatus: null, key, waited: 0 });
	}
	return undefined;
}
