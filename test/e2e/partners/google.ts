import type { Call, Imitation, Reply } from './internet';

export type Value = string | number | boolean;

/** How a cell shows its value: as it is, with thousands, with leading zeros. */
type Format = 'plain' | '#,##0' | '00000';

interface Cell {
	value: Value;
	format: Format;
}

interface Tab {
	sheetId: number;
	rows: Cell[][];
	/** Rows of the grid, whether or not anything stands in them. */
	height: number;
}

const cellOf = (value: Value, format: Format = 'plain'): Cell => ({ value, format });

/** A Google Sheets file: cells with values, formats and formulas, in grids that end somewhere. */
export class GoogleSheets implements Imitation {
	readonly hosts = ['sheets.googleapis.com'];
	readonly id = 'made-up-spreadsheet-of-imitations-0123456789abc';
	readonly client = { id: 'made-up-client', secret: 'made-up-client-secret' };
	readonly accessToken = 'made-up-access-token-1';
	readonly refreshToken = 'made-up-refresh-token';
	private readonly tabs = new Map<string, Tab>();

	setTab(title: string, rows: Array<Array<Value | [Value, Format]>>, height = 1000): void {
		const cells = rows.map((row) => row.map((cell) => (Array.isArray(cell) ? cellOf(...cell) : cellOf(cell))));
		const sheetId = this.tabs.get(title)?.sheetId ?? this.tabs.size * 100;
		this.tabs.set(title, { sheetId, rows: cells, height: Math.max(height, rows.length) });
	}

	/** As a person corrects it: rows and columns are counted from 0. */
	setCell(title: string, row: number, column: number, value: Value): void {
		this.tabs.get(title)!.rows[row][column] = cellOf(value);
	}

	insertRow(title: string, place: number, row: Value[]): void {
		this.tabs.get(title)!.rows.splice(
			place,
			0,
			row.map((value) => cellOf(value)),
		);
	}

	/** As a person sees it, without empty cells at the end of a row. */
	shown(title: string): string[][] {
		return valuesOf(this.tabs.get(title)!.rows, shownOf) as string[][];
	}

	/** The same, as formulas read it. */
	stored(title: string): Value[][] {
		return valuesOf(this.tabs.get(title)!.rows, ({ value }) => value);
	}

	answer(call: Call): Reply {
		if (call.headers.authorization !== `Bearer ${this.accessToken}`) {
			return refusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
		}
		const [, id, rest] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(call.path) ?? [];
		if (id !== this.id) return refusal(404, 'NOT_FOUND', 'Requested entity was not found.');
		if (rest === '')
			return { body: { sheets: [...this.tabs].map(([title, tab]) => ({ properties: propertiesOf(title, tab) })) } };
		if (rest === ':batchUpdate') return this.change(call.body.requests);
		if (rest === '/values:batchUpdate') {
			for (const { range, values } of call.body.data) {
				const reply = this.write(range, values, call.body.valueInputOption);
				if (reply !== undefined) return reply;
			}
			return { body: { spreadsheetId: id, totalUpdatedCells: call.body.data.length } };
		}
		return this.values(call, rest.replace(/^\/values\//, ''));
	}

	private values({ method, query, body }: Call, rest: string): Reply {
		const [, range, verb] = /^(.*?)(?::(append|clear))?$/.exec(rest)!;
		const { tab, from, to, left, right } = this.place(range);
		if (verb === 'clear') {
			for (const row of tab.rows.slice(from, to))
				for (let at = left; at < Math.min(right, row.length); at++) row[at] = cellOf('');
			return { body: {} };
		}
		if (verb === 'append') {
			const last = this.filled(tab);
			tab.height = Math.max(tab.height, last + body.values.length);
			return (
				this.write(
					`${titleOf(range)}!${last + 1}:${last + body.values.length}`,
					body.values,
					query.get('valueInputOption')!,
				) ?? { body: {} }
			);
		}
		if (method === 'PUT') return this.write(range, body.values, query.get('valueInputOption')!) ?? { body: {} };
		const show = query.get('valueRenderOption') === 'FORMATTED_VALUE' ? shownOf : ({ value }: Cell) => value;
		const rows = valuesOf(
			tab.rows.slice(from, to).map((row) => row.slice(left, right)),
			show,
		);
		return { body: { range, majorDimension: 'ROWS', ...(rows.length > 0 && { values: rows }) } };
	}

	private write(range: string, values: Array<Array<Value | null>>, input: string): Reply | undefined {
		const { tab, from, left } = this.place(range);
		if (from + values.length > tab.height) {
			return refusal(
				400,
				'INVALID_ARGUMENT',
				`Range (${range}) exceeds grid limits. Max rows: ${tab.height}, max columns: 26`,
			);
		}
		values.forEach((row, index) => {
			const cells = (tab.rows[from + index] ??= []);
			row.forEach((value, column) => {
				if (value !== null) cells[left + column] = input === 'RAW' ? cellOf(value) : entered(value);
			});
			for (let at = 0; at < cells.length; at++) cells[at] ??= cellOf('');
		});
		for (let at = 0; at < tab.rows.length; at++) tab.rows[at] ??= [];
		return undefined;
	}

	private change(
		requests: Array<{ appendDimension: { sheetId: number | string; dimension: string; length: number } }>,
	): Reply {
		for (const { appendDimension } of requests) {
			const tab = [...this.tabs.values()].find(({ sheetId }) => sheetId === Number(appendDimension.sheetId))!;
			if (appendDimension.dimension === 'ROWS') tab.height += appendDimension.length;
		}
		return { body: { replies: [{}] } };
	}

	private filled = ({ rows }: Tab) => end(rows, (row) => row.some(({ value }) => value !== ''));

	/** `Leads`, `Leads!A:Z`, `Leads!2:4`, `Leads!C5`. */
	private place(range: string) {
		const tab = this.tabs.get(titleOf(range))!;
		const [, left = '', from = '', isSpan, right = '', to = ''] =
			/^([A-Z]*)(\d*)(:)?([A-Z]*)(\d*)$/.exec(range.split('!').at(-1)!.replace(/'/g, '')) ?? [];
		const whole = !range.includes('!');
		const first = whole || left === '' ? 0 : columnOf(left);
		const last = whole || (isSpan && right === '') ? 26 : isSpan ? columnOf(right) + 1 : first + 1;
		const top = whole || from === '' ? 0 : Number(from) - 1;
		return {
			tab,
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

const titleOf = (range: string) => range.split('!')[0].replace(/^'|'$/g, '');

const columnOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const propertiesOf = (title: string, { sheetId, height }: Tab) => ({
	...{ sheetId, title, index: sheetId / 100, sheetType: 'GRID' },
	gridProperties: { rowCount: height, columnCount: 26 },
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

/** What Google makes of something that is typed into a cell. */
function entered(value: Value): Cell {
	if (typeof value !== 'string') return cellOf(value);
	if (/^-?\d+(\.\d+)?$/.test(value)) return cellOf(Number(value));
	if (/^\d{1,2}-\d{1,2}$/.test(value)) return cellOf(46_000 + Number(value.replace('-', '')));
	if (value.startsWith('=')) return cellOf(`result of ${value.slice(1)}`);
	return cellOf(value);
}
