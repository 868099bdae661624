const groups: Record<string, string[]> = {
	sheetOptions: ['dateOrder', 'maxRows'],
	waitingOptions: ['maxWait', 'pollInterval'],
};
const advanced = ['concurrency', 'lookUpWait'];
const groupOf = (option: string) => Object.keys(groups).find((group) => groups[group].includes(option)) ?? 'options';

/** Options in the groups that the form has them in. */
export function grouped(options: Record<string, unknown>): Record<string, Record<string, unknown>> {
	const made: Record<string, Record<string, unknown>> = {};
	for (const [name, value] of Object.entries(options)) {
		if (advanced.includes(name))
			made.options = { ...made.options, advanced: { ...(made.options?.advanced as object), [name]: value } };
		else made[groupOf(name)] = { ...made[groupOf(name)], [name]: value };
	}
	return made;
}
