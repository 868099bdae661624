import { resources } from '../../nodes/BusinessVerification/operations';
import { listedNames, presentNames, type SavedNames } from '../../scripts/savedNames';

// What users' workflows have saved. A name may be added to the list by `npm run generate`; one that is changed or gone
// breaks their workflows, so both ways are held: the list names what is there, and what is there is in the list.

const listed = listedNames();
const present = presentNames(resources);
const kinds = Object.keys(listed) as Array<keyof SavedNames>;

it.each(kinds)('%s: the same ones are listed and there', (kind) => {
	expect(Object.keys(present[kind]).sort()).toEqual(Object.keys(listed[kind]).sort());
});

const places = kinds.flatMap((kind) => Object.keys(listed[kind]).map((name) => [kind, name] as const));

it.each(places)('%s: every name of %s is listed and there', (kind, name) => {
	expect(present[kind][name]).toEqual(listed[kind][name]);
});

it('holds names inside of groups, and values of lists', () => {
	expect(listed.operations['inquiry.create']).toEqual(
		expect.arrayContaining([
			'principals.row.lastName',
			'additionalFields.businessEin',
			'options.output=raw',
			'options.timeout',
		]),
	);
	expect(listed.nodes.businessVerification).toEqual(
		expect.arrayContaining(['authentication=oAuth2', 'resource=inquiry', 'operation']),
	);
});
