import { boundedText, type Field, optionalChoice } from '../../nodes/BusinessVerification/kit/field';

const read = (field: Field, value: unknown) => {
	const said: string[] = [];
	const data = field.read(value, (reason) => void said.push(reason));
	return said.length === 0 ? data : `! ${said[0]}`;
};

it('a bounded text has 1 to so many characters, counted as people count them', () => {
	const note = boundedText('Text', 2000, { placeholder: 'e.g. Called the owner' });
	expect(note.property).toEqual({
		...{ displayName: 'Text', type: 'string', default: '', required: true, placeholder: 'e.g. Called the owner' },
	});
	expect([read(note, ' a '), read(note, 4711), (read(note, 'x'.repeat(2000)) as string).length]).toEqual([
		'a',
		'4711',
		2000,
	]);
	expect(read(note, '🎉'.repeat(2000))).toHaveLength(4000);
	for (const blank of ['', '  ', null, undefined]) expect(read(note, blank)).toBe('! is required');
	expect(read(note, 'x'.repeat(2001))).toBe('! must have at most 2,000 characters');
	expect(read(note, ['a'])).toBe('! is not text');
});

it('an optional choice begins as none, and none is absent', () => {
	const shownTo = optionalChoice('Shown To', { everyone: 'Everyone', us: ['Us', 'The organization'] }, 'Who reads it');
	expect(shownTo.property).toEqual({
		displayName: 'Shown To',
		type: 'options',
		options: [
			{ name: 'Not Set', value: '' },
			{ name: 'Everyone', value: 'everyone' },
			{ name: 'Us', value: 'us', description: 'The organization' },
		],
		default: '',
		description: 'Who reads it',
	});
	expect(['us', 'everyone', '', null, undefined].map((value) => read(shownTo, value))).toEqual([
		...['us', 'everyone', undefined, undefined, undefined],
	]);
	expect(read(shownTo, 'nobody')).toBe('! must be one of everyone, us');
});
