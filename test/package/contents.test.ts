import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { dist, ensureBuilt, filesBelow, root } from './built';

const ALLOWED_MODULES = ['luxon', 'n8n-workflow', 'node:crypto', 'zod'];

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const read = (file: string) => readFileSync(path.join(dist, file), 'utf8');
const sources = (folder: string, ending: string) =>
	filesBelow(path.join(root, folder))
		.filter((file) => file.endsWith(ending))
		.map((file) => `${folder}/${file}`);

beforeAll(ensureBuilt, 180_000);

test('dist contains what is compiled, copied or generated, and nothing else', () => {
	const compiled = [...sources('nodes', '.ts'), ...sources('credentials', '.ts')].map((file) =>
		file.replace(/\.ts$/, '.js'),
	);
	const copied = [...sources('nodes', '.json'), ...sources('icons', '.svg')];
	const generated = ['known/credentials.json', 'known/nodes.json', 'types/credentials.json', 'types/nodes.json'];
	expect(filesBelow(dist)).toEqual([...compiled, ...copied, ...generated].sort());
});

/** The texts of a file that span lines. */
function longTexts(place: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isLiteralExpression(node) && node.text.includes('\n')) texts.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(place, readFileSync(place, 'utf8'), ts.ScriptTarget.ES2022));
	return texts;
}

test('the code is indented with tabs, and texts that span lines are those of the sources', () => {
	const scripts = filesBelow(dist).filter((file) => file.endsWith('.js'));
	expect(scripts.filter((file) => /^ {4}/m.test(read(file)))).toEqual([]);
	const ofSources = scripts.flatMap((file) => longTexts(path.join(root, file.replace(/\.js$/, '.ts'))));
	expect(ofSources.length).toBeGreaterThan(0);
	expect(scripts.flatMap((file) => longTexts(path.join(dist, file)))).toEqual(ofSources);
});

test('the n8n block lists every node and every credential, and each path exists', () => {
	const listed = (kind: 'nodes' | 'credentials', ending: string) =>
		expect([...manifest.n8n[kind]].sort()).toEqual(
			sources(kind, `.${ending}.ts`).map((file) => `dist/${file.replace(/\.ts$/, '.js')}`),
		);
	listed('nodes', 'node');
	listed('credentials', 'credentials');
	expect(manifest.n8n.n8nNodesApiVersion).toBe(1);
	for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		expect(existsSync(path.join(root, file))).toBe(true);
	}
});

test('nothing is needed at run time but what n8n brings along', () => {
	expect(manifest).not.toHaveProperty('dependencies');
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });

	const compiled = filesBelow(dist).filter((file) => file.endsWith('.js'));
	const modules = new Set(compiled.flatMap((file) => requiredBy(file).modules));
	expect([...modules].filter((name) => !ALLOWED_MODULES.includes(name))).toEqual([]);
	expect([...modules]).toContain('n8n-workflow');
	for (const file of compiled) {
		const missing = requiredBy(file).files.filter((name) => !existsSync(path.join(dist, name)));
		expect({ file, missing }).toEqual({ file, missing: [] });
	}
});

test('the credentials, which n8n loads at every start, load neither zod nor the engine', () => {
	const modules = new Set<string>();
	const files = new Set<string>(manifest.n8n.credentials.map((file: string) => path.posix.relative('dist', file)));
	for (const file of files) {
		const required = requiredBy(file);
		for (const name of required.files) files.add(name);
		for (const name of required.modules) modules.add(name);
	}
	expect([...modules]).toEqual(['n8n-workflow']);
	expect([...files].filter((file) => !file.startsWith('credentials/'))).toEqual([
		'nodes/BusinessVerification/document/routes.js',
	]);
	expect(files.size).toBeGreaterThan(manifest.n8n.credentials.length);
});

/** What a compiled file requires: modules by name, files of the package by their path below dist. */
function requiredBy(file: string): { modules: string[]; files: string[] } {
	const code = read(file);
	expect({ file, computed: code.match(/\b(?:require|import)\((?!\s*["'])/g) }).toEqual({ file, computed: null });
	const names = [...code.matchAll(/\b(?:require|import)\(\s*["']([^"']+)["']\s*\)/g)].map(([, name]) => name);
	const below = names
		.filter((name) => name.startsWith('.'))
		.map((name) => path.posix.join(path.posix.dirname(file), name));
	return {
		modules: names.filter((name) => !name.startsWith('.')),
		files: below.map((name) => [name, `${name}.js`, `${name}/index.js`].find(isFile) ?? name),
	};
}

function isFile(name: string): boolean {
	return statSync(path.join(dist, name), { throwIfNoEntry: false })?.isFile() ?? false;
}

test('every node has its codex and every icon that is named is there, light and dark', () => {
	const types = [...JSON.parse(read('types/nodes.json')), ...JSON.parse(read('types/credentials.json'))];
	expect(types).toHaveLength(manifest.n8n.nodes.length + manifest.n8n.credentials.length);
	for (const { name, iconUrl } of types) {
		const [light, dark] = [iconUrl?.light, iconUrl?.dark].map((url) =>
			url?.replace(`icons/${manifest.name}/dist/`, ''),
		);
		expect([name, light]).toEqual([name, expect.stringMatching(/\.svg$/)]);
		expect([name, dark]).toEqual([name, expect.stringMatching(/\.svg$/)]);
		expect(read(light)).not.toBe(read(dark));
	}
	for (const { name, codex } of JSON.parse(read('types/nodes.json'))) {
		expect([name, codex]).toEqual([
			name,
			expect.objectContaining({ categories: expect.arrayContaining([expect.any(String)]) }),
		]);
		expect(codex.resources.primaryDocumentation[0].url).toContain(manifest.homepage);
		expect(codex.resources.credentialDocumentation[0].url).toContain(manifest.homepage);
	}
});

test('the published code names no file of the machine it was built on', () => {
	for (const file of filesBelow(dist)) expect([file, read(file).includes(root)]).toEqual([file, false]);
});
