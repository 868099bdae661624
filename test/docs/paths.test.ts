import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// What a page says of the code is there: files by their paths.

const root = join(__dirname, '../..');
const house = join(root, 'nodes', 'BusinessVerification');
const pages = ['docs/development/architecture.md', 'CONTRIBUTING.md', 'docs/development/service-interface.md'];

const text = (page: string) => readFileSync(join(root, page), 'utf8');

/** `engine/run.ts`, `sandbox/`; not what a reader is told to add, nor what only a build or a run brings about. */
const pathsIn = (page: string) =>
	[...text(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w]+\.node\.ts)`/g)]
		.map(([, path]) => path)
		.filter((path) => !/cancel\.operation|QueryApi/.test(path) && !/^(\.|dist\/)/.test(path));

it('finds paths', () => {
	expect(pathsIn('docs/development/architecture.md').length).toBeGreaterThan(40);
});

it('for each line of the changelog the README of the tests names one that is there', () => {
	const named = [...text('test/README.md').matchAll(/`(test\/[\w/]+\.test\.ts)`/g)].map(([, path]) => path);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it.each(pages)('%s names files that are there', (page) => {
	expect(pathsIn(page).filter((path) => ![house, root].some((folder) => existsSync(join(folder, path))))).toEqual([]);
});

it('the table of rooms names every folder of the house, and no other', () => {
	const rooms = [...text('docs/development/architecture.md').matchAll(/^\| \d \| `(\w+)\/` \|/gm)].map(
		([, room]) => room,
	);
	const folders = readdirSync(house, { withFileTypes: true }).filter((entry) => entry.isDirectory());
	expect([...rooms, '__schema__'].sort()).toEqual(folders.map(({ name }) => name).sort());
});
