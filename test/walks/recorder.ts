import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/**
 * Says which files of the product a run enters, and in which order. Each file is compiled here with a call at the head of
 * each function, because neither a stack nor V8's coverage tells the order in which files were entered first.
 */
const root = join(__dirname, '../..');
const house = join(root, 'nodes/BusinessVerification');

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(root, folder, path)),
);

/** As the architecture page names a file: from the house, or from the root. */
const nameOf = (file: string) => (file.startsWith(house) ? relative(house, file) : relative(root, file));

let entered = new Set<string>();
/** Files that are being loaded, which may happen while something runs. */
let loading = 0;

/** The files that were entered while `act` ran, in the order in which they were entered first. */
export async function filesEntered(act: () => Promise<unknown>): Promise<string[]> {
	entered = new Set();
	await act();
	return [...entered];
}

/** From now on what a test imports of the product is recorded. Building what is exported is not a run. */
export function recordProduct(): void {
	for (const file of files) jest.doMock(file, () => load(file));
}

function load(file: string): unknown {
	const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
		compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, esModuleInterop: true },
		transformers: { before: [announced] },
	});
	const module = { exports: {} };
	const requireFrom = (name: string): unknown => {
		const path = fileOf(file, name);
		return files.includes(path) ? jest.requireMock(path) : jest.requireActual(path);
	};
	loading++;
	new Function('require', 'module', 'exports', '__enter', outputText)(requireFrom, module, module.exports, () => {
		if (loading === 0) entered.add(nameOf(file));
	});
	loading--;
	return module.exports;
}

function fileOf(from: string, name: string): string {
	if (!name.startsWith('.')) return name;
	const path = join(dirname(from), name);
	return [`${path}.ts`, join(path, 'index.ts')].find((candidate) => files.includes(candidate)) ?? path;
}

/** `__enter()` as the first thing that each function does. */
const announced: ts.TransformerFactory<ts.SourceFile> = (context) => (source) => {
	const { factory } = context;
	const call = () => factory.createCallExpression(factory.createIdentifier('__enter'), undefined, []);
	const withCall = (body: ts.Block) =>
		factory.updateBlock(body, [factory.createExpressionStatement(call()), ...body.statements]);
	const visit = (node: ts.Node): ts.Node => {
		const inside = ts.visitEachChild(node, visit, context);
		if (ts.isArrowFunction(inside)) {
			const body = ts.isBlock(inside.body)
				? withCall(inside.body)
				: factory.createComma(call(), factory.createParenthesizedExpression(inside.body));
			return factory.updateArrowFunction(
				inside,
				inside.modifiers,
				inside.typeParameters,
				inside.parameters,
				inside.type,
				inside.equalsGreaterThanToken,
				ts.isBlock(body) ? body : factory.createParenthesizedExpression(body),
			);
		}
		if (ts.isFunctionDeclaration(inside) && inside.body)
			return factory.updateFunctionDeclaration(
				inside,
				inside.modifiers,
				inside.asteriskToken,
				inside.name,
				inside.typeParameters,
				inside.parameters,
				inside.type,
				withCall(inside.body),
			);
		if (ts.isMethodDeclaration(inside) && inside.body)
			return factory.updateMethodDeclaration(
				inside,
				inside.modifiers,
				inside.asteriskToken,
				inside.name,
				inside.questionToken,
				inside.typeParameters,
				inside.parameters,
				inside.type,
				withCall(inside.body),
			);
		if (ts.isFunctionExpression(inside))
			return factory.updateFunctionExpression(
				inside,
				inside.modifiers,
				inside.asteriskToken,
				inside.name,
				inside.typeParameters,
				inside.parameters,
				inside.type,
				withCall(inside.body),
			);
		return inside;
	};
	return ts.visitEachChild(source, visit, context);
};
