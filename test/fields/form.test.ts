import { form, jsonForm } from '../../nodes/BusinessVerification/fields/form';

// What the document says of a field becomes what the editor shows, and a value is read as a sheet's is.

const fields = form(
	[
		{ name: 'city', kind: 'text', label: 'City' },
		{ name: 'motto', kind: 'text', label: 'Motto' },
		{ name: 'since', kind: 'time', label: 'Since' },
		{ name: 'score', kind: 'integer', label: 'Score' },
		{ name: 'isOpen', kind: 'boolean', label: 'Open' },
		{ name: 'tags', kind: 'tags', label: 'Tags' },
		{ name: 'people', kind: 'principals', label: 'People' },
		{ name: 'papers', kind: 'licenses', label: 'Papers' },
	] as const,
	{ motto: { description: 'What it stands for', placeholder: 'e.g. Quality' } },
);

const property = (name: keyof typeof fields) => fields[name].property;
const read = (name: keyof typeof fields, value: unknown) => {
	const said: string[] = [];
	const data = fields[name].read(value, (reason) => void said.push(reason));
	return said[0] ?? data;
};

it('lists of principals and licenses are no single fields', () => {
	expect(Object.keys(fields)).toEqual(['city', 'motto', 'since', 'score', 'isOpen', 'tags']);
});

it.each([
	['city', { displayName: 'City', type: 'string', default: '', required: true, placeholder: 'e.g. Springfield' }],
	[
		'motto',
		{
			displayName: 'Motto',
			type: 'string',
			default: '',
			required: true,
			description: 'What it stands for',
			placeholder: 'e.g. Quality',
		},
	],
	['since', { displayName: 'Since', type: 'dateTime', default: '', required: true }],
	['score', { displayName: 'Score', type: 'string', default: '', required: true }],
	['isOpen', { displayName: 'Open', type: 'boolean', default: false }],
	['tags', { displayName: 'Tags', type: 'string', default: '' }],
] as const)('%s looks as its kind does', (name, expected) => {
	expect(property(name)).toEqual(expected);
});

it('a required field is refused when it is blank, and an optional one is left out', () => {
	expect([read('city', '  '), read('city', undefined), read('city', ' Springfield ')]).toEqual([
		'is required',
		'is required',
		'Springfield',
	]);
	expect([read('tags', ''), read('tags', 'a, b'), read('isOpen', undefined), read('isOpen', 'yes')]).toEqual([
		[],
		['a', 'b'],
		false,
		true,
	]);
});

it('a value that cannot be read is refused, also in an optional field', () => {
	expect([read('isOpen', 'perhaps'), read('score', 'many'), read('score', 1.5), read('since', 'soon')]).toEqual([
		'is neither yes nor no',
		'is not a number',
		'must be a whole number',
		'must be a day or a time, for example 2026-01-31 or 2026-01-31T09:00:00Z',
	]);
});

it('a list of forms as JSON keeps either spelling of its keys', () => {
	const people = [
		{ name: 'lastName', kind: 'text', label: 'Last Name' },
		{ name: 'hasLeft', kind: 'boolean', label: 'Left' },
	] as const;
	const list = jsonForm('People', people, {});
	const readList = (value: unknown) => {
		const said: string[] = [];
		return [list.read(value, (reason) => void said.push(reason)), said];
	};
	expect(readList('[{ "last_name": " Birch ", "hasLeft": "yes", "nickname": "B" }, { "lastName": "Cedar" }]')).toEqual([
		[{ last_name: 'Birch', hasLeft: true, nickname: 'B' }, { lastName: 'Cedar' }],
		[],
	]);
	expect(['Birch', '[1]', '[{ "name": "{{ $json.name }}" }]', '[{}, { "hasLeft": "perhaps" }]'].map(readList)).toEqual([
		[undefined, ['is not valid JSON']],
		[undefined, ['must be a JSON list of objects']],
		[undefined, ["contains '{{', which n8n did not evaluate: switch the field to 'Expression'"]],
		[undefined, ["entry 2: 'hasLeft' is neither yes nor no"]],
	]);
});
