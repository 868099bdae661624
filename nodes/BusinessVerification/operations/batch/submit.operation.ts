import { maxRows } from '../../agents/calls';
import { choice, explained, flag, shown, text } from '../../kit/field';
import { operation, sendingOptions } from '../../kit/operation';
import { routes } from '../../document/routes';
import { sampleIds, spendingLimit, submitAgain, waitForCompletion } from '../../fields/shared';
import { columns, importSending, importWaiting, sheetOptions } from '../../sheet/fields';
import { rowsJson } from '../../inquiry/form';
import { checkSheet, planOf, type SheetReport } from '../../sheet/check';
import type { ColumnPlan } from '../../sheet/columns';
import type { Json } from '../../kit/service';
import { deliver } from '../../sheet/delivery';
import { dryRunReport, refuseBad, refuseTooMany, refuseUnsent, tell, tellDeliveries } from '../../sheet/report';
import { askForBatches } from '../../sheet/recognition';
import { badRows, blankRow, failedRows, sentRows } from '../../sheet/results';
import { numbered } from '../../sheet/rows';

/** The input as read by the first try of a run. */
interface Import {
	name: string;
	rows: readonly Json[];
	plan: ColumnPlan;
	report?: SheetReport;
}

export const submit = operation({
	name: 'Submit',
	action: 'Submit batch to import spreadsheet',
	description:
		'Verify many businesses by importing the rows of a sheet. Running the same import again submits nothing twice.',
	endpoint: routes.submitBatch,
	bills: 'one inquiry for each row',
	forModels: `Verifies many businesses at once: submits a list to verify, up to ${maxRows} rows unless set otherwise. Then use Wait for batch. For one business, use Create inquiry.`,
	asks: ['name', 'rowsJson'],
	fields: {
		name: text('Batch Name', {
			description:
				"Shown in the service's list of batches. Run the import again with the same name and nothing is submitted twice. With another name, all rows are submitted again.",
			placeholder: 'e.g. March leads',
		}),
		waitForCompletion: explained(
			waitForCompletion,
			'Whether to wait until the batches are done and output the results',
		),
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
	},
	runAll: async (input, items, service) => {
		const { importMode, sheetOptions } = input;
		const given = input.rowsJson === undefined ? items : numbered(input.rowsJson);
		const mapped = input.columnsFrom === 'mapping' ? input.columns : undefined;
		// Kept for the run, because on a retry an expression may return another name or other cells.
		const imported = service.ofRun((): Import => ({
			name: input.name,
			rows: given,
			plan: planOf(given, mapped, service),
		}));
		const { name, rows, plan } = imported;
		const options = {
			...input.options,
			...sheetOptions,
			name,
			importMode,
			allowsDuplicates: sheetOptions.ifDuplicate === 'send',
			dateOrder: sheetOptions.dateOrder === 'report' ? undefined : sheetOptions.dateOrder,
		};
		const checked = () => service.inTurns(checkSheet(rows, plan, options));
		if (input.dryRun) return [{ items: [0], output: dryRunReport(await checked(), options) }];
		refuseTooMany(rows.length, options.maxRows);
		// Within this process, one run at a time sends an import. For agents it is any import, because they may rename it.
		const turn = service.intentions === undefined ? `import ${name}` : 'import';
		const { report, deliveries } = await service.exclusive(turn, async () => {
			const asked = askForBatches(service);
			const report = (imported.report ??= await checked());
			if (service.stopsOnFailure) refuseBad(report);
			tell(report, service);
			return { report, deliveries: await deliver(service, report.good, options, asked) };
		});
		const { problems, blankRows } = report;
		tellDeliveries(deliveries, report.good, service);
		if (deliveries.some((delivery) => !('failure' in delivery)))
			service.advise(
				'{batch.wait} with a batchId waits for the results.',
				'{batch.getInquiries} with a batchId lists the inquiries.',
			);
		if (service.stopsOnFailure) refuseUnsent(deliveries);
		const results = await Promise.all(
			deliveries.map((delivery) => ('failure' in delivery ? failedRows(delivery) : sentRows(service, delivery, input))),
		);
		const skipped = input.outputPer === 'row' ? blankRows.map((row) => blankRow(row, options.includeDetails)) : [];
		return [...badRows(problems), ...results.flat(), ...skipped];
	},
	example: {
		verificationStatus: 'sent',
		inquiryId: null,
		verificationProblem: null,
		batchId: sampleIds.batch,
		'Business Name': 'Acme Trading LLC',
		City: 'Springfield',
		State: 'IL',
	},
});
