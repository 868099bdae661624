import { hasShortPolls, remark } from '../../nodes/BusinessVerification/engine/host';

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

it.each([
	[undefined, false],
	[119_999, true],
	[120_000, false],
])('a host that gives a poll %j milliseconds has short polls: %j', (budget, expected) => {
	expect(hasShortPolls(budget === undefined ? {} : { getPollBudgetMs: () => budget })).toBe(expected);
});
