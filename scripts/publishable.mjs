import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCandidate, releaseNotes, releaseOf } from './changelog.mjs';

/*
 * node scripts/publishable.mjs <tag>: says what stands in the way of publishing this commit under that tag, and ends with
 * 1 if anything does. The workflow that publishes asks first.
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The name that stands where the owner's belongs, until there is one. */
const NOBODY = /github\.com\/n8n-nodes-business-verification\/|\.example$/;

/** From this version on npm proves by itself to the registry which workflow runs it. */
const TRUSTED_NPM = [11, 5, 1];

export function hindrances({ manifest, changelog, tag, npm, hasSavedWorkflows, isOnMain }) {
	const { version, author, repository, homepage } = manifest;
	const found = [];
	if (tag !== version) found.push(`The tag is ${tag} and the version ${version}`);
	if (!isOnMain) found.push('This commit is not on main');
	if (releaseNotes(changelog, version) === undefined)
		found.push(`CHANGELOG.md has no entry ${isCandidate(version) ? '' : 'with a date '}for ${releaseOf(version)}`);
	for (const [field, value] of Object.entries({
		'author.email': author.email,
		'repository.url': repository.url,
		homepage,
	}))
		if (NOBODY.test(value)) found.push(`${field} in package.json names nobody: ${value}`);
	if (!hasSavedWorkflows) found.push(`test/saved/${releaseOf(version)}.json is missing: npm run generate`);
	if (isOlder(npm, TRUSTED_NPM)) found.push(`npm ${npm} is too old: ${TRUSTED_NPM.join('.')} or newer`);
	return found;
}

function isOlder(version, [major, minor, patch]) {
	const [a, b, c] = version.split('.').map(Number);
	return a !== major ? a < major : b !== minor ? b < minor : c < patch;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const read = (file) => readFileSync(join(ROOT, file), 'utf8');
	const manifest = JSON.parse(read('package.json'));
	const found = hindrances({
		manifest,
		changelog: read('CHANGELOG.md'),
		tag: process.argv[2],
		npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
		hasSavedWorkflows: existsSync(join(ROOT, 'test', 'saved', `${releaseOf(manifest.version)}.json`)),
		isOnMain: spawnSync('git', ['merge-base', '--is-ancestor', 'HEAD', 'origin/main'], { cwd: ROOT }).status === 0,
	});
	for (const hindrance of found) console.log(hindrance);
	process.exitCode = found.length === 0 ? 0 : 1;
}
