import type { INodeProperties } from 'n8n-workflow';
import { neededOf, type Operation } from '../nodes/BusinessVerification/kit/operation';

/** The parameters of an operation's example: what has to be filled in, as its placeholder shows it, and what the operation adds. */
export const exampleInput = (operation: Operation): object => ({
	...Object.fromEntries(
		neededOf(operation.fields).flatMap((name) => {
			const shown = placeholderOf(operation.fields[name].property)?.replace(/^e\.g\. /, '');
			return shown === undefined ? [] : [[name, shown]];
		}),
	),
	...operation.exampleInput,
});

const placeholderOf = ({ placeholder, modes }: Pick<INodeProperties, 'placeholder' | 'modes'>): string | undefined =>
	placeholder ?? modes?.find(({ name }) => name === 'id')?.placeholder;
