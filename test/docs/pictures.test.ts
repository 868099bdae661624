import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { costsMoney } from '../../nodes/BusinessVerification/kit/operation';
import { resources } from '../../nodes/BusinessVerification/operations';
import { credential, sandbox, useSandbox } from '../harness/sandbox';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { assigned, nodeOf, pictured } from './pictured';

// A picture shows what the product shows now. `npm run e2e -- pictures` takes them, and writes beside them what they show.

const root = join(__dirname, '../..');
const folder = join(root, 'docs/pictures');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

beforeAll(hurry);
useSandbox({ ends: 'varied' });

async function outputOf(parameters: object, items: object[]) {
	const { items: results, error } = await runNode({
		parameters: { ...parameters, waitingOptions: { pollInterval: 1 } },
		credential: credential(),
		items: items as never,
	});
	if (error !== undefined) throw error;
	return results.map(({ json }) => json);
}

function rowsOf(csv: string): object[] {
	const [header, ...rows] = csv.split('\n').map((line) => line.split(','));
	// n8n leaves out an empty cell.
	return rows.map((row) =>
		Object.fromEntries(header.flatMap((name, index) => (row[index] === '' ? [] : [[name, row[index]]]))),
	);
}

it('every picture that is taken shows the texts of today', async () => {
	const values = assigned('verify-business.json', 'Your values');
	const { csv } = assigned('sheet-import-offline.json', 'Your values');
	const texts = pictured({
		verified: await outputOf(nodeOf('verify-business.json', 'Verify').parameters, [values]),
		imported: await outputOf(nodeOf('sheet-import-offline.json', 'Import the rows').parameters, rowsOf(String(csv))),
	});
	expect(texts).toEqual(JSON.parse(read('texts.json')));
	const taken = readdirSync(folder).filter((file) => file.endsWith('.png'));
	expect(Object.keys(texts).sort()).toEqual(taken.sort());
});

it('the README shows what its five steps return', async () => {
	const [, shown] = /### What comes back\n\n```json\n([\s\S]*?)```/.exec(
		readFileSync(join(root, 'README.md'), 'utf8'),
	)!;
	const { businessName, ...others } = JSON.parse(shown) as Record<string, unknown>;
	sandbox.switches.ends = 'completed';
	const place = { businessCity: 'Springfield', businessState: 'IL' };
	const given = { resource: 'inquiry', operation: 'create', businessName, externalId: 'the-readme', ...place };
	const [output] = await outputOf({ ...given, waitForCompletion: true }, [{}]);
	expect(Object.keys(output)).toEqual(Object.keys(JSON.parse(shown) as object));
	const isSettled = ([key]: [string, unknown]) => !/^(id|externalId)$|At$/.test(key);
	expect(Object.fromEntries(Object.entries(output).filter(isSettled))).toEqual(
		Object.fromEntries(Object.entries({ businessName, ...others }).filter(isSettled)),
	);
});

const operations = Object.values(resources).flatMap(({ name, operations: all }) =>
	Object.values(all).map((operation) => ({ ...operation, full: `${name}: ${operation.name}` })),
);
const named = (text: string) => operations.filter(({ name, full }) => [name, full].includes(text));

it('the life of an inquiry names every billed operation of inquiries and batches, and no other', () => {
	const [, drawn] = /<g text-anchor="middle">([\s\S]*?)<\/g>/.exec(read('life.svg'))!;
	const texts = [...drawn.matchAll(/<text[^>]*>([^<]+)</g)].flatMap(([, text]) => text.split(', '));
	const shown = texts.flatMap(named).map(({ full }) => full);
	const billed = operations.filter(costsMoney).map(({ full }) => full);
	expect(shown.sort()).toEqual(billed.filter((full) => /^(Inquiry|Batch)/.test(full)).sort());
	const statuses = texts.filter((text) => /^[A-Z_]+$/.test(text));
	expect(statuses).toEqual(['PLANNING', 'RUNNING', 'ENRICHING', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED']);
});
