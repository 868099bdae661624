import {
	choice,
	explained,
	type Field,
	fieldOf,
	flag,
	type Input,
	notice,
	settings,
	shown,
	text,
	whole,
} from '../kit/field';
import { without } from '../kit/objects';
import { sendingOptions } from '../kit/operation';
import type { Json } from '../kit/service';
import type { Reader } from '../kit/value';
import { batchRows } from '../document/vocabulary';
import { newInquiryOptions, rowsJson } from '../inquiry/form';
import {
	extraBody,
	lookupGrace,
	spendingLimit,
	submitAgain,
	waitForCompletion,
	waitingOptions,
} from '../fields/shared';

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
			headers: ['Read From Headers', 'Match columns by their headers'],
			mapping: [
				'Map Manually',
				'Choose a column or value for each field. Empty fields are matched by header; remove a field to leave it out.',
			],
		},
		'How columns are assigned to fields',
	),
	columnsNotice: shown(
		{ columnsFrom: ['headers'] },
		notice(
			'Headers such as "Company", "Tax ID", "Zip Code", or "Principal 2 Last Name" are recognized. Other columns are not sent; a dry run lists them.',
		),
	),
	columns: shown({ columnsFrom: ['mapping'] }, mapper),
};

const sheetOptions = settings('Sheet Options', {
	licenseKeys: newInquiryOptions.licenseKeys,
	dateOrder: choice(
		'Date Order',
		{
			report: ['Report Ambiguous Dates', 'As rows that cannot be imported'],
			dayFirst: ['Day First', '31/12/1980'],
			monthFirst: ['Month First', '12/31/1980'],
		},
		'How to read dates such as 03/04/1980',
	),
	ifDuplicate: choice(
		'If Rows Repeat a Business',
		{ report: ['Report the Later Ones', 'As rows that cannot be imported'], send: ['Send All', 'Each is billed'] },
		'What to do with rows that have the same external ID, or else the same EIN, or else the same name and address',
	),
	maxRows: whole('Maximum Rows', {
		default: 1000,
		min: 0,
		description: 'Send nothing if the sheet has more rows than this. 0 means no limit.',
	}),
	restoreZerosInText: flag(
		'Restore Zeros in Text',
		'Whether to restore leading zeros of ZIP codes and EINs that are text, as in a CSV file saved by Excel',
	),
});

const importWaiting = settings('Waiting Options', {
	// A row is never an error only because it takes long: it comes back with its status.
	...without(waitingOptions, 'onTimeout'),
	readScores: flag(
		'Read Scores',
		"Whether to add 'verificationScore' to each row, and the checks that failed to 'verificationProblem'. Takes one more request for each row, which is not billed.",
	),
});

const importSending = {
	chunkSize: whole('Rows per Batch', {
		default: batchRows,
		min: 1,
		description: `Maximum rows in one batch. The service allows ${batchRows} unless your organization has another limit.`,
	}),
	extraBody,
	includeDetails: flag(
		'Include Details',
		"Whether to add a nested 'verification' with the row number, the batch, and all fields of the inquiry",
	),
	ifUncertain: choice(
		'If Rows Cannot Be Matched',
		{
			refuse: ['Refuse', 'Send nothing. The error explains your choices.'],
			send: ['Send Them', 'Rows that were already submitted may be billed twice'],
		},
		'What to do if it is unclear which rows were already submitted, for example because the sheet changed',
	),
	ifUnknown: choice(
		'If Not Confirmed',
		{
			leave: ['Leave It', 'The rows fail as not confirmed. Run the import again to check.'],
			resend: ['Send Again', 'The rows may be billed twice'],
		},
		'What to do with a batch that got no response and is not in the batch list',
	),
	lookupGrace: explained(
		lookupGrace,
		"Seconds until a new batch appears in the service's list. After that, it counts as not submitted. Use 0 if the service lists batches at once.",
	),
};

export const importFields = {
	name: text('Batch Name', {
		description:
			"Shown in the service's list of batches. Run the import again with the same name and nothing is submitted twice. With another name, all rows are submitted again.",
		placeholder: 'e.g. March leads',
	}),
	waitForCompletion: explained(waitForCompletion, 'Whether to wait until the batches are done and output the results'),
	...columns,
	rowsJson,
	dryRun: flag('Dry Run', 'Whether to report what would be submitted, without submitting or billing anything'),
	importMode: choice(
		'Import Mode',
		{
			once: ['Import Once', 'Rows may be added below. After any other change to the sheet, nothing is submitted.'],
			keepInStep: [
				'Sync With the Sheet',
				'Rows may be added, corrected, moved, and removed. New and corrected rows are submitted in small batches with long names.',
			],
		},
		'What to do when the import runs again after the sheet changed',
	),
	outputPer: choice('Output One Item Per', {
		row: ['Row', 'Each row of the sheet with its result'],
		batch: ['Batch', 'Best for tens of thousands of rows'],
	}),
	sheetOptions,
	waitingOptions: shown({ waitForCompletion: [true] }, importWaiting),
	options: sendingOptions({ ...importSending, spendingLimit, submitAgain }),
};

export type ImportInput = Input<typeof importFields>;
