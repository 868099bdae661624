import { imports } from './import';
import { trigger } from './trigger';

/** `npm run lives -- <name> …`: every life there is of what the name says. */
const runs: Record<string, (rest: string[]) => Promise<boolean>> = { import: imports, trigger };

async function main([name = '', ...rest]: string[]): Promise<void> {
	if (!(name in runs)) throw new Error(`Choose one of: ${Object.keys(runs).join(', ')}`);
	if (!(await runs[name](rest))) process.exitCode = 1;
}

void main(process.argv.slice(2));
