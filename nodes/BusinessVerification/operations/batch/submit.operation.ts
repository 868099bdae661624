import { choice, explained, flag, shown, text } from '../../kit/field';
import { operation, sendingOptions } from '../../kit/operation';
import { routes } from '../../document/routes';
import { sampleIds, spendingLimit, submitAgain, waitForCompletion } from '../../fields/shared';
import { columns, importSending, importWaiting, sheetOptions } from '../../sheet/fields';
import { rowsJson } from '../../inquiry/form';
import { checkSheet, type Sheet, sheetOf, type SheetReport } from '../../sheet/check';
import { deliver } from '../../sheet/delivery';
import { dryRunReport, refuseBad, refuseTooMany, refuseUnsent, tell, tellDeliveries } from '../../sheet/report';
import { askForBatches } from '../../sheet/recognition';
import { badRows, blankRow, failedRows, sentRows } from '../../sheet/results';

/** What the first try of a run has read of its input. */
interface Import {
	name: string;
	sheet: Sheet;
	report?: SheetReport;
}

export const submit = operation({
	name: 'Submit',
	action: 'Submit batch',
	description:
		'Import the rows of a sheet as batches of inquiries, which may be billed. Running the same import again sends nothing twice.',
	endpoint: routes.submitBatch,
	bills: 'one inquiry for each row',
	forModels:
		'Verifies many businesses at once: submits a list to verify, up to 25 rows unless set otherwise. Then use Wait for batch. For one business, use Create inquiry.',
	asks: ['name', 'rowsJson'],
	fields: {
		name: text('Batch Name', {
			description:
				"The service's list of batches shows this name with the rows of each batch. Run the import again under the same name, and nothing is sent twice; under another name everything is sent again.",
			placeholder: 'e.g. March leads',
		}),
		importMode: choice(
			'Import Mode',
			{
				once: ['Import Once', 'Rows may be added below. After any other change of the sheet nothing is sent.'],
				keepInStep: [
					'Keep in Step With the Sheet',
					'Rows may be added, corrected, moved and removed. New and corrected rows are sent, in small batches with long names.',
				],
			},
			'What to do when the import runs again after the sheet has changed',
		),
		...columns,
		rowsJson,
		dryRun: flag('Dry Run', 'Whether to report what would be sent, without sending or billing anything'),
		outputPer: choice('Output One Item Per', {
			row: ['Row', 'Each row of the sheet with its result'],
			batch: ['Batch', 'Best for tens of thousands of rows'],
		}),
		waitForCompletion: explained(
			waitForCompletion,
			'Whether to wait until the batches are done, and to output the results',
		),
		sheetOptions,
		waitingOptions: shown({ waitForCompletion: [true] }, importWaiting),
		options: sendingOptions({ ...importSending, spendingLimit, submitAgain }),
	},
	runAll: async (input, items, service) => {
		const { importMode, sheetOptions, outputPer, rowsJson = items, waitForCompletion: waits } = input;
		const mapped = input.columnsFrom === 'mapping' ? input.columns : undefined;
		// An expression may give another name, or other cells, when n8n tries the node again; this is one import.
		const imported = service.ofRun((): Import => ({ name: input.name, sheet: sheetOf(rowsJson, mapped, service) }));
		const { name, sheet } = imported;
		const { rows } = sheet;
		const options = {
			...input.options,
			...sheetOptions,
			name,
			importMode,
			allowsDuplicates: sheetOptions.ifDuplicate === 'send',
			dateOrder: sheetOptions.dateOrder === 'report' ? undefined : sheetOptions.dateOrder,
		};
		const checked = () => service.inTurns(checkSheet(sheet.cells, sheet.plan, options));
		if (input.dryRun) return [{ items: [0], output: dryRunReport(sheet, await checked(), options) }];
		refuseTooMany(rows.length, options.maxRows);
		// Inside this process one run at a time sends an import. Agents give the same rows other names, so theirs share a turn.
		const turn = service.intentions === undefined ? `import ${name}` : 'import';
		const { report, deliveries } = await service.exclusive(turn, async () => {
			const asked = askForBatches(service);
			const report = (imported.report ??= await checked());
			if (service.stopsOnFailure) refuseBad(report, rows);
			tell(sheet, report, service);
			return { report, deliveries: await deliver(service, report.good, options, asked) };
		});
		const { good, problems, blankRows } = report;
		tellDeliveries(deliveries, service);
		if (deliveries.some((delivery) => !('failure' in delivery)))
			service.advise(
				'{batch.wait} with a batchId waits for the results.',
				'{batch.getInquiries} with a batchId lists the inquiries.',
			);
		if (service.stopsOnFailure) refuseUnsent(deliveries, sheet, good);
		const perRow = outputPer === 'row';
		const wanted = { perRow, waits, waiting: input.waitingOptions! };
		const results = await Promise.all(
			deliveries.map((delivery) =>
				'failure' in delivery ? failedRows(delivery, sheet, good) : sentRows(service, sheet, good, delivery, wanted),
			),
		);
		const skipped = perRow ? blankRows.map((row) => blankRow(sheet, row)) : [];
		return [...badRows(sheet, problems), ...results.flat(), ...skipped];
	},
	example: {
		verificationStatus: 'sent',
		inquiryId: null,
		'Business Name': 'Acme Trading LLC',
		City: 'Springfield',
		State: 'IL',
		verification: {
			row: 1,
			batchId: sampleIds.batch,
			batchName: 'March leads 1-250 #3f0c9a526d',
			reused: false,
		},
	},
});
