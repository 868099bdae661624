import { flag, list } from '../definition/field';

export const simple = flag('Simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

export const outputFields = list('Output Fields', {
	description: 'Comma-separated names of the fields to return instead; the ID is always among them',
	placeholder: 'e.g. status, completedAt',
});
