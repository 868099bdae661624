import type { INodeProperties } from 'n8n-workflow';
import { isNeeded, type Operation } from '../nodes/BusinessVerification/kit/operation';

/** The parameters of an operation's example: what has to be filled in, as its placeholder shows it, and what the operation adds. */
export const exampleInput = (operation: Operation): object => ({
	...Object.fromEntries(
		Object.entries(operation.fields).flatMap(([name, { property }]) => {
			const shown = isNeeded(property) ? placeholderOf(property)?.replace(/^e\.g\. /, '') : undefined;
			return shown === undefined ? [] : [[name, shown]];
		}),
	),
	...operation.exampleInput,
});

const placeholderOf = ({ placeholder, modes }: Pick<INodeProperties, 'placeholder' | 'modes'>): string | undefined =>
	placeholder ?? modes?.find(({ name }) => name === 'id')?.placeholder;
