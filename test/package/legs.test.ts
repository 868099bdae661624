import { readdirSync } from 'node:fs';
import path from 'node:path';
import { esModule } from '../harness/esModule';
import { filesBelow, root } from './built';

const suites = readdirSync(path.join(root, 'test/e2e/suites'));

interface Leg {
	name: string;
	line?: string[];
	suite?: string;
}

/** Which legs `npm test -- <words>` runs. */
const chosen = async (...words: string[]): Promise<Leg[]> => (await esModule('scripts/legs.mjs')).chosen(words);

test('a word that nobody knows is answered with the names there are', async () => {
	await expect(chosen('lint', 'smok', 'al')).rejects.toThrow(
		/^No leg is called smok or al\. There are: .*\ball\b.*\bsmoke-oldest\b/,
	);
});

test('whatever a leg runs is there', async () => {
	const legs = [...(await chosen('all')), ...(await chosen('weekly')), ...(await chosen())];
	const files = filesBelow(path.join(root, 'test')).map((file) => `test/${file}`);
	const paths = legs.flatMap(({ line = [] }) => line).filter((word) => word.startsWith('test/'));
	expect(paths.length).toBeGreaterThan(10);
	expect(paths.filter((wanted) => !files.some((file) => file.startsWith(wanted)))).toEqual([]);
	expect(legs.flatMap(({ suite }) => suite ?? []).filter((suite) => !suites.includes(`${suite}.ts`))).toEqual([]);
});
