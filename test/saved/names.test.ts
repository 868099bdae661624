import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BusinessVerificationApi } from '../../credentials/BusinessVerificationApi.credentials';
import { BusinessVerificationJwtApi } from '../../credentials/BusinessVerificationJwtApi.credentials';
import { BusinessVerificationOAuth2Api } from '../../credentials/BusinessVerificationOAuth2Api.credentials';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { BusinessVerificationSellerTrigger } from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import { BusinessVerificationTrigger } from '../../nodes/BusinessVerification/BusinessVerificationTrigger.node';
import { resources } from '../../nodes/BusinessVerification/operations';

/** What users' workflows have saved. Names may be added to the list; one that is changed or gone breaks their workflows. */
const saved = JSON.parse(readFileSync(join(__dirname, '../savedNames.json'), 'utf8')) as {
	nodes: Record<string, string[]>;
	credentials: Record<string, string[]>;
	operations: Record<string, string[]>;
};

const nodes = [new BusinessVerification(), new BusinessVerificationTrigger(), new BusinessVerificationSellerTrigger()];
const credentials = [
	new BusinessVerificationApi(),
	new BusinessVerificationJwtApi(),
	new BusinessVerificationOAuth2Api(),
];

it.each(Object.entries(saved.nodes))('the node %s and its parameters', (name, parameters) => {
	const node = nodes.find(({ description }) => description.name === name);
	const present = new Set(node?.description.properties.map((property) => property.name));
	expect(parameters.filter((parameter) => !present.has(parameter))).toEqual([]);
});

it.each(Object.entries(saved.credentials))('the credential %s and its fields', (name, fields) => {
	const present = new Set(
		credentials.find((credential) => credential.name === name)?.properties.map((property) => property.name),
	);
	expect(fields.filter((field) => !present.has(field))).toEqual([]);
});

it.each(Object.entries(saved.operations))('the operation %s and its parameters', (place, parameters) => {
	const [resource, operation] = place.split('.');
	const { fields } = resources[resource].operations[operation];
	const inner = Object.values(fields).flatMap(({ property }) =>
		((property.options ?? []) as Array<{ name?: string; values?: Array<{ name: string }> }>).flatMap(
			({ name, values }) => [name ?? '', ...(values ?? []).map((value) => value.name)],
		),
	);
	const present = new Set([...Object.keys(fields), ...inner]);
	expect(parameters.filter((parameter) => !present.has(parameter))).toEqual([]);
});

it('the list is complete', () => {
	const places = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((name) => `${resource}.${name}`),
	);
	expect(Object.keys(saved.operations).sort()).toEqual(places.sort());
});
