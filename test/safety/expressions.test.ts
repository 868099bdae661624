import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

// A regular expression that backtracks takes minutes for a text of a megabyte, and all of n8n stands still meanwhile.

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

/** By promises: the call that waits for a worker gets no answer now and then on a busy machine. It leaves a process behind. */
const program = `
	const { check } = require('recheck');
	const { given, counting } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
	const problemOf = ({ status, attack, error }) =>
		status === 'safe' ? null : (attack?.pattern ?? 'not decided: ' + error?.kind);
	Promise.all(given.map(([source, flags]) => check(source, flags, counting))).then((checked) => {
		process.stdout.write(JSON.stringify(checked.map(problemOf)), () => process.exit());
	});
`;

/** Null for an expression that takes linear time; otherwise a text that takes longer, or why nobody knows. */
function problemsOf(literals: string[]): Array<string | null> {
	const given = literals.map((literal) => /^\/(.*)\/(\w*)$/s.exec(literal)!.slice(1));
	const said = execFileSync(process.execPath, ['-e', program], {
		cwd: root,
		encoding: 'utf8',
		input: JSON.stringify({ given, counting }),
	});
	return JSON.parse(said) as Array<string | null>;
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
	expect(problemsOf(slow)).toEqual(slow.map(() => expect.any(String)));
	expect(problemsOf(linear)).toEqual(linear.map(() => null));
});

test('every expression of the published code takes linear time', () => {
	const all = published.flatMap((file) =>
		expressionsIn(file, readFileSync(join(root, file), 'utf8')).literals.map((literal) => ({ file, literal })),
	);
	const problems = problemsOf(all.map(({ literal }) => literal));
	const slow = all.map(({ file, literal }, place) => problems[place] && `${file}: ${literal}: ${problems[place]}`);
	expect(slow.filter(Boolean)).toEqual([]);
	expect(all.length).toBeGreaterThan(50);
});

test('no expression is made at run time', () => {
	const made = published.flatMap((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')).made);
	expect(made).toEqual([]);
});
