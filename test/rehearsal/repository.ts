import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..');
const OWNER = 'rehearsal';

/** The working tree as the commit of a release: with an owner, a date in the changelog, and the tag. */
export interface Repository {
	/** Its checked-out files, where a break can change one before it is committed. */
	folder: string;
	name: string;
	version: string;
	commit: string;
	/** A folder with one file, `all`, that git can clone. */
	bundle: string;
}

export function releasedRepository(folder: string, change: (folder: string) => void): Repository {
	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
	mkdirSync(folder, { recursive: true });
	git('init', '--quiet', '--initial-branch', 'main');
	// A folder that is linked from elsewhere is not covered by the pattern for folders.
	appendFileSync(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
	git('--work-tree', ROOT, 'add', '--all');
	git('checkout-index', '--all');

	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const homepage = `https://github.com/${OWNER}/${manifest.name}`;
	rewrite(folder, 'package.json', () =>
		JSON.stringify(
			{
				...manifest,
				author: { ...manifest.author, email: `${OWNER}@localhost` },
				homepage,
				repository: { type: 'git', url: `git+${homepage}.git` },
			},
			null,
			2,
		),
	);
	rewrite(folder, 'CHANGELOG.md', (text) => text.replace('- Unreleased', `- ${new Date().toISOString().slice(0, 10)}`));
	change(folder);

	git('add', '--all');
	const settings = {
		'user.name': OWNER,
		'user.email': `${OWNER}@localhost`,
		'commit.gpgsign': 'false',
		'tag.gpgsign': 'false',
	};
	for (const [name, value] of Object.entries(settings)) git('config', name, value);
	git('commit', '--quiet', '--message', 'Release');
	git('tag', manifest.version);
	const bundle = `${folder}.bundle`;
	mkdirSync(bundle);
	git('bundle', 'create', '--quiet', join(bundle, 'all'), 'main', manifest.version);
	return {
		folder,
		name: `${OWNER}/${manifest.name}`,
		version: manifest.version,
		commit: git('rev-parse', 'HEAD').trim(),
		bundle,
	};
}

export function rewrite(folder: string, file: string, change: (text: string) => string) {
	const path = join(folder, file);
	const before = readFileSync(path, 'utf8');
	const after = change(before);
	if (after !== before) writeFileSync(path, after);
}
