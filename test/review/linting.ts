import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { containing, type Finding, only, unless } from './finding';
import { actionlint, cliConfiguration, scannerOnSources, scannerOnTarball, workflowFiles } from './linters';

export const lintFindings: Finding[] = [
	{
		holds: "n8n's scanner finds nothing in the sources, not even a warning",
		from: ['scanner', 'agentcore55', 'firecrawl49'],
		more: '`test/package/scanner.test.ts`',
		check: scannerOnSources,
	},
	{
		holds: "n8n's scanner finds nothing in the tarball, not even a warning",
		from: ['scanner'],
		more: '`test/package/scanner.test.ts`',
		check: scannerOnTarball,
	},
	{
		holds: "The lint configuration of n8n's command line finds nothing in what is published",
		from: ['submission', 'resend122'],
		check: cliConfiguration,
	},
	{
		holds: 'No comment switches a lint rule off',
		from: ['scanner'],
		check: ({ sources }) => containing(only(sources, '.ts'), /eslint-disable\S*|@ts-(ignore|nocheck|expect-error)/),
	},
	{
		holds: 'A linter finds nothing in the workflows, and something in a wrong one',
		from: ['submission'],
		check: (subject) => {
			const wrong = join(subject.package, '..', 'wrong.yml');
			writeFileSync(
				wrong,
				'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout\n',
			);
			return [
				...actionlint(...workflowFiles()),
				...unless(
					actionlint(wrong).some((each) => /invalid format/.test(each)),
					'the linter is asleep',
				),
			];
		},
	},
];
