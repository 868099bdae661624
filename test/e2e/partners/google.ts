import type { Call, Imitation, Reply } from './internet';

export type Value = string | number | boolean;

/** How a cell shows its value: as it is, with thousands, with leading zeros. */
type Format = 'plain' | '#,##0' | '00000';

interface Cell {
	value: Value;
	format: Format;
}

const cellOf = (value: Value, format: Format = 'plain'): Cell => ({ value, format });

/** A Google Sheets file as far as the examples read and update it: cells with values and formats. */
export class GoogleSheets implements Imitation {
	readonly hosts = ['sheets.googleapis.com'];
	readonly id = 'made-up-spreadsheet-of-imitations-0123456789abc';
	readonly client = { id: 'made-up-client', secret: 'made-up-client-secret' };
	readonly accessToken = 'made-up-access-token-1';
	readonly refreshToken = 'made-up-refresh-token';
	private readonly tabs = new Map<string, Cell[][]>();

	setTab(title: string, rows: Array<Array<Value | [Value, Format]>>): void {
		this.tabs.set(
			title,
			rows.map((row) => row.map((cell) => (Array.isArray(cell) ? cellOf(...cell) : cellOf(cell)))),
		);
	}

	/** As a person corrects it: rows and columns are counted from 0. */
	setCell(title: string, row: number, column: number, value: Value): void {
		this.tabs.get(title)![row][column] = cellOf(value);
	}

	insertRow(title: string, place: number, row: Value[]): void {
		this.tabs.get(title)!.splice(
			place,
			0,
			row.map((value) => cellOf(value)),
		);
	}

	/** As a person sees it, without empty cells at the end of a row. */
	shown(title: string): string[][] {
		return valuesOf(this.tabs.get(title)!, shownOf) as string[][];
	}

	/** The same, as formulas read it. */
	stored(title: string): Value[][] {
		return valuesOf(this.tabs.get(title)!, ({ value }) => value);
	}

	answer(call: Call): Reply {
		if (call.headers.authorization !== `Bearer ${this.accessToken}`) {
			return refusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
		}
		const [, id, rest] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(call.path) ?? [];
		if (id !== this.id) return refusal(404, 'NOT_FOUND', 'Requested entity was not found.');
		if (rest === '') return { body: { sheets: [...this.tabs.keys()].map(propertiesOf) } };
		if (rest === '/values:batchUpdate') {
			for (const { range, values } of call.body.data) this.write(range, values);
			return { body: { spreadsheetId: id, totalUpdatedCells: call.body.data.length } };
		}
		const range = rest.replace(/^\/values\//, '');
		if (call.method !== 'GET' || /:(append|clear)$/.test(range)) return refusal(501, 'UNIMPLEMENTED', rest);
		const { rows, from, to, left, right } = this.place(range);
		const show = call.query.get('valueRenderOption') === 'FORMATTED_VALUE' ? shownOf : ({ value }: Cell) => value;
		const values = valuesOf(
			rows.slice(from, to).map((row) => row.slice(left, right)),
			show,
		);
		return { body: { range, majorDimension: 'ROWS', ...(values.length > 0 && { values }) } };
	}

	/** As they are: the test of the import looks whether the nodes ask for that. */
	private write(range: string, values: Array<Array<Value | null>>): void {
		const { rows, from, left } = this.place(range);
		values.forEach((row, index) => {
			const cells = (rows[from + index] ??= []);
			row.forEach((value, column) => {
				if (value !== null) cells[left + column] = cellOf(value);
			});
			for (let at = 0; at < cells.length; at++) cells[at] ??= cellOf('');
		});
		for (let at = 0; at < rows.length; at++) rows[at] ??= [];
	}

	/** `Leads`, `Leads!A:Z`, `Leads!2:4`, `Leads!C5`. */
	private place(range: string) {
		const rows = this.tabs.get(range.split('!')[0].replace(/^'|'$/g, ''))!;
		const [, left = '', from = '', isSpan, right = '', to = ''] =
			/^([A-Z]*)(\d*)(:)?([A-Z]*)(\d*)$/.exec(range.split('!').at(-1)!.replace(/'/g, '')) ?? [];
		const whole = !range.includes('!');
		const first = whole || left === '' ? 0 : columnOf(left);
		const last = whole || (isSpan && right === '') ? 26 : isSpan ? columnOf(right) + 1 : first + 1;
		const top = whole || from === '' ? 0 : Number(from) - 1;
		return {
			rows,
			left: first,
			right: last,
			from: top,
			to: whole || (isSpan && to === '') ? Infinity : isSpan ? Number(to) : top + 1,
		};
	}
}

/** Up to where there is something. */
const end = <T>(list: T[], isThere: (one: T) => boolean) =>
	list.reduce((sum, one, index) => (isThere(one) ? index + 1 : sum), 0);

const columnOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const propertiesOf = (title: string, index: number) => ({
	properties: {
		...{ sheetId: index * 100, title, index, sheetType: 'GRID' },
		gridProperties: { rowCount: 1000, columnCount: 26 },
	},
});

const refusal = (code: number, status: string, message: string): Reply => ({
	status: code,
	body: { error: { code, message, status } },
});

/** Google leaves out empty cells at the end of a row and empty rows at the end of a range. */
function valuesOf<T>(rows: Cell[][], show: (cell: Cell) => T): T[][] {
	const shown = rows.map((row) => {
		return row
			.slice(
				0,
				end(row, ({ value }) => value !== ''),
			)
			.map(show);
	});
	return shown.slice(
		0,
		end(shown, (row) => row.length > 0),
	);
}

function shownOf({ value, format }: Cell): string {
	if (typeof value !== 'number') return typeof value === 'boolean' ? String(value).toUpperCase() : value;
	if (format === '#,##0') return value.toLocaleString('en-US');
	if (format === '00000') return String(value).padStart(5, '0');
	return String(value);
}
