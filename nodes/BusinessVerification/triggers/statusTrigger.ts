import { createHash } from 'node:crypto';
import { type IDataObject, type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { Failure } from '../definition/failure';
import type { Json } from '../definition/service';
import { pollBudgetMs } from '../engine/host';
import { nodeErrorOf } from '../engine/nodeError';
import { readRows } from '../engine/reading';
import { createSender } from '../engine/request';
import { shaped as shapedBatch } from '../operations/batch/record';
import { shaped as shapedInquiry } from '../operations/inquiry/record';
import {
	type Asking,
	batchInquirySource,
	batchSource,
	endKey,
	endNames,
	type Filters,
	finalStatuses,
	inquirySource,
	isFinal,
	isWanted,
	judgeByResults,
	nameOf,
	pollBatches,
	pollBatchInquiries,
	pollInquiries,
	type PollOptions,
	queriesOf,
	readInFull,
	type Row,
	type State,
	type StatusEvent,
	Turns,
} from '../status';

type Subject = 'inquiry' | 'batch' | 'batchInquiry';

const hourMs = 3_600_000;
/** A poll that takes longer than the interval delays the next one, whatever the host allows. */
const longestPollMs = 240_000;

/** What this process knows of its triggers; n8n loads this file once, so overlapping polls meet here. */
const turns = new Turns();
/**
 * The memory after the last poll of this process. n8n's own copy is gone where the node was renamed, older where it got
 * its former name back, and not there yet after an activation by the durable scheduler that reported nothing.
 */
const latest = new Map<string, Latest>();

interface Latest {
	nodeName: string;
	state: State;
	/** The last poll that reported something: its memory's time, and when n8n was given it. */
	reported?: { at: number; handedOver: number };
}

/** So long n8n may take to save what a poll has reported; after that it has thrown the report away. */
const handOverMs = 30_000;

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
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const turn = turns.take(key, Date.now(), longestPollMs + 60_000);
	if (turn === null) return null;
	try {
		const stored = context.getWorkflowStaticData('node') as { state?: State };
		const nodeName = context.getNode().name;
		const last = latest.get(key);
		const renamed = last !== undefined && last.nodeName !== nodeName;
		if (!renamed && isHandingOver(last, stored.state)) return null;
		const known = renamed ? last.state : (stored.state ?? last?.state);
		const { events, next, trouble } = await watcher.poll(known, last === undefined);
		if (!turn.isMine()) return null;
		if (trouble !== undefined) {
			if (events.length === 0 && concernsScheduler(trouble)) throw nodeErrorOf(context.getNode(), trouble);
			context.logger.warn(`A part of the poll is put off: ${(trouble as Error).message}`, { node: nodeName });
		}
		// Only now, and at one go: an error before leaves the memory as it was.
		stored.state = next;
		const reported = events.length > 0 ? { at: next.at, handedOver: Date.now() } : last?.reported;
		remember(key, { nodeName, state: next, reported });
		return events.length > 0 ? [events.map(watcher.itemOf)] : null;
	} finally {
		turn.end();
	}
}

/** The durable scheduler may start a poll with the memory from before a report that it is still saving. */
const isHandingOver = (last: Latest | undefined, stored: State | undefined) =>
	last?.reported !== undefined &&
	(stored?.at ?? 0) < last.reported.at &&
	Date.now() - last.reported.handedOver < handOverMs;

function remember(key: string, memory: Latest): void {
	latest.delete(key);
	latest.set(key, memory);
	if (latest.size > 1_000) latest.delete(latest.keys().next().value as string);
}

type Watcher = Awaited<ReturnType<typeof watcherFor>>;

/** The node's parameters, made into what the tracking asks and is told. */
async function watcherFor(context: IPollFunctions) {
	const parameter = <T>(name: string, initial: T) => context.getNodeParameter(name, initial) as T;
	const watch = parameter<Subject>('watch', 'inquiry');
	const triggerOn = parameter<string[]>('triggerOn', []);
	const simple = parameter('simple', true);
	const filters = watch === 'inquiry' ? parameter<Filters>('filters', {}) : {};
	const { recheckHours = 0 } = parameter<{ recheckHours?: number }>('options', {});
	const batchId = watch === 'batchInquiry' ? parameter('batchId', '').trim() : '';
	if (triggerOn.length === 0)
		throw new NodeOperationError(context.getNode(), "'Trigger On' is empty", {
			description: 'Choose at least one event.',
		});
	if (watch === 'batchInquiry' && batchId === '') {
		throw new NodeOperationError(context.getNode(), "'Batch ID' is empty", {
			description: 'Enter the ID of the batch to watch.',
		});
	}

	const { asking, scope } = await askingFor(context);
	const { created, results } = queriesOf(filters);
	const source =
		watch === 'batch'
			? batchSource(asking)
			: watch === 'inquiry'
				? inquirySource(asking, created)
				: batchInquirySource(asking, batchId);

	const judge: PollOptions['judge'] = async (events, metered, mayGoOn) => {
		const verdicts = new Map(
			Object.keys(results).length > 0
				? await judgeByResults(metered, results, events, mayGoOn)
				: events.map((event): [StatusEvent, Row | null] => [event, event.row]),
		);
		if (!simple && watch !== 'batch') await readInFull(metered, verdicts, mayGoOn);
		return verdicts;
	};

	const itemOf = (event: StatusEvent): INodeExecutionData => {
		const added = {
			event: nameOf(event),
			previousStatus: event.previousStatus,
			detectedAt: new Date().toISOString(),
			deduplicationKey: event.key,
		};
		const record = event.row.record as Json;
		const json = watch === 'batch' ? shapedBatch(record, simple, added) : shapedInquiry(record, { simple }, added);
		return { json: json as IDataObject };
	};

	return {
		itemOf,

		async poll(saved: unknown, isFirstOfProcess: boolean) {
			const follow = { inquiry: pollInquiries, batch: pollBatches, batchInquiry: pollBatchInquiries }[watch];
			return follow(source, saved, {
				scope: createHash('sha256')
					.update(JSON.stringify([scope, watch, batchId, created]))
					.digest('base64url')
					.slice(0, 16),
				...(parameter<string>('startingPoint', 'now') === 'lookBack'
					? { lookBackMs: parameter('lookBackHours', 24) * hourMs }
					: {}),
				...(isFirstOfProcess && recheckHours > 0 ? { recheckMs: recheckHours * hourMs } : {}),
				wanted: (event: StatusEvent) => isWanted(event, triggerOn),
				judge,
			});
		},

		/** Something real to build the workflow with, if possible of the kind it will see. */
		async sample(): Promise<INodeExecutionData> {
			const newest = {
				limit: 1,
				offset: 0,
				...(watch === 'inquiry' ? ({ sort_by: 'created_at', sort_order: 'desc' } as const) : {}),
			};
			const ends = finalStatuses.filter((status) => triggerOn.includes(endNames[status]));
			const queries =
				watch === 'inquiry' && ends.length > 0 ? [{ ...newest, ...results, status: ends.join(',') }, newest] : [newest];
			for (const query of queries) {
				const [row] = (await source.page(query)).rows;
				if (row === undefined) continue;
				const full = simple || watch === 'batch' ? row : await source.read(row.id);
				const event = { kind: isFinal(row.status) ? 'ended' : 'created', row: full === 'gone' ? row : full } as const;
				return itemOf({ ...event, previousStatus: null, key: endKey(row) });
			}
			throw new NodeOperationError(context.getNode(), 'There is nothing yet that this trigger could show', {
				description: "Submit an inquiry, or change 'Filters', and test again. The active workflow is not affected.",
			});
		},
	};
}

async function askingFor(context: IPollFunctions) {
	const started = Date.now();
	const budget = Math.min(longestPollMs, pollBudgetMs(context));
	// A scheduler that grants little time repeats failed polls by itself, and sooner than we could.
	const repeats = budget > 120_000 ? 2 : 0;
	const { exchange, settings, scope } = await createSender(context, {
		concurrency: 1,
		timeout: Math.min(30_000, budget / 3),
		repeats,
	});
	const get: Asking['get'] = (path, query) => exchange({ method: 'GET', path, query: query as Json, kind: 'read' });
	const asking: Asking = {
		get,
		find: (path) =>
			get(path).then(
				({ body }) => body,
				(error) => (isUnknownRecord(error) ? undefined : Promise.reject(error)),
			),
		rowsIn: (body) => readRows(body, settings.listItemsField),
		remainingMs: () => started + budget - Date.now(),
	};
	return { asking, scope };
}

const isUnknownRecord = (error: unknown) => error instanceof Failure && error.details.httpCode === 404;

/** Causes on which n8n's scheduler should wait longer before it polls again. */
const concernsScheduler = (error: unknown) =>
	error instanceof Failure && ['rate-limited', 'credential-invalid'].includes(error.details.cause ?? '');
