import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './built';

// One idea, one home; one word, one meaning.

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(folder, path)),
);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const longest = 400;

test('a file is short enough to be read from top to bottom', () => {
	expect(files.filter((file) => textOf(file).split('\n').length - 1 > longest)).toEqual([]);
});

/** The names a file defines and exports; what it only passes on is defined elsewhere. */
function exportedBy(name: string, text: string): string[] {
	const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
	const isExported = (node: ts.Node) =>
		ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
	return source.statements.filter(isExported).flatMap((statement) => {
		if (ts.isVariableStatement(statement))
			return statement.declarationList.declarations.flatMap(({ name }) =>
				ts.isIdentifier(name)
					? [name.text]
					: name.elements.flatMap((one) => ('name' in one ? [one.name.getText()] : [])),
			);
		const { name: own } = statement as ts.DeclarationStatement;
		return own === undefined ? [] : [own.getText()];
	});
}

/** Names that several files export, with those files. */
function repeated(exported: Record<string, string[]>): Record<string, string[]> {
	const homes: Record<string, string[]> = {};
	for (const [file, names] of Object.entries(exported))
		for (const name of new Set(names)) (homes[name] ??= []).push(file);
	return Object.fromEntries(Object.entries(homes).filter(([, places]) => places.length > 1));
}

test('a repeated name is found, however it is exported', () => {
	const one = exportedBy('one.ts', 'export const { a, b: c } = x, d = 1; const e = 2; export interface F {}');
	const other = exportedBy('other.ts', 'export class F {}\nexport function d() {}\nexport type G = 1; export { e };');
	expect([one, other]).toEqual([
		['a', 'c', 'd', 'F'],
		['F', 'd', 'G'],
	]);
	expect(repeated({ one, other })).toEqual({ d: ['one', 'other'], F: ['one', 'other'] });
});

test('an exported name is in one file; only operations are named alike, by their saved values', () => {
	const named = files.filter((file) => !file.endsWith('.operation.ts'));
	expect(named.length).toBeGreaterThan(50);
	const exported = Object.fromEntries(named.map((file) => [relative('', file), exportedBy(file, textOf(file))]));
	expect(repeated(exported)).toEqual({});
});

/** Outside of the product, the tests and the tools may look into a file too. */
const onlookers = ['test', 'bench', 'scripts', 'sandbox'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(folder, path)),
);

/** Each name that a file imports, as `<file>#<name>`; a file that is imported whole, as `<file>#*`. */
function importedBy(file: string, text: string): string[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const from = (specifier: string) => join(dirname(file), specifier);
	const byName = source.statements.flatMap((statement) => {
		const isImport = ts.isImportDeclaration(statement);
		if (!isImport && !ts.isExportDeclaration(statement)) return [];
		const names = isImport ? statement.importClause?.namedBindings : statement.exportClause;
		if (!statement.moduleSpecifier || !names || !('elements' in names)) return [];
		const { text: specifier } = statement.moduleSpecifier as ts.StringLiteral;
		return names.elements.map(({ propertyName, name }) => ({ specifier, name: (propertyName ?? name).text }));
	});
	const whole = ts
		.preProcessFile(text, true, true)
		.importedFiles.filter(({ fileName }) => !byName.some(({ specifier }) => specifier === fileName));
	return [
		...byName.map(({ specifier, name }) => `${from(specifier)}#${name}`),
		...whole.map(({ fileName }) => `${from(fileName)}#*`),
	];
}

test('an import is found, however it is written', () => {
	const text = `import a, { type B, c as d } from './x'; export { e } from '../y'; export * from './z';
		import * as all from './v'; const { f } = await import('./w'); import 'node:fs';`;
	const whole = ['room/z#*', 'room/v#*', 'room/w#*', 'room/node:fs#*'];
	expect(new Set(importedBy('room/one.ts', text))).toEqual(new Set(['room/x#B', 'room/x#c', 'y#e', ...whole]));
});

test('what is exported is used elsewhere; the rest of a file is its own affair', () => {
	const imported = new Set([...files, ...onlookers].flatMap((file) => importedBy(file, textOf(file))));
	// n8n and the index of a resource take these by their files.
	const ours = files.filter((file) => !/\.(operation|node|credentials)\.ts$/.test(file));
	const idle = ours.flatMap((file) => {
		const module = file.replace(/(\/index)?\.ts$/, '');
		return exportedBy(file, textOf(file))
			.map((name) => `${module}#${name}`)
			.filter((name) => !imported.has(name) && !imported.has(`${module}#*`));
	});
	expect(idle).toEqual([]);
});
