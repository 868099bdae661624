import { rows } from '../contract/rows';
import { requests as judged } from './requests';
import { offered, toolList } from './toolList';

/** Those whose answers are judged, and those that the rows of the contract say. */
const requests = [
	...judged,
	...Object.entries(rows).flatMap(([operation, row]) =>
		(row.requests ?? []).map((says) => ({ says, tool: operation.replace('.', '_') })),
	),
];

/** They say nothing of what is wanted. */
const idle = new Set(
	'a an and are as at can did do does for has i in is it its me my of on or our so that the their they this to was we what these those which who with you'.split(
		' ',
	),
);

/** Words as a search counts them: small, a plural as its singular, no examples. */
const wordsOf = (text: string): string[] =>
	(
		text
			.replace(/\be\.g\. .*/g, '')
			.toLowerCase()
			.match(/[a-z]+|\d+/g) ?? []
	)
		.filter((word) => !idle.has(word))
		.map((word) => word.replace(/ies$/, 'y').replace(/(?<=ss|ch)es$|(?<=\w{2}[^s])s$/, ''));

const { tools } = toolList();
const actionOf = new Map(
	offered.map(({ resource, operation, definition }) => [`${resource}_${operation}`, definition.action]),
);

/** Okapi BM25 with its usual constants over name, text and arguments of each tool. */
const documents = tools.map(({ name, description, inputSchema }) => {
	const { properties = {} } = inputSchema as { properties?: Record<string, { description: string }> };
	const given = Object.entries(properties).flatMap(([argument, { description }]) => [argument, description]);
	// Where a text sends elsewhere, its words speak for the other tool.
	const own = description.split('. ').filter((sentence) => !/\buse [A-Z]/.test(sentence));
	return { name, words: [actionOf.get(name)!, ...own, ...given].flatMap(wordsOf) };
});
const length = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length;
const rarity = (word: string) => {
	const holders = documents.filter(({ words }) => words.includes(word)).length;
	return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
};
const score = (request: string, words: string[]) =>
	[...new Set(wordsOf(request))].reduce((sum, word) => {
		const times = words.filter((one) => one === word).length;
		return sum + (rarity(word) * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words.length) / length));
	}, 0);

it.each(requests)('$says: $tool', ({ says, tool }) => {
	const ranked = documents.map(({ name, words }) => [score(says, words), name] as const).sort(([a], [b]) => b - a);
	expect(ranked.slice(0, 2).map(([points, name]) => `${name} ${points.toFixed(2)}`)[0]).toContain(tool);
	expect(ranked[0][0]).toBeGreaterThan(ranked[1][0]);
});

it('every tool is asked for', () => {
	const asked = new Set(requests.map(({ tool }) => tool));
	expect(tools.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([]);
	expect(judged).toHaveLength(40);
});

it('where a text sends to another tool, there is one', () => {
	const actions = new Set(actionOf.values());
	const sent = tools.flatMap(({ description }) =>
		[...description.matchAll(/\buse ([A-Z][\w ]*?)(?: with [^.,]*)?(?=[.,])/g)].map(([, action]) => action),
	);
	expect(sent.length).toBeGreaterThan(15);
	const isAction = (start: string) => [...actions].some((action) => action.startsWith(start));
	expect(sent.filter((start) => !isAction(start))).toEqual([]);
});
