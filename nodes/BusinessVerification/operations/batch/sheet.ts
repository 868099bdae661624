import type { Mapping } from '../../definition/field';
import { Failure } from '../../definition/failure';
import type { Json, Service } from '../../definition/service';
import { collectHeaders, type ColumnPlan, planColumns } from '../../import/columns';

export interface Sheet {
	rows: readonly Json[];
	plan: ColumnPlan;
}

/** `{{ $json.City }}` and `{{ $json["City"] }}` name a column; reading it costs nothing, evaluating it half a millisecond. */
const columnReference = /^=\s*\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[(?:"([^"\\]+)"|'([^'\\]+)')\])\s*\}\}\s*$/;

/** The rows and what their columns mean, by their headers or as the user has mapped them. */
export function sheetOf(rows: Json[], { mappingMode, value }: Mapping, service: Service): Sheet {
	if (mappingMode === 'autoMapInputData') return planned(rows, planColumns(collectHeaders(rows)));
	const mapping: Record<string, string> = {};
	const made: Array<[target: string, isExpression: boolean]> = [];
	for (const [target, saved] of Object.entries(value)) {
		if (saved === null || saved === '') continue;
		const [, ...names] = columnReference.exec(String(saved)) ?? [];
		const header = names.find((name) => name !== undefined);
		if (header !== undefined) mapping[target] = header;
		else made.push([target, String(saved).startsWith('=')]);
	}
	if (made.length === 0) return planned(rows, planColumns(collectHeaders(rows), mapping));

	// Fixed values and real expressions become columns of their own, named after their target.
	const withMade = rows.map((row, index) => {
		const values = made.map(([target, isExpression]) => [
			target,
			isExpression ? service.evaluate(`columns.value.${target}`, index) : value[target],
		]);
		return { ...row, ...(Object.fromEntries(values) as Json) };
	});
	for (const [target] of made) mapping[target] = target;
	return planned(withMade, planColumns(collectHeaders(withMade), mapping));
}

function planned(rows: readonly Json[], plan: ColumnPlan): Sheet {
	if (plan.missing.length === 0) return { rows, plan };
	throw new Failure(`The sheet has no column for ${plan.missing.join(', ')}`, {
		parameter: 'columns',
		description: `Rename a column, or map it by hand. Not understood: ${plan.ignored.join(', ') || 'none'}. A missing businessName may be given as businessDba.`,
	});
}
