import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, root, run, temporaryFolder, unpackedTarball } from './built';

const SOURCES = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
const TARBALL = ['package.json', '**/*.js'];

const findings = (folder: string, patterns: string[]): string[] =>
	JSON.parse(run(process.execPath, [path.join(__dirname, 'lint.mjs'), folder, ...patterns], root));

beforeAll(ensureBuilt, 180_000);

test('the sources pass without an error or a warning', () => {
	const folder = temporaryFolder();
	for (const name of ['package.json', 'nodes', 'credentials', 'icons']) {
		cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
	}
	expect(findings(folder, SOURCES)).toEqual([]);
});

test('the tarball passes without an error or a warning', async () => {
	expect(findings(await unpackedTarball(), TARBALL)).toEqual([]);
});

test("the lint configuration of n8n's command line finds nothing in what is published", () => {
	const output = run(
		process.execPath,
		[path.join(__dirname, 'cliLint.mjs'), 'nodes', 'credentials', 'package.json'],
		root,
	);
	expect(JSON.parse(output)).toEqual([]);
});

test('the scanner is awake: it finds what is wrong in either', () => {
	const folder = temporaryFolder();
	mkdirSync(path.join(folder, 'nodes'));
	writeFileSync(path.join(folder, 'package.json'), '{ "name": "wrong-name", "dependencies": { "axios": "1" } }');
	writeFileSync(
		path.join(folder, 'nodes/wrong.ts'),
		'import fs from "node:fs";\n// eslint-disable-next-line\nconsole.log(fs);\n',
	);
	writeFileSync(path.join(folder, 'wrong.js'), 'setTimeout(() => process.exit(), 1);\n');
	const rules = (patterns: string[]) =>
		findings(folder, patterns).map((finding) => finding.replace(/.*\((.*)\)$/, '$1'));
	expect(rules(SOURCES)).toEqual(
		expect.arrayContaining([
			'@n8n/community-nodes/no-restricted-imports',
			'@n8n/community-nodes/no-runtime-dependencies',
			'@n8n/community-nodes/package-name-convention',
			'no-console',
		]),
	);
	expect(rules(TARBALL)).toContain('@n8n/community-nodes/no-restricted-globals');
});
