import { type IDataObject, type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { endStatuses, isEnd } from '../document/statuses';
import { Failure } from '../definition/failure';
import type { Json } from '../definition/service';
import { readParameters } from '../engine/parameters';
import { queryOf } from '../fields/filters';
import { shaped as shapedBatch } from '../operations/batch/batchRecord';
import { shaped as shapedInquiry } from '../operations/inquiry/inquiryRecord';
import {
	judgeByResults,
	pollBatches,
	pollBatchInquiries,
	pollInquiries,
	type PollOptions,
	readInFull,
	type Row,
	type StatusEvent,
} from '../status';
import { type Owner, ownerOf } from './organisation';
import { askingFor } from './statusAsking';
import { attention, endNames, isWanted, nameOf } from './statusEvents';
import type { Turn } from './statusMemory';
import { batchInquirySource, batchSource, inquirySource } from './statusSources';
import { statusTriggerFields } from './statusTriggerFields';

const hourMs = 3_600_000;

export type Watcher = Awaited<ReturnType<typeof watcherFor>>;

/** The node's parameters, made into what the tracking asks and is told. */
export async function watcherFor(context: IPollFunctions) {
	const settings = readParameters(context, statusTriggerFields);
	const { watch, batchId = '', triggerOn, startingPoint, lookBackHours = 0, output, filters = {} } = settings;
	const simple = output === 'simplified';
	const { recheckHours = 0, catchUpHours, resultsMinutes = 0 } = settings.options;
	if (triggerOn.length === 0) {
		throw new Failure("'Trigger On' is empty", { description: 'Choose at least one event.' });
	}

	const asking = await askingFor(context);
	// What is fixed when an inquiry is created goes on every request; what depends on results is asked after the end.
	const { tags, search, ...others } = filters;
	const created = queryOf({ tags, search });
	const results = queryOf(others);
	const source = {
		inquiry: () => inquirySource(asking, created),
		batch: () => batchSource(asking),
		batchInquiry: () => batchInquirySource(asking, batchId),
	}[watch]();

	const judge: PollOptions['judge'] = async (events, metered, mayGoOn) => {
		const judging = { source: metered, mayGoOn };
		const verdicts = new Map(
			Object.keys(results).length > 0
				? await judgeByResults(events, results, judging)
				: events.map((event): [StatusEvent, Row | null] => [event, event.row]),
		);
		if (watch !== 'batch' && (!simple || resultsMinutes > 0)) {
			await readInFull(verdicts, judging, { waitMinutes: resultsMinutes, only: simple ? 'ended' : undefined });
		}
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
		const json =
			watch === 'batch' ? shapedBatch(record, { output }, added) : shapedInquiry(record, { output }, { extra: added });
		return { json: json as IDataObject };
	};

	return {
		itemOf,
		wantsAttention: triggerOn.includes(attention),

		async poll({ saved, isFirstOfProcess }: Turn) {
			const follow = { inquiry: pollInquiries, batch: pollBatches, batchInquiry: pollBatchInquiries }[watch];
			const watchOf = (owner: Owner) =>
				follow(source, saved, {
					...owner,
					filters: JSON.stringify([watch, batchId, created]),
					...(startingPoint === 'lookBack' ? { lookBackMs: lookBackHours * hourMs } : {}),
					...(catchUpHours !== undefined ? { catchUpMs: catchUpHours * hourMs } : {}),
					...(isFirstOfProcess && recheckHours > 0 ? { recheckMs: recheckHours * hourMs } : {}),
					wanted: (event: StatusEvent) => isWanted(event, triggerOn),
					judge,
				});
			const owner = await ownerOf(asking, saved);
			const result = await watchOf(owner);
			if (!result.isStrange) return result;
			// A user may have switched to another lender under the same secret.
			const now = await ownerOf(asking, undefined);
			return now.organisation === owner.organisation ? result : watchOf(now);
		},

		/** Something real to build the workflow with, if possible of the kind it will see. */
		async sample(): Promise<INodeExecutionData> {
			const newest = {
				limit: 1,
				offset: 0,
				...(watch === 'inquiry' ? ({ sort_by: 'created_at', sort_order: 'desc' } as const) : {}),
			};
			const ends = endStatuses.filter((status) => triggerOn.includes(endNames[status]));
			const queries =
				watch === 'inquiry' && ends.length > 0 ? [{ ...newest, ...results, status: ends.join(',') }, newest] : [newest];
			for (const query of queries) {
				const [row] = (await source.page(query)).rows;
				if (row === undefined) continue;
				const full = simple || watch === 'batch' ? row : await source.read(row.id);
				const kind = isEnd(row.status) ? 'ended' : 'created';
				const key = `${row.id}:${row.status}:${row.completedAt ?? ''}`;
				return itemOf({ kind, row: full === 'gone' ? row : full, previousStatus: null, key, waited: 0 });
			}
			throw new NodeOperationError(context.getNode(), 'There is nothing yet that this trigger could show', {
				description: "Submit an inquiry, or change 'Filters', and test again. The active workflow is not affected.",
			});
		},
	};
}
