import { DateTime } from 'luxon';
import { filters, rows } from '../../nodes/BusinessVerification/kit/collections';
import { flag, guarding, shown, text } from '../../nodes/BusinessVerification/kit/field';
import {
	blanksIn,
	filledIn,
	hasNothingOf,
	readInput,
	referenceIn,
	refuse,
	unclear,
} from '../../nodes/BusinessVerification/kit/reading';

// A reference is read without n8n; test/engine/reference.test.ts compares what n8n makes of it.

describe('is read', () => {
	const json = {
		id: 'a-1',
		'External ID': 'x 9',
		zip: 2139,
		none: null,
		no: false,
		tags: ['a', 'b'],
		address: { city: 'Springfield', geo: { lat: 39.8 } },
	};
	it.each<[unknown, unknown]>([
		['={{ $json.id }}', 'a-1'],
		['={{$json.id}}', 'a-1'],
		["={{ $json['External ID'] }}", 'x 9'],
		['={{ $json["External ID"] }}', 'x 9'],
		['={{ $json.zip }}', 2139],
		['={{ $json.none }}', null],
		['={{ $json.no }}', false],
		['={{ $json.missing }}', undefined],
		['={{ $json.address.missing }}', undefined],
		['={{ $json.tags }}', ['a', 'b']],
		['={{ $json.address.geo.lat }}', 39.8],
		['={{ $json["address"].city }}', 'Springfield'],
		[
			{ __rl: true, mode: 'id', value: '={{ $json.id }}' },
			{ __rl: true, mode: 'id', value: 'a-1' },
		],
		[{ row: [{ lastName: '={{ $json.id }}', dob: '' }] }, { row: [{ lastName: 'a-1', dob: '' }] }],
		['no expression', 'no expression'],
	])('%j', (saved, expected) => expect(filledIn(saved, json)).toEqual(expected));
});

describe('is left to n8n', () => {
	const json = {
		name: 'Acme',
		at: new Date(0),
		nan: NaN,
		row: { when: DateTime.now() },
		odd: { constructor: 'C' },
		constructorName: 'C',
		none: null,
	};
	it.each<[string, unknown]>([
		['text around it', '=No. {{ $json.name }}'],
		['a space after it', '={{ $json.name }} '],
		['two of them', '={{ $json.name }}{{ $json.name }}'],
		['a call', '={{ $json.name.trim() }}'],
		['an optional step', '={{ $json?.name }}'],
		['a place in a list', '={{ $json.list[0] }}'],
		['a computed name', '={{ $json[$json.name] }}'],
		['another item', '={{ $input.first().json.name }}'],
		['a name that n8n refuses', '={{ $json.constructor }}'],
		['a name that begins like it', '={{ $json.constructorName }}'],
		['a step into nothing', '={{ $json.none.name }}'],
		['a step into what is missing', '={{ $json.missing.name }}'],
		['a step into a text', '={{ $json.name.length }}'],
		['a date', '={{ $json.at }}'],
		['a date inside', '={{ $json.row }}'],
		['a name inside that n8n refuses', '={{ $json.odd }}'],
		['no number', '={{ $json.nan }}'],
		['one of two in a set', { a: '={{ $json.name }}', b: '={{ 1 }}' }],
	])('%s', (_, saved) => expect(filledIn(saved, json)).toBe(unclear));

	it('an item that has nothing', () => expect(filledIn('={{ $json.name }}', undefined)).toBe(unclear));
});

it('the names on the way are reported', () => {
	expect(referenceIn('={{ $json.a["b c"].d }}')).toEqual(['a', 'b c', 'd']);
	expect(referenceIn('={{ 1 }}')).toBeUndefined();
	expect(referenceIn(5)).toBeUndefined();
});

it('a field that is hidden has its default, whatever was saved in it before', () => {
	const fields = { waits: flag('Wait'), isLoud: shown({ waits: [true] }, flag('Loud')) };
	const read = (waits: boolean) => readInput(fields, { waits, isLoud: true }).input.isLoud;
	expect([read(true), read(false)]).toEqual([true, false]);
});

it.each(['-', '_', ':', '/', '#', '|'])("what an expression leaves beside '%s' is nothing", (mark) => {
	const isNothing = (left: string) => hasNothingOf(`={{ '${left}' + ($json.id ?? '') }}`, left);
	expect([`crm${mark}`, `${mark}crm`, 'crm'].map(isNothing)).toEqual([true, true, false]);
});

it('a whole value that only looks like a part, a list that holds something, and what may be blank are not nothing', () => {
	const given = [['crm-'], [['', 'a']], ['', true], [''], [['', ' ']]] as Array<[unknown, boolean?]>;
	const found = given.map(([value, mayBeBlank]) => hasNothingOf('={{ $json.a }}', value, mayBeBlank));
	expect(found).toEqual([false, false, false, true, true]);
});

it('a blank filter is named by its place, and what is hidden is no filter', () => {
	const sources = rows('Source Filters', { source: text('Source') });
	const fields = {
		...{ waits: flag('Wait'), hidden: shown({ waits: [true] }, guarding(text('Hidden'))) },
		filters: filters({ sources }),
	};
	const with2 = (source: string) => ({ hidden: source, filters: { sources: { row: [{ source: 'A' }, { source }] } } });
	expect(blanksIn(fields, with2('={{ $json.a }}'), with2(''), () => false)).toEqual([
		{
			path: ['filters', 'sources', 'row', 1, 'source'],
			reason: "'Filters > Source Filters > 2 > Source' is empty because its expression returned nothing",
		},
	]);
});

it('of several problems the first is the error, and the others stand beside it', () => {
	const problems = ['one', 'two', 'three'].map((reason, place) => ({ path: [reason, place], reason }));
	const details = { parameter: 'one.0', description: 'Also: two; three' };
	const thrown = expect.objectContaining({ message: 'one', details });
	expect(() => refuse(problems, (path) => path.join('.'))).toThrow(thrown);
});
