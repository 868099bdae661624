import { Failure, type Json } from '../definition';
import type { Outputs } from '../fields/output';
import { pathOf, selected, unknownIn } from '../values/selection';

/** A record of the service, and what is made of it for people. */
export interface View {
	/** Always put out. */
	id: string;
	/** Names that a record may have although the one at hand has not. */
	known: readonly string[];
	/** With what we say of it beside the service's own fields. */
	raw(record: Json): Json;
	/** The most used first, flat. */
	simplified(record: Json): Json;
}

/** Records of one answer in the form the user chose. Together, because one may have what another has not. */
export function shaped(
	records: readonly Json[],
	{ output = 'simplified', outputFields = [] }: Outputs,
	view: View,
): Json[] {
	if (output === 'simplified') return records.map((record) => view.simplified(record));
	if (output === 'raw') return records.map((record) => view.raw(record));
	const whole = records.map((record) => ({ ...view.simplified(record), ...view.raw(record) }));
	const paths = [view.id, ...outputFields].map(pathOf);
	for (const path of paths) refuseUnknown(whole, path, view);
	return whole.map((record) => selected(record, paths) as Json);
}

function refuseUnknown(records: readonly Json[], path: readonly string[], { known }: View): void {
	const unknown = unknownIn(records, path, known);
	if (unknown === undefined) return;
	const { within, names } = unknown;
	const place = within.length === 0 ? 'the answer' : `'${within.join('.')}'`;
	throw new Failure(`'Output Fields' names '${path.join('.')}', which is not in ${place}`, {
		parameter: 'outputFields',
		description: names.length === 0 ? `${place} holds no fields.` : `Known in ${place}: ${names.join(', ')}.`,
	});
}
