import { flag, type Input, notice, number, shown, text, whole } from '../../definition/field';
import { mapper } from '../../definition/groups';
import { choice } from '../../definition/options';
import { operation } from '../../definition/operation';
import { batchRows } from '../../document/limits';
import { routes } from '../../document/routes';
import { newInquiryOptions } from '../../fields/inquiry';
import { sendingOptions } from '../../fields/options';
import { waitForCompletion, waitingOptions } from '../../fields/waiting';
import { checkSheet } from '../../import/sheetCheck';
import { deliver, type DeliveryOptions } from './delivery';
import { dryRunReport, refuseBad, refuseTooMany, refuseUnsent, tell, tellDeliveries } from './report';
import { badRows, blankRow, failedRows, sentRows } from './results';
import { sheetOf } from './sheet';

const importOptions = {
	...newInquiryOptions,
	...waitingOptions,
	chunkSize: whole('Rows per Batch', {
		default: batchRows,
		min: 1,
		description: `How many rows go into one batch at most. ${batchRows} is what the service allows unless your organisation has another limit.`,
	}),
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
	maxRows: whole('Maximum Rows', {
		default: 0,
		min: 0,
		description: 'Refuse to import more rows than this in one run; 0 sets no limit',
	}),
	restoreZerosInText: flag('Restore Zeros in Text', {
		description:
			'Whether ZIP codes and EINs that are text get lost leading zeros back too, as a CSV file saved by Excel needs',
	}),
};

export const submit = operation({
	name: 'Submit',
	action: 'Submit batch',
	description:
		'Import the rows of a sheet as batches of inquiries, which may be billed. Running the same import again sends nothing twice.',
	endpoint: routes.submitBatch,
	fields: {
		name: text('Batch Name', {
			description:
				'Names the import: under the same name nothing is sent twice, under another one everything is sent. Each batch is called by it and by the rows it holds.',
			placeholder: 'e.g. March leads',
		}),
		importMode: choice(
			'Import Mode',
			[
				{
					name: 'Import Once',
					value: 'once',
					description: 'Rows may be added below; any other change of the sheet is noticed and nothing is sent',
				},
				{
					name: 'Keep in Step With the Sheet',
					value: 'keepInStep',
					description:
						'Rows may be added, corrected, moved and removed: what is new or corrected is sent. Small batches with long names.',
				},
			],
			{ default: 'once', description: 'What happens when the import runs again after the sheet has changed' },
		),
		columns: mapper('Columns', 'getImportColumns', {
			description:
				'What the columns of the sheet mean. Headers such as "Business Name", "Tax ID" or "Principal 1 Last Name" are understood.',
		}),
		columnsNotice: shown(
			{ '/columns.mappingMode': ['autoMapInputData'] },
			notice(
				'Headers need not be exact: "Company", "Tax ID", "Zip Code" or "Principal 2 Last Name" are understood. Other columns are left out; a dry run shows which.',
			),
		),
		dryRun: flag('Dry Run', {
			description: 'Whether to only report what would be sent, without sending or billing anything',
		}),
		outputPer: choice(
			'Output One Item Per',
			[
				{ name: 'Batch', value: 'batch', description: 'Lighter for tens of thousands of rows' },
				{ name: 'Row', value: 'row', description: "The row with a 'verification' beside its own columns" },
			],
			{ default: 'row' },
		),
		waitForCompletion: {
			...waitForCompletion,
			property: {
				...waitForCompletion.property,
				description: 'Whether to go on only when the batches are done, with a result for each row',
			},
		},
		options: sendingOptions(importOptions),
	},
	runAll: async (input, rows, service) => {
		const { columns, name, outputPer, waitForCompletion: waits } = input;
		const options = settingsOf(input);
		const sheet = sheetOf(rows, columns, service);
		const report = checkSheet(sheet.cells, sheet.plan, options);
		if (input.dryRun) return [{ items: [0], output: dryRunReport(sheet, report, options) }];
		refuseTooMany(rows.length, options.maxRows);
		if (service.stopsOnFailure) refuseBad(report, rows.length);
		tell(sheet, report, service);

		const { good, problems, blankRows } = report;
		// Inside this process one run at a time sends an import.
		const deliveries = await service.exclusive(`import ${name}`, () => deliver(service, good, options));
		tellDeliveries(deliveries, service);
		if (service.stopsOnFailure) refuseUnsent(deliveries, good);
		const perRow = outputPer === 'row';
		const wanted = { perRow, waits, waiting: options };
		const results = await Promise.all(
			deliveries.map((delivery) =>
				'failure' in delivery ? failedRows(delivery, good) : sentRows(service, sheet, good, delivery, wanted),
			),
		);
		const skipped = perRow ? blankRows.map((row) => blankRow(sheet, row)) : [];
		return [...badRows(problems), ...results.flat(), ...skipped];
	},
	example: {
		input: { name: 'March leads', columns: { mappingMode: 'autoMapInputData', value: null } },
		output: {
			'Business Name': 'Acme Trading LLC',
			City: 'Springfield',
			State: 'IL',
			verification: {
				row: 1,
				batchId: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
				batchName: 'March leads 1-250 #3f0c9a526d',
				reused: false,
			},
		},
	},
});

interface Given {
	name: string;
	importMode: DeliveryOptions['importMode'];
	options: Input<typeof importOptions>;
}

const settingsOf = ({ name, importMode, options }: Given) => ({
	...options,
	name,
	importMode,
	allowsDuplicates: options.ifDuplicate === 'send',
	dateOrder: options.dateOrder === 'report' ? undefined : options.dateOrder,
});
