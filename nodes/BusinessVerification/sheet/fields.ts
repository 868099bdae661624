import { choice, flag, mapper, notice, secondsField, settings, shown, whole } from '../kit/field';
import { batchRows } from '../document/vocabulary';
import { newInquiryOptions } from '../inquiry/form';
import { extraBody, waitingOptions } from '../fields/shared';

/** What the columns of a sheet mean. */
export const columns = {
	columnsFrom: choice(
		'Columns',
		{
			headers: ['Read From Headers', 'Each column is what its header says'],
			mapping: [
				'Map Manually',
				'Choose a column or a value for a field. Fields left empty are read from the headers; remove a field to leave it out.',
			],
		},
		'How to know what each column means',
	),
	columnsNotice: shown(
		{ columnsFrom: ['headers'] },
		notice(
			'Headers such as "Company", "Tax ID", "Zip Code" or "Principal 2 Last Name" are understood. Other columns are left out: a dry run shows which.',
		),
	),
	columns: shown({ columnsFrom: ['mapping'] }, mapper('Mapping', 'getImportColumns')),
};

/** How the cells of the sheet are read, and which rows are taken. */
export const sheetOptions = settings('Sheet Options', {
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
		'What to do with rows that have the same external ID or, without one, the same EIN, or else the same name and address',
	),
	maxRows: whole('Maximum Rows', {
		default: 0,
		min: 0,
		description: 'Send nothing if the sheet has more rows than this. 0 sets no limit.',
	}),
	restoreZerosInText: flag(
		'Restore Zeros in Text',
		'Whether to restore lost leading zeros also where a ZIP code or EIN is text, as in a CSV file saved by Excel',
	),
});

export const importWaiting = settings('Waiting Options', {
	...waitingOptions,
	readScores: flag(
		'Read Scores',
		"Whether to add 'verificationScore' to each row when its batch is done. Takes one more request for each row.",
	),
});

/** How batches are cut, sent and recognised. */
export const importSending = {
	chunkSize: whole('Rows per Batch', {
		default: batchRows,
		min: 1,
		description: `Maximum rows in one batch. The service allows ${batchRows} unless your organization has another limit.`,
	}),
	extraBody,
	ifUncertain: choice(
		'If Rows Cannot Be Recognized',
		{
			refuse: ['Refuse', 'Send nothing; the error names the choices'],
			send: ['Send Them', 'Rows that were sent before may be billed twice'],
		},
		'What to do if it is unclear which rows were sent before, for example because the sheet has changed',
	),
	ifUnknown: choice(
		'If the Outcome Is Unknown',
		{
			leave: ['Leave It', 'The rows fail as unknown. Run the import again to find out.'],
			resend: ['Send Again', 'The rows may be billed twice'],
		},
		'What to do with a batch that got no answer and is not in the batch list',
	),
	lookupGrace: secondsField(
		'Look-Up Grace',
		30,
		"Seconds in which a batch has to appear in the service's list, or it counts as not sent. A sheet kept in step waits this long before it sends; an import only if an earlier run may have been interrupted. 0 is for services that list a batch at once.",
	),
};
