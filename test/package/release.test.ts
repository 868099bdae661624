import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, root } from './built';
import { offMain, play, type Played, repository } from './rehearsal';

// A release and a candidate for it, played with every script of the workflows.

const [version] = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version.split('-');
const candidate = `${version}-rc.1`;
const name = 'n8n-nodes-business-verification';

/** What stands below the heading of the version. */
const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
const section = changelog
	.find((part) => part.startsWith(`${version} `))!
	.replace(/^.*/, '')
	.trim();

beforeAll(ensureBuilt, 180_000);

const allWell = { test: 'success', rebuild: 'success', publish: 'success', release: 'success' };
const published = (tag: string, under: string) =>
	`npm publish ./${name}-${tag}.tgz --ignore-scripts --tag ${under} --provenance --access public\n` +
	`gh release create ${tag} --verify-tag --title ${tag} --notes-file notes.md --prerelease=${under === 'next'}\n`;

/** Played once: what is refused goes on from its first jobs. */
let released: Played;

test.each([
	[candidate, 'Unreleased', 'next', true],
	[version, '2026-12-01', 'latest', false],
])('%s is tested, built twice, published, and released with its notes', (tag, date, under, compile) => {
	released = play('publish.yml', { origin: repository(tag, date), ref: tag, compile });
	const { results, notes, outputs, releaseNotes } = released;
	expect(results).toEqual(allWell);
	expect(notes).toBe(published(tag, under));
	expect(outputs.test.sha512).toMatch(/^[0-9a-f]{128}$/);
	expect(outputs.rebuild).toEqual(outputs.test);
	expect(releaseNotes?.trim()).toBe(section);
});

const another = 'echo >> .cache/package/*.tgz';

test.each<[string, Parameters<typeof play>[1]]>([
	[
		'another tarball from the second machine',
		{
			only: ['rebuild', 'publish', 'release'],
			meanwhile: { job: 'rebuild', before: 'sha512sum', script: another },
		},
	],
	[
		'a tarball that changes after the tests',
		{ only: ['publish', 'release'], meanwhile: { job: 'publish', before: 'sha512sum', script: 'echo >> *.tgz' } },
	],
])('%s is not published', (_, circumstances) => {
	const origin = repository(version, '2026-12-01');
	const { results, notes, output } = play('publish.yml', { origin, ref: version, after: released, ...circumstances });
	expect([results, notes]).toEqual([{ ...allWell, publish: 'failure', release: 'skipped' }, '']);
	expect(output).toMatch(/tgz: FAILED/);
});

test.each([
	['a release without a date', () => repository(version, 'Unreleased'), /no entry with a date/],
	[
		'a commit that is not on main',
		() => offMain(repository(version, '2026-12-01'), version),
		/This commit is not on main/,
	],
])('%s is not published', (_, origin, reason) => {
	const only = ['test', 'publish', 'release'];
	const { results, notes, output } = play('publish.yml', {
		...{ origin: origin(), ref: version, only, ended: { rebuild: 'success' } },
	});
	const skipped = { publish: 'skipped', release: 'skipped' };
	expect([results, notes]).toEqual([{ ...allWell, test: 'failure', ...skipped }, '']);
	expect(output).toMatch(reason);
});

test('the weekly run tests the newest release of n8n 2 and of n8n 3', () => {
	const { outputs } = play('weekly.yml', { only: ['tags'] });
	expect(outputs.tags).toEqual({ tags: '["2.45.10","3.0.0"]' });
});

const ended = { tags: 'success', image: 'success', scanner: 'success', oldest: 'success', random: 'success' };
const run = 'https://github.com/acme/nodes/actions/runs/7';

test.each<[string, object, string]>([
	['that is well opens no issue', {}, ''],
	['with a red job', { image: 'failure' }, 'gh issue create --title The weekly run finds something wrong'],
	['with a job that met its time limit', { random: 'cancelled' }, 'gh issue create --title The weekly run finds'],
])('a weekly run %s', (_, change, begin) => {
	const { notes } = play('weekly.yml', { only: ['report'], ended: { ...ended, ...change } });
	expect(notes.startsWith(begin) && notes.includes(run) === (begin !== '')).toBe(true);
});

test('a second bad week comments on the issue that is open', () => {
	const circumstances = { only: ['report'], ended: { ...ended, oldest: 'failure' }, openIssue: '12' };
	expect(play('weekly.yml', circumstances).notes).toBe(`gh issue comment 12 --body It still does: ${run}\n`);
});
