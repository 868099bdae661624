import type { Outcome } from '../kit/operation';
import type { Json, Service } from '../kit/service';
import { checkSheet, planOf, type SheetReport } from './check';
import { deliver } from './delivery';
import type { ImportInput } from './fields';
import { importKey } from './names';
import { askForBatches } from './recognition';
import { dryRunReport, refuseBad, refuseLongName, refuseTooMany, refuseUnsent, tell, tellDeliveries } from './report';
import { badRows, blankRow, failedRows, sentRows } from './results';
import { numbered } from './rows';

/** The story of an import: read the sheet, find what was submitted before, send the rest, return each row. */
export async function importSheet(input: ImportInput, items: Json[], service: Service): Promise<Outcome[]> {
	const { importMode, sheetOptions } = input;
	const given = input.rowsJson === undefined ? items : numbered(input.rowsJson);
	const mapped = input.columnsFrom === 'mapping' ? input.columns : undefined;
	// Kept for the run, because on a retry an expression may return another name or other cells.
	const imported = service.ofRun(() => ({
		name: input.name.normalize(),
		rows: given,
		plan: planOf(given, mapped, service),
		report: undefined as SheetReport | undefined,
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
	refuseLongName(name, importMode);
	const checked = () => service.inTurns(checkSheet(rows, plan, options));
	if (input.dryRun) return [{ items: [0], output: dryRunReport(await checked(), options) }];
	refuseTooMany(rows.length, options.maxRows);
	// Within this process, one run at a time sends an import. For agents it is any import, because they may rename it.
	const turn = service.intentions === undefined ? importKey(name) : 'import';
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
}
