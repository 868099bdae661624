/** What the service's document says stands in `document/` and nowhere else in what is published. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { endStatuses } from '../../nodes/BusinessVerification/document/inquiries';
import { routes } from '../../nodes/BusinessVerification/document/routes';

const root = join(__dirname, '../..');
const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(root, folder, path)),
);
/** The code without its comments, and without the examples that only show what comes out. */
const codeOf = (file: string) =>
	readFileSync(file, 'utf8')
		.replace(/\/\*[\s\S]*?\*\//g, '')
		.replace(/^\s*\/\/.*$/gm, '')
		.replace(/\n\texample: \{(.*|[\s\S]*?\n\t)\},/g, '')
		.replace(/export const \w+Example = \{[\s\S]*?\n\};/g, '');
const nameOf = (file: string) => relative(join(root, 'nodes/BusinessVerification'), file);
const holding = (pattern: RegExp) => files.filter((file) => pattern.test(codeOf(file))).map(nameOf);

it.each(endStatuses)('the final status %s', (status) => {
	expect(holding(new RegExp(`['"\`]${status}['"\`]`))).toEqual(['document/inquiries.ts']);
});

it.each([...new Set(Object.values(routes).map((route) => route.split(' ')[1]))])('the route %s', (path) => {
	const written = path.replace(/\{\w+\}/g, '(\\{\\w+\\}|\\$\\{.*?\\})').replace(/\/$/, '/?');
	expect(holding(new RegExp(`['"\` ]${written}['"\`]`))).toEqual(['document/routes.ts']);
});

/** A figure in a line that speaks of what it counts. */
it.each([
	['rows of a page', /page|limit/i, 500, 'document/vocabulary.ts'],
	['rows of a batch', /batch|chunk/i, 250, 'document/vocabulary.ts'],
	['seconds between two looks', /poll|interval/i, 30, 'document/vocabulary.ts'],
	['requests side by side', /concurrency/i, 8, 'kit/operation.ts'],
	['seconds for one answer', /timeout/i, 60, 'kit/operation.ts'],
])('%s', (_, thing, figure, place) => {
	const says = new RegExp(`(?<![.\\d])${figure}(_000)?\\b`);
	const holds = (file: string) =>
		codeOf(file)
			.split('\n')
			.some((line) => thing.test(line) && says.test(line));
	expect(files.filter(holds).map(nameOf)).toEqual([place]);
});

it('no option has a second default beside its own', () => {
	expect(holding(/\boptions\.\w+ (\?\?|\|\|) ('\w|\d)/)).toEqual([]);
});
