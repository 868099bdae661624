import type { DocumentField } from './vocabulary';
import { inquiryFields, principalFields } from './inquiry';

export interface Check {
	/** What the service runs, in the words of its create rules. */
	check: string;
	/** The fields that switch it on together. */
	needs: string[];
}

/** The verifications that fields of a new inquiry switch on, where the organisation has them enabled. */
export const checks: readonly Check[] = [
	...checksOf(inquiryFields),
	...checksOf(principalFields).map(({ check, needs }) => ({ check, needs: needs.map((name) => `principals.${name}`) })),
];

function checksOf(fields: readonly DocumentField[]): Check[] {
	const needs = new Map<string, string[]>();
	for (const { name, unlocks } of fields)
		if (unlocks !== undefined) needs.set(unlocks, [...(needs.get(unlocks) ?? []), name]);
	return [...needs].map(([check, names]) => ({ check, needs: names }));
}
