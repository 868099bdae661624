import { type Change, changes, type Listener, type Place, type ReadingSettings } from '../values/listener';
import type { ColumnPlan } from './columns';

/** Why a row cannot be sent. Never holds a value of the row. */
export interface RowProblem {
	/** 1 for the first row below the headers. */
	row: number;
	/** The header, or the name of the target where no column is mapped to it. */
	column: string;
	reason: string;
}

export interface ChangeCount {
	column: string;
	change: Change;
	cells: number;
	firstRow: number;
}

/** How the keys of a license are spelled inside a create request: as the document prints them, or as in "add license". */
export type LicenseKeys = 'snakeCase' | 'camelCase';

export interface MappingSettings extends ReadingSettings {
	licenseKeys?: LicenseKeys;
}

/** What one pass over the rows found. Counts changes per column, so its size does not grow with the sheet. */
export class Findings implements Listener {
	/** The row being read. */
	row = 1;
	readonly problems: RowProblem[] = [];
	/** Where each principal and license of the row being read came from: a group of columns, or a column of JSON. */
	sources: Record<'principals' | 'licenses', string[]> = { principals: [], licenses: [] };

	private readonly cells: Uint32Array;
	private readonly firstRows: Uint32Array;

	constructor(
		private readonly plan: ColumnPlan,
		readonly settings: MappingSettings,
	) {
		this.cells = new Uint32Array(plan.mapped.length * changes.length);
		this.firstRows = new Uint32Array(plan.mapped.length * changes.length);
	}

	change({ index }: Place, change: Change): undefined {
		const slot = index * changes.length + changes.indexOf(change);
		if (this.cells[slot]++ === 0) this.firstRows[slot] = this.row;
	}

	problem({ header }: Pick<Place, 'header'>, reason: string): undefined {
		this.problems.push({ row: this.row, column: header, reason });
	}

	changeCounts(): ChangeCount[] {
		return this.plan.mapped.flatMap(({ header, index }) =>
			changes.flatMap((change, place) => {
				const slot = index * changes.length + place;
				return this.cells[slot] === 0
					? []
					: [{ column: header, change, cells: this.cells[slot], firstRow: this.firstRows[slot] }];
			}),
		);
	}
}
