import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../sandbox/endpoints';
import { sellerLookups } from '../../sandbox/endpoints/sellers.endpoints';
import { createSwitches, switchNames } from '../../sandbox/switches';
import { rows } from '../contract/rows';

/** Their IDs aside, which the document and the rows of the contract name differently. */
const plain = (request: string) => request.replace(/\{\w+\}/g, '{}');

/** What no row plays: the login, and what the service has only if an open point turns out otherwise. */
const withoutRow = ['POST /external/api/v1/license-verification', 'POST /oauth/token'];

test('every endpoint has a row of the contract', () => {
	const all = [...endpoints, ...sellerLookups(createSwitches())].map(({ method, path }) => `${method} ${path}`);
	const played = Object.values(rows).flatMap(({ minimal }) =>
		[...minimal.wire, ...(minimal.once ?? [])].map(({ request }) => plain(request)),
	);
	expect(all.filter((name) => !played.includes(plain(name))).sort()).toEqual(withoutRow);
});

test('every switch is turned by a test of the package', () => {
	const tests = join(__dirname, '..');
	const files = (readdirSync(tests, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'));
	const others = files.filter((file) => !file.startsWith('sandbox'));
	const all = others.map((file) => readFileSync(join(tests, file), 'utf8')).join('\n');
	expect(switchNames.filter((name) => !new RegExp(`\\b${name}\\b`).test(all))).toEqual([]);
});
