import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSync } from 'recheck';
import ts from 'typescript';

// A regular expression that backtracks takes minutes for a text of a megabyte, and all of n8n stands still meanwhile.

process.env.RECHECK_BACKEND = 'pure';

const root = join(__dirname, '../..');

const published = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(folder, path)),
);

interface Expressions {
	literals: string[];
	/** Made from a text at run time, so nothing can check them beforehand. */
	made: string[];
}

function expressionsIn(name: string, text: string): Expressions {
	const found: Expressions = { literals: [], made: [] };
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) found.literals.push(node.text);
		const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
		if (isCall && node.expression.getText() === 'RegExp') found.made.push(node.getText());
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true));
	return found;
}

/** What is slow is found by the characters that are read, not by the time they take on a busy machine. */
const counting = {
	timeout: 120_000,
	attackLimit: 10_000_000,
	attackTimeout: null,
	incubationTimeout: null,
	seedingTimeout: null,
};

/** Undefined for an expression that takes linear time; otherwise a text that takes longer, or why nobody knows. */
function problemOf(literal: string): string | undefined {
	const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(literal)!;
	const checked = checkSync(source, flags, counting);
	if (checked.status === 'safe') return undefined;
	return checked.status === 'vulnerable' ? checked.attack.pattern : `not decided: ${checked.error.kind}`;
}

test('a slow expression is found, and so is one that is made at run time', () => {
	const slow = ['/^(\\d+\\.?\\d*)$/', '/\\beyJ[\\w-]+\\.x/g', '/^0+(?=\\d+$)/', '/\\/+$/', '/^(a+)+$/'];
	const linear = ['/^\\d+(\\.\\d*)?$/', '/(?<![\\w-])eyJ[\\w-]+\\.x/g', '/(?<!\\/)\\/+$/'];
	const { literals, made } = expressionsIn(
		'x.ts',
		[...slow, ...linear, 'new RegExp(`${x}+`)', 'RegExp("y")'].join(';'),
	);
	expect(literals).toEqual([...slow, ...linear]);
	expect(made).toEqual(['new RegExp(`${x}+`)', 'RegExp("y")']);
	expect(slow.filter((literal) => problemOf(literal) === undefined)).toEqual([]);
	expect(linear.map(problemOf)).toEqual(linear.map(() => undefined));
});

test('every expression of the published code takes linear time', () => {
	const slow: Record<string, string> = {};
	let count = 0;
	for (const file of published) {
		for (const literal of expressionsIn(file, readFileSync(join(root, file), 'utf8')).literals) {
			count++;
			const problem = problemOf(literal);
			if (problem !== undefined) slow[`${file}: ${literal}`] = problem;
		}
	}
	expect(slow).toEqual({});
	expect(count).toBeGreaterThan(50);
});

test('no expression is made at run time', () => {
	const made = published.flatMap((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')).made);
	expect(made).toEqual([]);
});
