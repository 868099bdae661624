import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../../test/watch/random';

export const root = join(__dirname, '../..');
const house = 'nodes/BusinessVerification';

/** One place of the code, changed. */
export interface Mutant {
	file: string;
	line: number;
	/** Where the change begins and ends in the text of the file. */
	from: number;
	to: number;
	code: string;
	becomes: string;
}

export const rooms = [
	...readdirSync(join(root, house), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'))
		.map(({ name }) => name),
	'credentials',
];

const folderOf = (room: string) => (room === 'credentials' ? room : `${house}/${room}`);

/** All mutants of a room, in the order of its files. Texts that people read (strings with a blank) are left as they are. */
export async function mutantsOf(room: string): Promise<Mutant[]> {
	const { Instrumenter } = await import('@stryker-mutator/instrumenter');
	const files = readdirSync(join(root, folderOf(room)), { recursive: true, encoding: 'utf8' })
		.filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))
		.map((file) => `${folderOf(room)}/${file.replaceAll('\\', '/')}`)
		.sort();
	const silent = () => undefined;
	const levels = { trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent };
	const asked = Object.fromEntries(
		['Trace', 'Debug', 'Info', 'Warn', 'Error', 'Fatal'].map((level) => [`is${level}Enabled`, () => false]),
	);
	const instrumenter = new Instrumenter({ ...levels, ...asked } as never);
	const found: Mutant[] = [];
	for (const file of files) {
		const content = readFileSync(join(root, file), 'utf8');
		const lines = content.split('\n');
		const place = ({ line, column }: { line: number; column: number }) =>
			lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, column);
		const { mutants } = await instrumenter.instrument([{ name: file, content, mutate: true }], {
			plugins: null,
			excludedMutations: [],
			ignorers: [],
			noHeader: true,
		} as never);
		for (const { location, mutatorName, replacement } of mutants) {
			const [from, to] = [place(location.start), place(location.end)];
			const original = content.slice(from, to);
			const mutant = { file, line: location.start.line + 1, from, to, code: original, becomes: replacement ?? '' };
			if (mutatorName !== 'StringLiteral' || !/\s/.test(original)) found.push(mutant);
		}
	}
	return found;
}

/** The first of a seeded shuffle: the same as long as the room is the same. */
export function sample(mutants: Mutant[], count: number, seed: number): Mutant[] {
	const random = randomFrom(seed);
	// The first numbers of a small seed are small.
	for (let skipped = 0; skipped < 20; skipped++) random();
	const left = [...mutants];
	return Array.from(
		{ length: Math.min(count, left.length) },
		() => left.splice(Math.floor(random() * left.length), 1)[0],
	);
}
