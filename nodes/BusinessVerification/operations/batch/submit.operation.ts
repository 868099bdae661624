import { flag, notice, number, shown, text } from '../../definition/field';
import { mapper } from '../../definition/groups';
import { choice } from '../../definition/options';
import { Failure } from '../../definition/failure';
import { operation, type Outcome } from '../../definition/operation';
import type { Service } from '../../definition/service';
import { routes } from '../../document/routes';
import { newInquiryOptions } from '../../fields/inquiry';
import { sendingOptions } from '../../fields/options';
import { waitForCompletion, waitingOptions } from '../../fields/waiting';
import { checkSheet, type ImportSettings } from '../../import/sheet';
import { askEarly } from './looking';
import { dryRunReport, refuseBad, refuseTooMany, refuseUnsent, tell, tellDeliveries } from './report';
import { badRows, blankRow, failedRows, sentChunk, type Wanted, withoutResult } from './results';
import { deliver, type Delivery } from './sending';
import { type Sheet, sheetOf } from './sheet';

const importOptions = {
	...newInquiryOptions,
	...waitingOptions,
	chunkSize: number('Rows per Batch', {
		default: 250,
		min: 1,
		description:
			'How many rows go into one batch. 250 is what the service allows unless your organisation has another limit.',
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
	firstLookDelay: number('Wait Before First Look (Seconds)', {
		default: 0,
		min: 0,
		max: 3600,
		description:
			'How many seconds to wait before the service is asked which batches are there already. Needed only for a run straight after a crash, where the service lists new batches late.',
	}),
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
			'How many seconds a batch gets to appear in the list of the service before it counts as not sent: after no answer came, or after an earlier run was interrupted',
	}),
	maxRows: number('Maximum Rows', {
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
				'Each batch is called by this name, its number and a short hash of its rows, by which a later run recognises it. Edited, added or moved rows, another mapping or another name make a new import, and all its rows are sent.',
			placeholder: 'e.g. March leads',
		}),
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
		output: choice(
			'Output',
			[
				{ name: 'One Item per Batch', value: 'batch', description: 'Lighter for tens of thousands of rows' },
				{ name: 'One Item per Row', value: 'row', description: "The row with a 'verification' beside its own columns" },
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
		const { options, columns, name, output, waitForCompletion: waits } = input;
		const sheet = sheetOf(rows, columns, service);
		const settings = settingsOf(name, options);
		const check = () => checkSheet(sheet.cells, sheet.plan, settings);
		if (input.dryRun) return [{ items: [0], output: dryRunReport(sheet, check()) }];
		refuseTooMany(rows.length, options.maxRows ?? 0);

		// Inside this process one run at a time sends an import.
		const { report, deliveries } = await service.exclusive(`import ${name}`, async () => {
			const { listed } = await askEarly(service, options);
			const report = check();
			if (service.stopsOnFailure) refuseBad(report, rows.length);
			tell(sheet, report, service);
			return { report, deliveries: await deliver(service, report.chunks, options, listed) };
		});
		tellDeliveries(deliveries, service);
		if (service.stopsOnFailure) refuseUnsent(deliveries);
		const perRow = output === 'row';
		const wanted = { perRow, waits, waiting: options };
		const results = await Promise.all(deliveries.map((delivery) => resultsOf(delivery, service, sheet, wanted)));
		const skipped = perRow ? report.blankRows.map((row) => blankRow(sheet, row)) : [];
		return [...badRows(report.problems), ...results.flat(), ...skipped];
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
				batchName: 'March leads 1/40 #3f0c9a526d',
				reused: false,
			},
		},
	},
});

interface ReadingOptions {
	chunkSize?: number;
	dateOrder?: 'dayFirst' | 'monthFirst' | 'report';
	licenseKeys?: ImportSettings['licenseKeys'];
	restoreZerosInText?: boolean;
}

const settingsOf = (
	name: string,
	{ chunkSize, dateOrder, licenseKeys, restoreZerosInText }: ReadingOptions,
): ImportSettings => ({
	name,
	chunkSize,
	licenseKeys,
	restoreZerosInText,
	dateOrder: dateOrder === 'report' ? undefined : dateOrder,
});

async function resultsOf(delivery: Delivery, service: Service, sheet: Sheet, wanted: Wanted): Promise<Outcome[]> {
	if ('failure' in delivery) return failedRows(delivery);
	try {
		return await sentChunk(service, sheet, delivery, wanted);
	} catch (error) {
		if (!(error instanceof Failure)) return Promise.reject(error);
		return failedRows(withoutResult(delivery, error));
	}
}
