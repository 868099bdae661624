import { Failure } from '../../definition';
import type { Recognition } from '../../import/recognition';
import type { ImportMode } from '../../import/chunks';

export interface RefusalOptions {
	importMode: ImportMode;
	ifUncertain: 'refuse' | 'send';
}

/** New rows from which on it is asked whether this is still the same sheet. */
const manyRows = 250;

/** Nothing is sent while nobody can say which rows are new: the choices are the user's. */
export function refuseUncertain(seen: Recognition, { importMode, ifUncertain }: RefusalOptions): void {
	if (ifUncertain === 'send') return;
	const { changed, unreadable } = seen;
	if (changed.size > 0) {
		const inStep =
			importMode === 'once'
				? " For sheets that change, choose the import mode 'Keep in Step With the Sheet' under another 'Batch Name': it sends all rows once more, and from then on only what is new."
				: '';
		throw refusal(
			`The sheet was changed since it was imported: the rows of ${some(changed)} are not where they were`,
			`Rows may be added below; rows that were sent must stay as they are. Undo the changes, or import the new rows alone under another 'Batch Name'.${inStep}`,
		);
	}
	if (unreadable.size > 0) {
		throw refusal(
			`The service holds ${some(unreadable)}, which is or may be of this import, but its name was changed or cut, so nobody can say which rows it holds`,
			"Import the new rows alone under another, shorter 'Batch Name'.",
		);
	}
	if (seen.seen > 0 && seen.nameless === seen.seen) {
		throw refusal(
			`The service tells no name of any of its ${seen.seen} batches, so this import cannot be recognised`,
			'If none of these rows was sent before:',
		);
	}
	if (importMode === 'keepInStep') refuseManyChanges(seen);
}

/** Another mapping, or another sheet under the same name, makes every row a new one. */
function refuseManyChanges(seen: Recognition): void {
	const rows = seen.rows.numbers.length;
	const added = seen.rest().length;
	if (added <= manyRows || rows - added >= Math.min(seen.rowsTold, rows) / 2) return;
	throw refusal(
		`${added} of ${rows} rows would be sent as new, although the service holds ${seen.rowsTold} rows of this import`,
		"Another mapping of columns, or another setting that changes what is sent, makes every row a new one. If this is another sheet, give it a 'Batch Name' of its own. If the rows are really new:",
	);
}

const refusal = (message: string, choices: string) =>
	new Failure(message, {
		parameter: 'name',
		description: `Nothing was sent. ${choices} 'If Rows Cannot Be Recognized' in the options can also send, and bill, all rows that are not recognized.`,
	});

function some(batches: ReadonlyMap<string, Record<string, unknown>>): string {
	const [first] = batches.values();
	const more = batches.size > 1 ? ` and ${batches.size - 1} more` : '';
	return `batch '${shortened(String(first.batchName))}'${more}`;
}

/** Names that tell many rows are long. */
export const shortened = (name: string): string => (name.length <= 60 ? name : `${name.slice(0, 60)}…`);
