import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, root } from './built';

const suites = readdirSync(path.join(root, 'test/e2e/suites'));

interface Leg {
	name: string;
	line?: string[];
	suite?: string;
}

/** Which legs `npm test -- <words>` runs. */
const chosen = (...words: string[]): Leg[] | { message: string } =>
	JSON.parse(
		execFileSync(
			process.execPath,
			[
				'--input-type=module',
				'-e',
				`import { chosen } from ${JSON.stringify(path.join(root, 'scripts/legs.mjs'))};
				const legs = (words) => { try { return chosen(words); } catch ({ message }) { return { message }; } };
				process.stdout.write(JSON.stringify(legs(process.argv.slice(1))));`,
				...words,
			],
			{ encoding: 'utf8' },
		),
	);

test('a word that nobody knows is answered with the names there are', () => {
	const { message } = chosen('lint', 'smok', 'al') as { message: string };
	expect(message).toMatch(/^No leg is called smok or al\. There are: .*\ball\b.*\bsmoke-oldest\b/);
});

test('whatever a leg runs is there', () => {
	const legs = [...(chosen('all') as Leg[]), ...(chosen() as Leg[])];
	const files = filesBelow(path.join(root, 'test')).map((file) => `test/${file}`);
	const paths = legs.flatMap(({ line = [] }) => line).filter((word) => word.startsWith('test/'));
	expect(paths.length).toBeGreaterThan(10);
	expect(paths.filter((wanted) => !files.some((file) => file.startsWith(wanted)))).toEqual([]);
	expect(legs.flatMap(({ suite }) => suite ?? []).filter((suite) => !suites.includes(`${suite}.ts`))).toEqual([]);
});

test('the checks that a suite takes from another are there', () => {
	// Nothing of the world is used before a check runs.
	const program = `const world = { size: {}, n8n: { folder: '' } };
		for (const file of process.argv.slice(1)) require(file).default.checks(world);`;
	const files = suites.map((file) => path.join(root, 'test/e2e/suites', file));
	execFileSync(process.execPath, ['--import', 'tsx', '-e', program, ...files], { stdio: 'pipe' });
});
