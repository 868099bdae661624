import { readFileSync } from 'node:fs';
import path from 'node:path';
import { problemsOfPublishing } from '../review/publishing';
import { root } from './built';

const workflow = readFileSync(path.join(root, '.github/workflows/publish.yml'), 'utf8');

test('only a job that installs nothing gets the identity that npm trusts, and it publishes the tested tarball', () => {
	expect(problemsOfPublishing(workflow)).toEqual([]);
});

test.each([
	[
		'an install where the identity is',
		'      - run: gh run download',
		'      - run: npm ci\n      - run: gh run download',
	],
	[
		'the identity for every job',
		'permissions:\n  contents: read\n\njobs',
		'permissions:\n  contents: read\n  id-token: write\n\njobs',
	],
	['the identity where the tests run', '    outputs:', '    permissions:\n      id-token: write\n    outputs:'],
	['no approval', '    environment: npm\n', ''],
	['no wait for the tests', '    needs: test\n', ''],
	['no comparison', ' | sha512sum --check --strict', ''],
	['a sum from elsewhere', 'needs.test.outputs.sha512', 'github.sha'],
	['a tag beside the branch', 'git merge-base --is-ancestor "$GITHUB_SHA" origin/main', 'true'],
	['a tarball that was built again', 'bash .ci/run', 'npm run build'],
	['scripts of the package', ' --ignore-scripts', ''],
	['no provenance', ' --provenance', ''],
	['every push', "tags: ['*.*.*']", 'branches: [main]'],
	['a token', 'github.token', 'secrets.NPM_TOKEN'],
])('noticed: %s', (_what, before, after) => {
	expect(workflow).toContain(before);
	expect(problemsOfPublishing(workflow.replace(before, after))).not.toEqual([]);
});
