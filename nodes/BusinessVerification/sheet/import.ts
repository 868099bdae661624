import type { Outcome } from '../kit/operation';
import type { Failure, Json, Service } from '../kit/service';
import { checkSheet, planOf, type SheetReport } from './check';
import type { ImportInput } from './fields';
import { dryRunReport, refuseTooMany, refuseUnsent, remarkOnSheet, remarkOnRows, withRowsSent } from './report';
import { outcomes } from './results';
import { ownNumber } from './rows';
import { refuseUnclear, Sending } from './sending';
import { askForBatches, importKey, Submitted } from './submitted';

/** The story of an import: read the sheet, find what was submitted before, send the rest, return each row. */
export async function importSheet(input: ImportInput, items: Json[], service: Service): Promise<Outcome[]> {
	const { sheetOptions, options } = input;
	// A list has no header line, so its first row is row 1.
	const given = input.rowsJson?.map((row, index) => ({ ...row, [ownNumber]: index + 1 })) ?? items;
	// Shared by all tries of the run, because on a retry an expression may return another name or other cells.
	const run = service.ofRun(() => ({
		name: input.name.normalize(),
		rows: given,
		plan: planOf(given, input.columnsFrom === 'mapping' ? input.columns : undefined, service),
		sheet: undefined as SheetReport | undefined,
		stopped: undefined as Failure | undefined,
	}));
	const { name, rows, plan } = run;
	const dateOrder = sheetOptions.dateOrder === 'report' ? undefined : sheetOptions.dateOrder;
	const { licenseKeys } = service.settings;
	const nameIn = (index: number) =>
		rows === items ? String(service.evaluate('name', index)).trim().normalize() : name;
	const checked = () =>
		service.inTurns(checkSheet(rows, plan, { ...sheetOptions, licenseKeys, name, nameIn, dateOrder }));
	const { maxRows } = sheetOptions;
	if (input.dryRun)
		return [{ kind: 'output', items: [0], output: dryRunReport(await checked(), options.chunkSize, maxRows) }];
	refuseTooMany(rows.length, maxRows);

	// Within this process, one run at a time sends an import. For agents it is any import, because they may rename it.
	const turn = service.intentions === undefined ? importKey(name) : 'import';
	const importing = service.exclusive(turn, async () => {
		const asked = askForBatches(service);
		const sheet = (run.sheet ??= await checked());
		remarkOnSheet(sheet, service);
		const submitted = new Submitted(service, name, sheet.perhapsSent);
		await submitted.settle(options.advanced.lookUpWait * 1000, asked);
		const { rest } = submitted;
		if (rest.length > 0) {
			if (options.ifUncertain !== 'send') refuseUnclear(submitted, options.chunkSize);
			service.refuseOverspending(rest.length);
			const sending = new Sending(submitted, options, run);
			await sending.sendAll(rest);
			for (const warning of sending.warnings) service.remark(warning);
		}
		return { sheet, submitted };
	});
	const { sheet, submitted } = await importing.catch((error: unknown) => {
		throw withRowsSent(error, run.sheet?.good);
	});

	remarkOnRows(sheet, submitted);
	refuseUnsent(sheet.good, service);
	return await outcomes(submitted, sheet, input);
}
