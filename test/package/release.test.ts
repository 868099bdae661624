import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, root } from './built';
import { offMain, play, repository } from './rehearsal';

// A release and a candidate for it, played with every script of the workflows.

const version = '0.1.0';
const candidate = `${version}-rc.1`;
const name = 'n8n-nodes-business-verification';

/** What stands below the first heading of a version. */
const section = (readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').split(/^## .*$/m)[1] ?? '').trim();

beforeAll(ensureBuilt, 180_000);

const allWell = { test: 'success', rebuild: 'success', publish: 'success', release: 'success' };
const published = (tag: string, under: string) =>
	`npm publish ./${name}-${tag}.tgz --ignore-scripts --tag ${under} --provenance --access public\n` +
	`gh release create ${tag} --verify-tag --title ${tag} --notes-file notes.md --prerelease=${under === 'next'}\n`;

test.each([
	[candidate, 'Unreleased', 'next', true],
	[version, '2026-12-01', 'latest', false],
])('%s is tested, built twice, published, and released with its notes', (tag, date, under, compile) => {
	const { results, notes, outputs, releaseNotes } = play('publish.yml', {
		...{ origin: repository(tag, date), ref: tag, compile },
	});
	expect(results).toEqual(allWell);
	expect(notes).toBe(published(tag, under));
	expect(outputs.test.sha512).toMatch(/^[0-9a-f]{128}$/);
	expect(outputs.rebuild).toEqual(outputs.test);
	expect(releaseNotes?.trim()).toBe(section);
});

const skipped = { publish: 'skipped', release: 'skipped' };
const refused = { ...allWell, publish: 'failure', release: 'skipped' };
const another = 'echo >> .cache/package/*.tgz';

test.each<[string, string, object, Parameters<typeof play>[1], RegExp]>([
	['a release without a date', 'Unreleased', { ...allWell, test: 'failure', ...skipped }, {}, /no entry with a date/],
	[
		'another tarball from the second machine',
		'2026-12-01',
		refused,
		{ meanwhile: { job: 'rebuild', before: 'sha512sum', script: another } },
		/tgz: FAILED/,
	],
	[
		'a tarball that changes after the tests',
		'2026-12-01',
		refused,
		{ meanwhile: { job: 'publish', before: 'sha512sum', script: 'echo >> *.tgz' } },
		/tgz: FAILED/,
	],
])('%s is not published', (_, date, results, circumstances, reason) => {
	const played = play('publish.yml', { origin: repository(version, date), ref: version, ...circumstances });
	expect([played.results, played.notes]).toEqual([results, '']);
	expect(played.output).toMatch(reason);
});

test('a commit that is not on main is not published', () => {
	const origin = offMain(repository(version, '2026-12-01'), version);
	const { results, notes, output } = play('publish.yml', { origin, ref: version });
	expect([results, notes]).toEqual([{ ...allWell, test: 'failure', ...skipped }, '']);
	expect(output).toContain('This commit is not on main');
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
