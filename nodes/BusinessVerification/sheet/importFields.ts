import {
	choice,
	explained,
	type Field,
	fieldOf,
	flag,
	guarding,
	type Input,
	notice,
	shown,
	text,
	whole,
} from '../kit/field';
import { settings } from '../kit/collections';
import { without } from '../kit/objects';
import { sendingOptions } from '../kit/operation';
import type { Json } from '../kit/service';
import type { Reader } from '../kit/value';
import { batchRows } from '../document/vocabulary';
import { rowsJson } from '../inquiry/inquiryForm';
import { extraBody, lookUpWait, spendingLimit, submitAgain, waitingOptions, whileWaiting } from '../fields/shared';

/** The saved value of the column mapper. */
export interface Mapping {
	/** An expression or a fixed value for each target. */
	value: Json;
	/** The fields that the editor offered, and whether the user removed them. */
	schema: Array<{ id: string; removed?: boolean }>;
}

const mapping: Reader<Mapping> = (saved) => {
	const { value, schema } = (saved ?? {}) as Partial<Mapping>;
	return { value: value ?? {}, schema: schema ?? [] };
};

const mapper: Field<Mapping> = {
	...fieldOf('resourceMapper', 'Mapping', mapping, {
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description: 'The column, or a fixed value, for each field of a business',
		required: true,
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getImportColumns',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				supportAutoMap: false,
			},
		},
	}),
	isRaw: true,
};

const columns = {
	columnsFrom: choice(
		'Columns',
		{
			headers: [
				'Read From Headers',
				'Columns named like "Company", "City", "Tax ID", "External ID" or "Principal 2 Last Name" are sent. A hint names the first five others.',
			],
			mapping: [
				'Map Manually',
				'Choose a column or value for each field. Empty fields are matched by header; remove a field to leave it out.',
			],
		},
		'How columns are assigned to fields',
	),
	columns: shown({ columnsFrom: ['mapping'] }, mapper),
};

const sheetOptions = settings('Sheet Options', {
	dateOrder: choice(
		'Date Order',
		{
			report: ['Report Ambiguous Dates', 'Do not send rows with such dates, but return them with the problem'],
			dayFirst: ['Day First', '31/12/1980'],
			monthFirst: ['Month First', '12/31/1980'],
		},
		'How to read dates such as 03/04/1980',
	),
	maxRows: whole('Maximum Rows', {
		default: 1000,
		min: 0,
		description: 'Send nothing if the sheet has more rows than this. 0 means no limit.',
	}),
});

// Waiting never fails a row, which is submitted and returns with its last status.
const waiting = whileWaiting(without(waitingOptions, 'onTimeout'));

export const importFields = {
	name: guarding(
		text('Batch Name', {
			description: 'Names the import and its batches. With another name, all rows are submitted and billed again.',
			placeholder: 'e.g. March leads',
		}),
	),
	runAgainNotice: notice(
		'Run it again under the same Batch Name as often as you like: only new rows are submitted and billed. Under this name, the same External ID is not submitted again; a new one is billed, also one that Create has submitted. Rows without one are recognized by their data. A later run with new rows first waits 30 seconds, so that no batch is missed.',
	),
	waitForCompletion: explained(
		waiting.waitForCompletion,
		'Whether to wait until the inquiries finish and output the status, score, and failed checks of each row',
	),
	waitingNotice: waiting.waitingNotice,
	...columns,
	rowsJson,
	dryRun: guarding(
		flag('Dry Run', 'Whether to return the rows with what would become of them, without submitting or billing any'),
	),
	sheetOptions,
	waitingOptions: waiting.waitingOptions,
	options: sendingOptions(
		{
			chunkSize: whole('Rows per Batch', {
				default: batchRows,
				min: 1,
				description: `Maximum rows in one batch. The service allows ${batchRows} unless your organization has another limit.`,
			}),
			extraBody: explained(extraBody, 'Additional fields of each batch, beside its rows, as a JSON object'),
			includeDetails: flag(
				'Include Details',
				"Whether to add a nested 'verification' with the row number, the batch, and all fields of the inquiry",
			),
			ifUncertain: choice(
				'If Rows Cannot Be Matched',
				{
					refuse: ['Refuse', 'Send nothing more. The error explains your choices.'],
					send: ['Send Them', 'Rows that were submitted, but are not matched, are billed twice'],
				},
				'What to do if it is unclear which rows were already submitted, for example because the service does not return their external IDs',
			),
			spendingLimit,
			submitAgain,
		},
		{
			lookUpWait: explained(
				lookUpWait,
				"Seconds until a new batch appears in the service's list. After that, it counts as not submitted. Use 0 if the service lists batches at once.",
			),
		},
	),
};

export type ImportInput = Input<typeof importFields>;
