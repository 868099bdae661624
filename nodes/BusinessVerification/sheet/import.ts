import type { Outcome } from '../kit/operation';
import { Failure, type Json, type Service, tried } from '../kit/service';
import { checkSheet, type SheetReport } from './check';
import { planOf } from './columns';
import type { ImportInput } from './importFields';
import { adviseOnRows, doubtsIn, foreseen, refuseUnsent, remarkOnRows, remarkOnSheet, sheetTooLong } from './summary';
import { outcomes } from './verdicts';
import { ownNumber } from './row';
import { Sending, unclearIn } from './sending';
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
		/** About the rows that the first try has sent, too. */
		doubts: undefined as ReadonlyMap<string, SheetReport['rows']> | undefined,
	}));
	const { name, rows, plan } = run;
	const { licenseKeys } = service.settings;
	const nameIn = (index: number) =>
		rows === items ? String(service.evaluate('name', index)).trim().normalize() : name;
	const checked = () => service.inTurns(checkSheet(rows, plan, { ...sheetOptions, licenseKeys, name, nameIn }));
	const tooLong = sheetTooLong(rows.length, sheetOptions.maxRows);
	const whyUnclear = (submitted: Submitted) =>
		submitted.rest.length === 0 || options.ifUncertain === 'send' ? undefined : unclearIn(submitted, options.chunkSize);
	if (input.dryRun) {
		const asked = askForBatches(service);
		const sheet = await checked();
		const submitted = new Submitted(service, name, sheet.perhapsSent);
		// One reading is enough where nothing is sent. Without an answer, the sheet can be checked all the same.
		const unread = await tried(submitted.read(asked.batches));
		const refusal = tooLong ?? whyUnclear(submitted);
		service.remark(foreseen(submitted, sheet, { refusal, unread, chunkSize: options.chunkSize }));
		remarkOnSheet(sheet, await service.inTurns(doubtsIn(submitted.rest)), service);
		return await outcomes(submitted, sheet, input, refusal);
	}
	if (tooLong !== undefined) throw tooLong;

	// Within this process, one run at a time sends an import. Of agents it is any import, because they may rename it.
	const alone = <T>(task: () => Promise<T>) => service.exclusive(importKey(name), task);
	const inTurn: typeof alone = (task) =>
		service.intentions === undefined ? alone(task) : service.exclusive('import', () => alone(task));
	const { sheet, submitted, warnings } = await inTurn(async () => {
		const asked = askForBatches(service);
		const sheet = (run.sheet ??= await checked());
		const submitted = new Submitted(service, name, sheet.perhapsSent);
		await submitted.settle(options.advanced.lookUpWait * 1000, asked);
		const { rest } = submitted;
		if (rest.length === 0) return { sheet, submitted, warnings: [] };
		const unclear = whyUnclear(submitted);
		if (unclear !== undefined) throw unclear;
		service.refuseOverspending(rest.length);
		const sending = new Sending(submitted, options, run);
		// While the rows are sent, which is waiting: afterwards, it would make an import of 10,000 rows 6 % slower.
		const [, doubts] = await Promise.all([sending.sendAll(rest), run.doubts ?? service.inTurns(doubtsIn(rest))]);
		run.doubts = doubts;
		// Now that a lost answer is found, or known to be lost.
		submitted.rememberForAgent(rest);
		return { sheet, submitted, warnings: sending.warnings };
	});

	refuseUnsent(sheet.good, service);
	adviseOnRows(sheet, service);
	const results = await outcomes(submitted, sheet, input);
	const isWarned = warnings.length > 0 || options.ifUncertain === 'send';
	remarkOnRows(submitted, sheet, { areRead: input.waitForCompletion, isWarned });
	for (const warning of warnings) service.remark(warning);
	remarkOnSheet(sheet, run.doubts ?? new Map(), service);
	return results;
}
