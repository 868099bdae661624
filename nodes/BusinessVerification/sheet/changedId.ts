import type { Batch, Row } from './row';
import type { Submitted } from './submitted';

const letterCases = [/\p{Ll}/u, /\p{Lu}/u];
const paddings = [/-/, /\s/, /[^\p{L}\p{N}\s-]/u, /(?<!\d)0/];

/**
 * An example if external IDs seem to be changed by the service, or in the sheet: one that it returned, and that is no
 * row's, looks like that of a row that was not found. Nothing is matched by it.
 *
 * | Here | Returned | Changed, because |
 * |---|---|---|
 * | `row-3f0c` | `ROW-3F0C` | it was made of data, and hashes do not look alike |
 * | `Crm-1` | `crm-1` | no returned ID has a capital |
 * | `12` | `0012` | no ID here begins with a zero |
 * | `company-springfield` | `company-springf` | more than digits was cut, and none is longer |
 * | `Ｃrm-1` | `Crm-1` | only the form of a letter differs |
 * | `a1B` | `a1b` | not, if there are capitals: some CRMs have both |
 * | `company-10` | `company-1` | not, because both may be there |
 */
export function changedId({ rowWith }: Submitted, missing: readonly Row[], batches: readonly Batch[]) {
	const ids = batches.flatMap((batch) => batch.ids.map(String));
	const foreign = ids.filter((id) => rowWith(id) === undefined);
	if (foreign.length === 0) return undefined;
	const longest = ids.reduce((most, { length }) => Math.max(most, length), 16);
	const plain = (id: string) =>
		id
			.slice(0, longest)
			.normalize('NFKC')
			.toLowerCase()
			.replace(/\.0+$/, '')
			.replace(/[^\p{L}\p{N}]+/gu, '')
			.replace(/(?<!\d)0+/g, '');
	const strange = new Map(foreign.map((id) => [plain(id), id]));
	const isInNone = (all: readonly string[]) => (sign: RegExp) => !all.some((id) => sign.test(id));
	const removed = [...letterCases, ...paddings].filter(isInNone(ids));
	const added = paddings.filter(isInNone(missing.map(({ key }) => key)));
	for (const { key, hasOwnId } of missing) {
		const returned = strange.get(plain(key));
		if (returned === undefined) continue;
		const isChanged =
			!hasOwnId ||
			key.normalize('NFKC') === returned.normalize('NFKC') ||
			/\D/.test(key.slice(longest)) ||
			removed.some((sign) => sign.test(key)) ||
			added.some((sign) => sign.test(returned));
		if (isChanged) return { sent: key, returned };
	}
	return undefined;
}
