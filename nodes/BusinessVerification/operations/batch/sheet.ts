import { Failure, isExpression, type Json, type Mapping, referenceIn, type Service } from '../../definition';
import { collectHeaders, type ColumnPlan, planColumns } from '../../import/columns';

export interface Sheet {
	/** As they came in, and as the output hands them on. */
	rows: readonly Json[];
	/** As they are read: with a column for each fixed value and each expression of the mapping. */
	cells: readonly Json[];
	plan: ColumnPlan;
}

/** The rows and what their columns mean, by their headers or as the user has mapped them. */
export function sheetOf(rows: readonly Json[], mapped: Mapping['value'] | undefined, service: Service): Sheet {
	const headers = collectHeaders(rows);
	if (mapped === undefined) return planned({ rows, cells: rows, plan: planColumns(headers) });
	const mapping: Record<string, string> = {};
	const made: Array<{ target: string; header: string; isExpression: boolean }> = [];
	for (const [target, saved] of Object.entries(mapped)) {
		if (saved === null || saved === undefined || saved === '') continue;
		// A reference to the item itself names a column; everything else becomes one.
		const [named, ...deeper] = referenceIn(saved) ?? [];
		const isColumn = named !== undefined && deeper.length === 0;
		const header = isColumn ? named : freeHeader(target, headers);
		mapping[target] = header;
		if (!isColumn) made.push({ target, header, isExpression: isExpression(saved) });
	}
	if (made.length === 0) return planned({ rows, cells: rows, plan: planColumns(headers, mapping) });

	const cells = rows.map((row, index) => {
		const filled: Json = { ...row };
		for (const { target, header, isExpression } of made) {
			filled[header] = isExpression ? service.evaluate(`columns.value.${target}`, index) : mapped[target];
		}
		return filled;
	});
	return planned({ rows, cells, plan: planColumns([...headers, ...made.map(({ header }) => header)], mapping) });
}

/** The sheet may have a column of the target's name that is mapped elsewhere. */
const freeHeader = (target: string, headers: readonly string[]): string =>
	headers.includes(target) ? freeHeader(`${target} (mapped)`, headers) : target;

function planned(sheet: Sheet): Sheet {
	const { missing, ignored } = sheet.plan;
	if (missing.length === 0) return sheet;
	const unread = ignored.length === 0 ? '' : ` Columns that were not understood: ${ignored.join(', ')}.`;
	const dba = missing.includes('businessName') ? ' A business may also be given by its businessDba alone.' : '';
	throw new Failure(`The sheet has no column for ${missing.join(' and ')}`, {
		parameter: 'columns',
		description: `Nothing was sent. Rename a column, or map each column by hand.${dba}${unread}`,
	});
}
