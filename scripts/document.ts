/**
 * Writes what follows from the operations and the examples: the pages of docs/operations.md and docs/stories,
 * the tables in docs/credentials.md and docs/import.md, the previews that n8n's editor shows of an output, what users of this version save, and the links to the
 * repository. `npm run generate` writes them; a test fails when they are stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Resource } from '../nodes/BusinessVerification/kit/operation';
import { resources as ourResources } from '../nodes/BusinessVerification/operations';
import { credentialTable } from './credentialTable';
import { headerTable } from './headerTable';
import { linked, linkedFiles } from './links';
import { operationsPage, type Place } from './operationsPage';
import { savedNames } from './savedNames';
import { savedWorkflows } from './savedWorkflows';
import { storyPages, storyTable } from './stories';

const root = join(__dirname, '..');

const placesOf = (resources: Record<string, Resource>): Place[] =>
	Object.entries(resources).flatMap(([resourceName, resource]) =>
		Object.entries(resource.operations)
			.sort(([a], [b]) => a.localeCompare(b))
			.map(([name, operation]) => ({ resourceName, resource, name, operation })),
	);

/** Every generated file by its path from the root. */
export function generated(resources = ourResources): Record<string, string> {
	const places = placesOf(resources);
	return {
		...linkedFiles(),
		'README.md': linked(readFileSync(join(root, 'README.md'), 'utf8')),
		'docs/credentials.md': withTable(
			readFileSync(join(root, 'docs/credentials.md'), 'utf8'),
			'credentials',
			credentialTable(),
		),
		'docs/import.md': withTable(readFileSync(join(root, 'docs/import.md'), 'utf8'), 'headers', headerTable()),
		...storyPages(),
		'docs/stories/README.md': withTable(
			readFileSync(join(root, 'docs/stories/README.md'), 'utf8'),
			'stories',
			storyTable(''),
		),
		'docs/operations.md': operationsPage(places),
		...savedNames(resources),
		...savedWorkflows(resources),
		...Object.fromEntries(
			places.map(({ resourceName, name, operation }) => [
				`nodes/BusinessVerification/__schema__/v1.0.0/${resourceName}/${name}.json`,
				`${JSON.stringify({ ...schemaOf(operation.example), version: 1 }, undefined, 2)}\n`,
			]),
		),
	};
}

const withTable = (text: string, name: string, table: string) =>
	text.replace(
		new RegExp(`(<!-- ${name}:start[^>]*-->)[\\s\\S]*(<!-- ${name}:end -->)`),
		(_, start: string, end: string) => `${start}\n${table}\n${end}`,
	);

/** JSON Schema of an example: enough for n8n to offer the fields before a first run. */
function schemaOf(value: unknown): object {
	if (Array.isArray(value)) return { type: 'array', ...(value.length > 0 ? { items: schemaOf(value[0]) } : {}) };
	if (value === null) return { type: 'null' };
	if (typeof value !== 'object')
		return { type: typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value };
	const entries = Object.entries(value as object).filter(([, entry]) => entry !== undefined);
	return { type: 'object', properties: Object.fromEntries(entries.map(([key, entry]) => [key, schemaOf(entry)])) };
}

if (require.main === module) {
	for (const [path, text] of Object.entries(generated())) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
}
