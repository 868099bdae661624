/** Work in steps, done at once. */
export function finished<T>(steps: Iterator<unknown, T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}
