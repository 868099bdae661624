import type { InquiryItem } from '../document';
import { CheckCounter, type CheckCount } from './unlockedChecks';
import type { ColumnPlan, Row } from './columns';
import { Duplicates, repetition } from './duplicates';
import { type ChangeCount, Findings, type MappingSettings, type RowProblem } from './findings';
import { GoodRows } from './goodRows';
import { numberOf } from './rowNumbers';
import { columnOfField, mapRow } from './rows';
import { validateInquiry } from './validation';

export interface ImportSettings extends MappingSettings {
	/** What the batches are called. */
	name: string;
	/** Rows that repeat a business are sent too. */
	allowsDuplicates?: boolean;
}

/** What one pass over a sheet says before anything is sent. Holds row numbers, never items. */
export interface SheetReport {
	good: GoodRows;
	/** Everything wrong with every bad row, in the order of the sheet. */
	problems: RowProblem[];
	/** Rows with nothing in any mapped column. */
	blankRows: number[];
	changes: ChangeCount[];
	/** What the good rows would switch on. */
	checks: CheckCount[];
}

/** Rows of a step: to step costs as much as to read a fifth of a row. */
const rowsOfStep = 16;

/** Reads the whole sheet once, in steps: every row ends up among the good ones, the problems, or the blank ones. */
export function* checkSheet(
	rows: readonly Row[],
	plan: ColumnPlan,
	settings: ImportSettings,
): Generator<void, SheetReport> {
	const findings = new Findings(plan, settings);
	const duplicates = new Duplicates();
	const checks = new CheckCounter();
	const good: number[] = [];
	const blankRows: number[] = [];

	for (let index = 0; index < rows.length; index++) {
		if (index % rowsOfStep === 0) yield;
		const row = index + 1;
		const before = findings.problems.length;
		findings.row = row;
		const item = mapRow(rows[index], plan, findings);
		// Without the required columns every row is blank or bad: calling them blank would hide the cause.
		if (plan.missing.length === 0 && findings.problems.length === before && isEmpty(item)) {
			blankRows.push(row);
			continue;
		}
		addBrokenRules(item, plan, findings, before);
		if (findings.problems.length > before) continue;
		const repeated = settings.allowsDuplicates ? undefined : duplicates.see(item, row);
		if (repeated) {
			const header = columnOfField([repeated.field], plan, findings);
			findings.problem({ header }, repetition(repeated.field, numberOf(rows, repeated.row)));
			continue;
		}
		checks.add(item);
		good.push(row);
	}
	// What reading a row again finds is in the report already.
	const unheard = new Findings(plan, settings);
	const itemOf = (row: number) => mapRow(rows[row - 1], plan, unheard);
	return {
		good: new GoodRows(settings.name, good, itemOf),
		problems: findings.problems,
		blankRows,
		changes: findings.changeCounts(),
		checks: checks.counts(),
	};
}

function isEmpty(item: InquiryItem): boolean {
	for (const _ in item) return false;
	return true;
}

/** A cell that could not be read is not reported a second time as missing. */
function addBrokenRules(item: InquiryItem, plan: ColumnPlan, findings: Findings, before: number): void {
	const broken = validateInquiry(item);
	if (broken.length === 0) return;
	const unreadable = findings.problems.slice(before).map(({ column }) => column);
	for (const { path, reason } of broken) {
		const column = columnOfField(path, plan, findings);
		if (!unreadable.includes(column)) findings.problem({ header: column }, reason);
	}
}
