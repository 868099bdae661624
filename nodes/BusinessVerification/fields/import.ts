import { choice, flag, mapper, notice, number, settings, shown, whole } from '../definition';
import { batchRows } from '../document';
import { newInquiryOptions } from './inquiryForm';
import { extraBody } from './requestOptions';
import { waitingOptions } from './waitingOptions';

/** What the columns of a sheet mean. */
export const columns = {
	columnsFrom: choice(
		'Columns',
		[
			{ name: 'Map Manually', value: 'mapping', description: 'Choose for each field the column or value it takes' },
			{ name: 'Read From Headers', value: 'headers', description: 'Take each column for what its header says' },
		],
		{ default: 'headers' },
	),
	columnsNotice: shown(
		{ columnsFrom: ['headers'] },
		notice(
			'Headers need not be exact: "Company", "Tax ID", "Zip Code" or "Principal 2 Last Name" are understood. Other columns are left out; a dry run shows which.',
		),
	),
	columns: shown({ columnsFrom: ['mapping'] }, mapper('Mapping', 'getImportColumns')),
};

/** How the cells of the sheet are read, and which rows are taken. */
export const sheetOptions = settings('Sheet Options', {
	licenseKeys: newInquiryOptions.licenseKeys,
	dateOrder: choice(
		'Date Order',
		[
			{ name: 'Day First', value: 'dayFirst', description: '31/12/1980' },
			{ name: 'Month First', value: 'monthFirst', description: '12/31/1980' },
			{ name: 'Report Ambiguous Dates', value: 'report' },
		],
		{ default: 'report', description: 'How dates such as 03/04/1980 are read' },
	),
	ifDuplicate: choice(
		'If Rows Repeat a Business',
		[
			{ name: 'Report the Later Ones', value: 'report', description: 'As rows that cannot be imported' },
			{ name: 'Send All', value: 'send', description: 'Each is billed' },
		],
		{
			default: 'report',
			description:
				'What to do with rows of the same external ID or, where they have none, of the same EIN or else the same name and full address',
		},
	),
	maxRows: whole('Maximum Rows', {
		default: 0,
		min: 0,
		description: 'Refuse to import more rows than this in one run; 0 sets no limit',
	}),
	restoreZerosInText: flag('Restore Zeros in Text', {
		description:
			'Whether ZIP codes and EINs that are text get lost leading zeros back too, as a CSV file saved by Excel needs',
	}),
});

export const importWaiting = settings('Waiting Options', {
	...waitingOptions,
	readScores: flag('Read Scores', {
		description:
			"Whether to read the score of every row into 'verificationScore' when its batch is done, which takes one more request for each row",
	}),
});

/** How batches are cut, sent and recognised. */
export const importSending = {
	chunkSize: whole('Rows per Batch', {
		default: batchRows,
		min: 1,
		description: `How many rows go into one batch at most. ${batchRows} is what the service allows unless your organisation has another limit.`,
	}),
	extraBody,
	ifUncertain: choice(
		'If Rows Cannot Be Recognised',
		[
			{ name: 'Refuse', value: 'refuse', description: 'Nothing is sent, and the error names the choices' },
			{ name: 'Send Them', value: 'send', description: 'Rows that an earlier run has sent may be billed twice' },
		],
		{
			default: 'refuse',
			description:
				'What to do when nobody can say which rows the service has, because the sheet was changed for example',
		},
	),
	ifUnknown: choice(
		'If the Outcome Is Unknown',
		[
			{ name: 'Leave It', value: 'leave', description: 'The rows fail as unknown; running the import again finds out' },
			{
				name: 'Send Again',
				value: 'resend',
				description: 'After the look-up found nothing; the rows may then be billed twice',
			},
		],
		{
			default: 'leave',
			description: 'What to do with a batch that was sent, got no answer, and is not in the batch list',
		},
	),
	lookupGrace: number('Look-Up Grace (Seconds)', {
		default: 30,
		min: 0,
		max: 3600,
		description:
			'How many seconds a batch gets to appear in the list of the service before it counts as not sent. A sheet kept in step waits so long before it sends anything, an import only where an earlier run may have been interrupted. 0 is for services that list a batch at once.',
	}),
};
