/** An operation has one name: its file's, its key's, the value that workflows save. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { resources } from '../../nodes/BusinessVerification/operations';

const folder = join(__dirname, '../../nodes/BusinessVerification/operations');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((path) => path.endsWith('.operation.ts'))
	.map((path) => path.replace('.operation.ts', '').split('/') as [resource: string, name: string]);
const { properties } = new BusinessVerification().description;
const menus = (resource: string) =>
	properties.filter(
		({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.[0] === resource,
	);

it('every operation has a file', () => {
	const registered = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((name) => [resource, name]),
	);
	expect(registered.sort()).toEqual([...files].sort());
});

it.each(files)('%s/%s', async (resource, name) => {
	const file = (await import(join(folder, resource, `${name}.operation`))) as Record<string, unknown>;
	expect(Object.keys(file)).toEqual([name]);
	expect(file[name]).toBe(resources[resource].operations[name]);
	const values = menus(resource)[0].options!.map((option) => (option as INodePropertyOptions).value);
	expect(values).toContain(name);
});

it('a resource opens at what people come for; for agents too, as far as it is theirs', () => {
	const opensAt = Object.keys(resources).map((resource) => [resource, ...menus(resource).map((menu) => menu.default)]);
	expect(opensAt).toEqual([
		['batch', 'submit'],
		['inquiry', 'create'],
		['license', 'verify'],
		['sellerSearch', 'submitAndWait', 'submit'],
		['user', 'getProfile', 'getProfile'],
	]);
});
