import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// A page that people read to the end: few sentences, each short, each with an address that messages and tests can cite.

const page = readFileSync(join(__dirname, '../../docs/limits.md'), 'utf8');
const limits = page.match(/^- .*$/gm) ?? [];

it('has at most 25 limits, each with an anchor of its own', () => {
	expect(limits.length).toBeGreaterThan(15);
	expect(limits.length).toBeLessThanOrEqual(25);
	const anchors = limits.map((limit) => /^- <a id="([a-z-]+)"><\/a>/.exec(limit)?.[1]);
	expect(anchors).not.toContain(undefined);
	expect(new Set(anchors).size).toBe(limits.length);
});

it.each(limits)('is one sentence of at most 25 words on one line: %s', (limit) => {
	const sentence = limit.replace(/^- <a id="[a-z-]+"><\/a>/, '');
	expect(sentence).toMatch(/\.$/);
	expect(sentence.slice(0, -1)).not.toMatch(/\. /);
	expect(sentence.split(' ').length).toBeLessThanOrEqual(25);
});
