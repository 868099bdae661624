import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { conclude, quantile, table } from './report';

const root = join(__dirname, '..');
const items = 10_000;
const rounds = 9;

type Create = typeof import('../nodes/BusinessVerification/operations/inquiry/create.operation');
type Reading = typeof import('../nodes/BusinessVerification/kit/reading');

/**
 * Processor time to read the parameters of one Create after n8n has evaluated them; no two items have the same. Runs the
 * built code, because tsx wraps every inner function, which takes longer than what is measured.
 */
export async function run(): Promise<boolean> {
	execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: 'ignore' });
	const { create } = (await built('operations/inquiry/create.operation')) as Create;
	const { readInput } = (await built('kit/reading')) as Reading;
	const defaults = Object.fromEntries(
		Object.entries(create.fields).map(([name, { property }]) => [name, property.default]),
	);
	const values = Array.from({ length: items }, (_, item) => ({ ...defaults, ...filledIn(item) }));
	const times: number[] = [];
	let wrong = 0;
	for (let round = 0; round < rounds; round++) {
		const started = process.cpuUsage();
		for (const one of values) {
			const { input, problems } = readInput(create.fields, one);
			if (problems.length > 0 || input.businessState !== 'IL') wrong++;
		}
		const { user, system } = process.cpuUsage(started);
		times.push((user + system) / items);
	}
	const usual = quantile(times, 0.5);
	table(
		`Parameters of Create, ${items.toLocaleString('en')} items, ${rounds} rounds`,
		['variant', 'CPU µs an item, median', 'lowest'],
		[['this node', usual.toFixed(1), Math.min(...times).toFixed(1)]],
	);
	return conclude('parameters', [
		{ name: 'wrong answers', value: wrong, atMost: 0 },
		{ name: 'CPU µs an item', value: usual, atMost: 20 },
	]);
}

const built = (path: string): Promise<unknown> => import(join(root, 'dist/nodes/BusinessVerification', `${path}.js`));

const filledIn = (item: number) => ({
	businessName: ` Business ${item}`,
	businessCity: `Springfield ${item}`,
	businessState: 'IL',
	externalId: `crm-${item}`,
	additionalFields: {
		businessEin: '12-3456789',
		businessAddressLine1: `${item} Main Street`,
		businessZip: 2139,
		businessPhone: '+1 555 010 0100',
		tags: 'priority, partner',
	},
	principals: { row: [{ lastName: `Smith ${item}`, dob: '12/31/1980', ownershipPercentage: 25 }] },
	options: { timeout: 30 },
});
