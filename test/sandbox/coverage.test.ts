import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../sandbox/endpoints';
import { sellerLookups } from '../../sandbox/endpoints/sellers.endpoints';
import { rows } from '../contract/rows';
import { createSwitches, switchNames } from '../../sandbox/switches';

const sources = readdirSync(__dirname)
	.filter((file) => file.endsWith('.test.ts') && file !== 'coverage.test.ts')
	.map((file) => readFileSync(join(__dirname, file), 'utf8'))
	.join('\n');

const namesIn = (call: string) =>
	[...sources.matchAll(new RegExp(`^\\t*${call}\\(\\s*'([^']+)'`, 'gm'))].map(([, name]) => name);

/** Their IDs aside, which the document and the rows of the contract name differently. */
const plain = (request: string) => request.replace(/\{\w+\}/g, '{}');

test('every endpoint has a row of the contract or a test, and every test names an endpoint', () => {
	const all = [...endpoints, ...sellerLookups(createSwitches())].map(({ method, path }) => `${method} ${path}`);
	const tested = namesIn('endpoint');
	const played = Object.values(rows).flatMap(({ minimal }) =>
		[...minimal.wire, ...(minimal.once ?? [])].map(({ request }) => plain(request)),
	);
	expect(all.filter((name) => !tested.includes(name) && !played.includes(plain(name)))).toEqual([]);
	expect(tested.filter((name) => !all.includes(name))).toEqual([]);
});

test('every switch has exactly one test, and every test names a switch', () => {
	expect(namesIn('switched').sort()).toEqual([...switchNames].sort());
});

test('every control endpoint is used over HTTP', () => {
	const control = readFileSync(join(__dirname, '../../sandbox/control.ts'), 'utf8');
	const routes = [...control.matchAll(/'([A-Z]+ \/[a-z/]+)':/g)];
	const used = [...sources.matchAll(/control\(\s*'([A-Z]+ \/[a-z/]+)/g)].map(([, line]) => line);
	expect(routes.length).toBeGreaterThan(10);
	expect([...new Set(used)].sort()).toEqual(routes.map(([, line]) => line).sort());
});
