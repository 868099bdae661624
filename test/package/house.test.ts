import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './built';

// One idea, one home; one word, one meaning.

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(folder, path)),
);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const longest = 300;

test('a file is short enough to be read from top to bottom', () => {
	expect(files.filter((file) => textOf(file).split('\n').length - 1 > longest)).toEqual([]);
});

/** The names that a file defines at its top level; what it only passes on is defined elsewhere. */
function definedIn(name: string, text: string): string[] {
	const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
	return source.statements.flatMap((statement) => {
		if (ts.isVariableStatement(statement))
			return statement.declarationList.declarations.flatMap((one) => namesOf(one.name));
		const { name: own } = statement as ts.DeclarationStatement;
		return own === undefined ? [] : [own.getText()];
	});
}

const namesOf = (name: ts.BindingName): string[] =>
	ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((one) => ('name' in one ? namesOf(one.name) : []));

/** Names that several files define, with those files. */
function repeated(defined: Record<string, string[]>): Record<string, string[]> {
	const homes: Record<string, string[]> = {};
	for (const [file, names] of Object.entries(defined))
		for (const name of new Set(names)) (homes[name] ??= []).push(file);
	return Object.fromEntries(Object.entries(homes).filter(([, places]) => places.length > 1));
}

/** The operation of a file, which is named by its saved value: several resources have a `get`. */
const isOperation = (file: string, name: string) => file.endsWith(`/${name}.operation.ts`);

test('a file has a name of its own; only operations and their indexes are named alike', () => {
	const names = files.filter((file) => !file.includes('/operations/')).map((file) => basename(file));
	expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test('a name is defined in one file; only operations are named alike', () => {
	expect(files.length).toBeGreaterThan(50);
	const defined = Object.fromEntries(files.map((file) => [relative('', file), definedIn(file, textOf(file))]));
	const homes = Object.entries(repeated(defined));
	expect(homes.filter(([name, places]) => !places.every((file) => isOperation(file, name)))).toEqual([]);
});
