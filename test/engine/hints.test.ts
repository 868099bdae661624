import { hasShortPolls, pollBudgetMs, remark } from '../../nodes/BusinessVerification/engine/host';
import { ResultsForPeople } from '../../nodes/BusinessVerification/engine/runResults';
import { withoutTags } from '../../nodes/BusinessVerification/engine/runErrors';

it('a hint shows the header of a sheet as text, because the editor reads hints as HTML', () => {
	const hints: unknown[] = [];
	remark({ addExecutionHints: (hint: unknown) => void hints.push(hint) }, `Column '<a href="x">Log in</a>' & others`);
	expect(hints).toEqual([
		{
			message: `Column '&#60;a href="x"&#62;Log in&#60;/a&#62;' &#38; others`,
			type: 'info',
			location: 'outputPane',
		},
	]);
});

it('two hints are shown, the second of five sentences, and one kind is said once', () => {
	const hints: string[] = [];
	const results = new ResultsForPeople({
		...{ getInputData: () => [{ json: {} }], getNode: () => ({}) },
		addExecutionHints: ({ message }: { message: string }) => void hints.push(message),
	} as never);
	for (const one of ['First.', 'Second.', 'Second.', 'Third.', 'Fourth.']) results.remark(one);
	for (const item of [1, 2, 3]) results.remark(`Item ${item} is old.`, 'age');
	for (const one of ['Sixth.', 'Seventh.', 'Eighth.']) results.remark(one);
	results.end();
	expect(hints).toEqual([
		'First.',
		'Second. Third. Fourth. Item 1 is old. The same for 2 more items. Sixth. and 2 more',
	]);
});

it.each([
	['<a href="x">Log in</a> & go', 'Log in & go'],
	['3 < 4 > 2, <3, a<', '3 < 4 > 2, <3, a<'],
	['<<b>a href=x>Log in', 'a href=x>Log in'],
	['<<<img src=x', '<'],
	['<< <!--x <?php', '< '],
	['a<b', 'a'],
])('a message leaves out tags: %s', (text, expected) => {
	expect(withoutTags(text)).toBe(expected);
	expect(withoutTags(text)).not.toMatch(/<[a-z/!?]/i);
});

it.each([
	[undefined, 300_000, false],
	[119_999, 119_999, true],
	[120_000, 120_000, false],
])('a host that gives a poll %j milliseconds allows %i, and has short polls: %j', (budget, allowed, isShort) => {
	const host = budget === undefined ? {} : { getPollBudgetMs: () => budget };
	expect([pollBudgetMs(host), hasShortPolls(host)]).toEqual([allowed, isShort]);
});
