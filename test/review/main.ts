import { inspect } from 'node:util';
import { isPageCurrent, writePage } from './document';
import { type Finding, unless } from './finding';
import { lintFindings } from './linting';
import { nodeFindings } from './nodes';
import { packageFindings } from './package';
import { releaseFindings } from './release';
import { reviewed } from './subject';

const findings: Finding[] = [
	...lintFindings,
	...packageFindings,
	...nodeFindings,
	...releaseFindings,
	{
		holds: 'The page about the review lists all of this',
		from: ['guidelines'],
		check: ({ nodes }) =>
			unless(isPageCurrent(findings, nodes), 'docs/development/review.md is stale: npm run review -- --write'),
	},
];

/** npm run review: what n8n's reviewers look at, one line each. With --write it writes the list into its page. */
async function main() {
	const subject = reviewed();
	if (process.argv.includes('--write')) return writePage(findings, subject.nodes);
	let failed = 0;
	for (const { holds, check } of findings) {
		const problems = await Promise.resolve(subject)
			.then(check)
			.catch((error) => [inspect(error)]);
		if (problems.length > 0) failed++;
		console.log(`${problems.length === 0 ? '✓' : '✗'} ${holds}${problems.map((each) => `\n    ${each}`).join('')}`);
	}
	console.log(`${findings.length - failed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error) => {
	console.log(inspect(error));
	console.log('0 passed, 1 failed');
	process.exitCode = 1;
});
