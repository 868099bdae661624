import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import slow from '../../test/slow.json';
import { root } from './list';

/** Suites that drive an n8n, read the whole repository, or take many seconds: they tell little about one line. */
const isForeign = (suite: string) =>
	/^test\/(e2e|package|mutants)\//.test(suite) || slow.some((path) => suite.startsWith(path));
/** They compare whatever a form shows and whatever is sent with what is written down, so every room is near to them. */
const WIDE = [
	...['test/saved/names.test.ts', 'test/docs/generated.test.ts', 'test/contract/panels.test.ts'],
	'test/contract/rows.test.ts',
];
const IMPORT = /(?:from|import\(|require\()\s*'(\.[^']+)'/g;

const sources = ['credentials', 'nodes', 'sandbox', 'scripts', 'bench', 'test'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(ts|mjs)$/.test(file))
		.map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
);

function importsOf(file: string): string[] {
	const text = readFileSync(join(root, file), 'utf8');
	return [...text.matchAll(IMPORT)].flatMap(([, path]) => {
		const target = join(root, dirname(file), path);
		const found = [target, `${target}.ts`, join(target, 'index.ts')].find(
			(at) => existsSync(at) && statSync(at).isFile(),
		);
		return found === undefined ? [] : [relative(root, found).replaceAll('\\', '/')];
	});
}

const importers = new Map<string, string[]>();
for (const file of sources)
	for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);

/** An operation is made in these rooms, and their suites run it. */
const OF_OPERATIONS = ['inquiry', 'seller', 'sheet'];

/** The suites that load a file: all of its rooms, then by how many imports lie between, then the smaller. */
export function suitesNear(file: string, room: string, count: number): string[] {
	const distances = new Map([[file, 0]]);
	for (const [reached, distance] of distances)
		for (const importer of importers.get(reached) ?? [])
			if (!distances.has(importer)) distances.set(importer, distance + 1);
	const made = OF_OPERATIONS.filter((name) => importsOf(file).some((path) => path.includes(`/${name}/`)));
	const near = room === 'operations' ? [room, ...made] : [room];
	const isNamesake = (suite: string) => basename(suite, '.test.ts') === basename(file, '.ts');
	const rank = (suite: string): number =>
		distances.get(suite)! * 1e7 -
		Number(suite.startsWith(`test/${room}/`)) * 1e9 -
		Number(isNamesake(suite)) * 1e9 +
		statSync(join(root, suite)).size;
	const suites = [...distances.keys()].filter((suite) => suite.endsWith('.test.ts') && !isForeign(suite));
	const nearest = suites
		.sort((a, b) => rank(a) - rank(b))
		.filter((suite, place) => place < count || near.some((name) => suite.startsWith(`test/${name}/`)));
	return [...nearest, ...WIDE.filter((suite) => suites.includes(suite) && !nearest.includes(suite))];
}
