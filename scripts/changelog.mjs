import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * node scripts/changelog.mjs <version>: prints what CHANGELOG.md says about a version, as the notes of its release on
 * GitHub. Ends with 1 if there is no such entry, or a release's has no date.
 */

const CHANGELOG = join(dirname(fileURLToPath(import.meta.url)), '..', 'CHANGELOG.md');

/** `1.2.0-rc.1` is a candidate for the release 1.2.0: the same workflows, and its changes may still be unreleased. */
export const isCandidate = (version) => version.includes('-');
export const releaseOf = (version) => version.split('-')[0];

/** The notes of a version that has a date, and of a candidate for one, dated or not. */
export function releaseNotes(changelog, version) {
	const head = isCandidate(version) ? `${releaseOf(version)} - ` : `${version} - 2`;
	const section = changelog
		.split(/^## /m)
		.slice(1)
		.find((text) => text.startsWith(head));
	return section?.slice(section.indexOf('\n')).trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const version = process.argv[2];
	const notes = releaseNotes(readFileSync(CHANGELOG, 'utf8'), version);
	if (notes === undefined) console.error(`CHANGELOG.md has no entry for ${version} that its release could have`);
	else console.log(notes);
	process.exitCode = notes === undefined ? 1 : 0;
}
