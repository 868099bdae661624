import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const { homepage, name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const LINK = new RegExp(`https://github\\.com/[\\w-]+/${name}\\b`, 'g');

/** The team that CODEOWNERS asks; somebody without one names a person there, which stays. */
const TEAM = /@[\w-]+\/maintainers\b/g;

/** Links to the repository lead to the home page of package.json: the one place where its owner is named. */
export const linked = (text: string): string =>
	text.replace(LINK, homepage).replace(TEAM, `@${new URL(homepage).pathname.split('/')[1]}/maintainers`);

const below = (folder: string, ending: RegExp) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => ending.test(file))
		.map((file) => `${folder}/${file.replaceAll('\\', '/')}`);

/** The files that cannot read package.json when they are used; the guide shows a credential, which links to its page. */
export function linkedFiles(): Record<string, string> {
	const files = [
		...below('nodes', /\.node\.json$/),
		...below('credentials', /\.credentials\.ts$/),
		...below('.github', /\.yml$/),
		'.github/CODEOWNERS',
		...['CONTRIBUTING.md', 'SECURITY.md', 'docs/development/scaling.md'],
	];
	return Object.fromEntries(files.map((file) => [file, linked(readFileSync(join(root, file), 'utf8'))]));
}
