import { parameters, strictContext } from './strictContext';

interface Context {
	getNode(): { name: string };
	isToolExecution?(): boolean;
	helpers: { httpRequest(): string; prepareBinaryData(): string };
}

describe('strictContext', () => {
	const context = strictContext<Context>({ getNode: () => ({ name: 'n' }), helpers: { httpRequest: () => 'sent' } });

	it('hands out what was granted, also inside helpers', () => {
		expect(context.getNode()).toEqual({ name: 'n' });
		expect(context.helpers.httpRequest()).toBe('sent');
	});

	it('throws on everything else and names it', () => {
		expect(() => context.isToolExecution?.()).toThrow('this.isToolExecution was used');
		expect(() => context.helpers.prepareBinaryData()).toThrow('this.helpers.prepareBinaryData was used');
		expect(() => Object.assign(context, { extra: 1 })).toThrow('this.extra was assigned');
	});

	it('answers a feature test truthfully', () => {
		expect('isToolExecution' in context).toBe(false);
		expect('getNode' in context).toBe(true);
	});
});

describe('parameters', () => {
	it('reads by name, by dotted name and by item, and throws without a fallback', () => {
		const one = parameters({ limit: 5, options: { path: 'a' } });
		expect(one('limit')).toBe(5);
		expect(one('options.path')).toBe('a');
		expect(one('options.other', '')).toBe('');
		expect(() => one('absent')).toThrow('"absent" was not set');

		const many = parameters((itemIndex) => ({ businessName: `Business ${itemIndex}` }));
		expect(many('businessName', 0)).toBe('Business 0');
		expect(many('businessName', 1)).toBe('Business 1');
		expect(many('businessDba', 1, null)).toBeNull();
	});
});
