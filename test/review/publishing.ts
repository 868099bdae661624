import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { unless } from './finding';

interface Job {
	needs?: string;
	environment?: string;
	permissions?: Record<string, string>;
	outputs?: Record<string, string>;
	steps: Array<{ id?: string; uses?: string; run?: string; env?: Record<string, string>; with?: object }>;
}

/** Steps of the job that publishes: it may set Node up, download, compare and publish, nothing else. */
const PUBLISHING = [
	/^actions\/setup-node@/,
	/^gh run download "\$GITHUB_RUN_ID" --name package$/,
	/^echo "\$SHA512 {2}\$TARBALL" \| sha512sum --check --strict$/,
	/^npm publish "\$TARBALL" --ignore-scripts --tag "\$NPM_TAG" --provenance --access public$/,
];

/** Steps of the job that tests, in this order. */
const TESTING = [
	'git merge-base --is-ancestor "$GITHUB_SHA" origin/main',
	'node scripts/publishable.mjs "$GITHUB_REF_NAME"',
	'npm ci',
	'bash .ci/run',
	'echo "sha512=$(sha512sum .cache/package/*.tgz | cut -d \' \' -f 1)" >> "$GITHUB_OUTPUT"',
];

const stepsOf = ({ steps }: Job) => steps.map(({ uses, run }) => uses ?? `${run}`.trim());

/** Whoever gets npm's identity can publish, so the job that gets it runs no code of a package that it installed. */
export function problemsOfPublishing(text: string): string[] {
	const { on, permissions, jobs } = parse(text) as {
		on: unknown;
		permissions: unknown;
		jobs: Record<string, Job>;
	};
	const { test, publish } = jobs;
	const steps = stepsOf(publish);
	const places = TESTING.map((line) => stepsOf(test).indexOf(line));
	const sum = publish.steps.find(({ env }) => env?.SHA512 !== undefined)?.env?.SHA512;
	return [
		...unless(isDeepStrictEqual(on, { push: { tags: ['*.*.*'] } }), `it runs on ${JSON.stringify(on)}`),
		...unless(isDeepStrictEqual(permissions, { contents: 'read' }), 'every job may do more than read'),
		...Object.entries(jobs)
			.filter(([name, job]) => (job.permissions?.['id-token'] !== undefined) !== (name === 'publish'))
			.map(([name]) => `the identity is not with the right job: ${name}`),
		...unless(
			isDeepStrictEqual(publish.permissions, { actions: 'read', 'id-token': 'write' }),
			'the job that publishes has other rights',
		),
		...unless(test.permissions === undefined, 'the job that tests has rights of its own'),
		...unless(publish.environment === 'npm', 'nobody approves'),
		...unless(publish.needs === 'test', 'it publishes before the tests pass'),
		...unless(
			steps.length === PUBLISHING.length && PUBLISHING.every((wanted, index) => wanted.test(steps[index])),
			`the job that publishes does more, or less: ${steps.join('; ')}`,
		),
		...unless(
			places.every((place, index) => place > (places[index - 1] ?? -1)),
			`the job that tests does not do this in order: ${TESTING.join('; ')}`,
		),
		...unless(
			sum === '${{ needs.test.outputs.sha512 }}' &&
				test.outputs?.sha512 === '${{ steps.sum.outputs.sha512 }}' &&
				test.steps.find(({ id }) => id === 'sum')?.run?.trim() === TESTING.at(-1),
			'the sum that is compared is not the one of the tested tarball',
		),
		...unless(!/secrets\.|NODE_AUTH_TOKEN|npm_token/i.test(text), 'it knows a secret'),
	];
}
