import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The page of limits stays a page: one sentence each, with an address that tests cite, and few of them.

const page = readFileSync(join(__dirname, '../../docs/limits.md'), 'utf8');
const [, ...sections] = page.split(/^## /m);
const limitsIn = (text: string) => text.match(/^- .*$/gm) ?? [];
const of = (heading: string) => limitsIn(sections.find((section) => section.startsWith(`${heading}\n`))!);

it('has at most 40 sentences, each with an anchor of its own', () => {
	const limits = limitsIn(page);
	expect(limits.length).toBeGreaterThan(30);
	expect(limits.length).toBeLessThanOrEqual(40);
	const anchors = limits.map((limit) => /^- <a id="([a-z-]+)"><\/a>/.exec(limit)?.[1]);
	expect(anchors).not.toContain(undefined);
	expect(new Set(anchors).size).toBe(limits.length);
});

it.each(limitsIn(page))('is one sentence on one line: %s', (limit) => {
	expect(limit).toMatch(/\.$/);
	expect(limit.slice(0, -1)).not.toMatch(/\. /);
	expect(limit.replace(/<.*?>/g, '').split(' ').length).toBeLessThan(45);
});

it('has at most ten of the trigger, five of agents and five of partners', () => {
	expect(of('Status trigger').length).toBeLessThanOrEqual(10);
	expect(of('AI agents').length).toBeLessThanOrEqual(5);
	expect(of('Slack, HubSpot, Google Sheets').length).toBeLessThanOrEqual(5);
});
