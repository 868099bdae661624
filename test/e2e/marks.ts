import { rows } from '../contract/rows';

/** What the editor marks of each panel as long as nothing is filled in. */
export const needed: Record<string, string[]> = {
	...{ businessVerificationTrigger: [], businessVerificationSellerTrigger: [] },
	...Object.fromEntries(Object.entries(rows).map(([operation, { marks }]) => [operation, marks])),
};
