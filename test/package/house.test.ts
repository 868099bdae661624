import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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
