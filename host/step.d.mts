export function seconds(since: number): string;
/** Runs a command as a named step and resolves with the end of its output. */
export function step(
	title: string,
	command: string,
	args: string[],
	options?: { cwd?: string; env?: NodeJS.ProcessEnv },
): Promise<string>;
