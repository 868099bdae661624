import { type Finding, unless } from './finding';

const LIFECYCLE = ['prepare', 'preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'postprepare'];
/** Twice what it was when this was written. */
const LARGEST = 1_500_000;

export const packageFindings: Finding[] = [
	{
		holds: 'The license is MIT, in the manifest and in the file that is published',
		from: ['guidelines', 'synadia2'],
		check: ({ manifest, packed }) => [
			...unless(manifest.license === 'MIT', `license is ${manifest.license}`),
			...unless(packed['LICENSE.md']?.startsWith('MIT License') ?? false, 'LICENSE.md is another one'),
		],
	},
	{
		holds: 'There are no run-time dependencies, and the only peer is n8n-workflow in any version',
		from: ['guidelines', 'imap139', 'firecrawl49'],
		more: '`test/package/contents.test.ts`',
		check: ({ manifest }) => [
			...unless(Object.keys(manifest.dependencies ?? {}).length === 0, 'there are dependencies'),
			...unless(JSON.stringify(manifest.peerDependencies) === '{"n8n-workflow":"*"}', 'other peer dependencies'),
		],
	},
	{
		holds: 'The manifest overrides no version of anything',
		from: ['elevenlabs29', 'plugin'],
		check: ({ manifest }) => unless(!('overrides' in manifest || 'resolutions' in manifest), 'there are overrides'),
	},
	{
		holds: 'Nothing runs when the package is installed',
		from: ['plugin'],
		check: ({ manifest }) => LIFECYCLE.filter((name) => name in manifest.scripts),
	},
	{
		holds: 'Name and keyword are those that n8n looks for',
		from: ['submission'],
		check: ({ manifest }) => [
			...unless(/^n8n-nodes-[a-z-]+$/.test(manifest.name), manifest.name),
			...unless(manifest.keywords.includes('n8n-community-node-package'), 'the keyword is missing'),
		],
	},
	{
		holds: 'Home page, repository and author are complete, and agree with each other',
		from: ['guidelines'],
		check: ({ manifest: { homepage, repository, author, name } }) => [
			...unless(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/.test(homepage), `homepage ${homepage}`),
			...unless(repository.url === `git+${homepage}.git`, `repository ${repository.url}`),
			...unless(homepage.endsWith(`/${name}`), 'the repository has another name'),
			...unless(Boolean(author.name && author.email), 'the author has no name or no e-mail'),
		],
	},
	{
		holds: 'Every link to the repository follows the home page in package.json',
		from: ['guidelines'],
		check: ({ manifest: { homepage, name }, sources, packed }) =>
			Object.entries({ ...sources, 'README.md': packed['README.md'] }).flatMap(([file, text]) =>
				[...text.matchAll(new RegExp(`https://github\\.com/[\\w-]+/${name}`, 'g'))]
					.filter(([link]) => link !== homepage)
					.map(([link]) => `${file}: ${link}`),
			),
	},
	{
		holds: 'The n8n block lists every node and credential, each at the place of its source and in the tarball',
		from: ['you49', 'plugin'],
		check: ({ manifest: { n8n }, sources, packed }) => {
			const listed: string[] = [...n8n.nodes, ...n8n.credentials];
			const present = Object.keys(sources).filter((file) => /\.(node|credentials)\.ts$/.test(file));
			return [
				...listed.filter((file) => !(file in packed)),
				...present.filter((file) => !listed.includes(`dist/${file.replace(/ts$/, 'js')}`)),
				...unless(listed.length === present.length, 'something is listed that has no source'),
			];
		},
	},
	{
		holds: 'The tarball holds the built files, the manifest, the license and the README, and stays small',
		from: ['scanner'],
		more: '`test/package/contents.test.ts`',
		check: ({ packed }) => {
			const files = Object.keys(packed);
			const size = Object.values(packed).reduce((total, text) => total + text.length, 0);
			return [
				...files.filter((file) => !/^(dist\/.*\.(js|json|svg)|package\.json|LICENSE\.md|README\.md)$/.test(file)),
				...unless(size < LARGEST, `it unpacks to ${size} bytes`),
			];
		},
	},
	{
		holds: "n8n's command line is a dev dependency, of a version that publishes with provenance",
		from: ['submission', 'docs4381'],
		check: ({ manifest }) => {
			const [major, minor] = String(manifest.devDependencies['@n8n/node-cli']).split('.').map(Number);
			return unless(major > 0 || minor >= 23, `@n8n/node-cli ${major}.${minor}`);
		},
	},
	{
		holds: "The manifest does not promise an untouched lint configuration ('strict')",
		from: ['template'],
		check: ({ manifest }) => unless(!('strict' in manifest.n8n), 'it promises one: see below why it cannot'),
	},
];
