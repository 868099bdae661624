import { execFileSync } from 'node:child_process';
import { withoutProjectSettings } from '../../host/install.mjs';
import { type Finding, unless } from './finding';
import type { Subject } from './subject';

const workflow = (subject: Subject) => subject.read('.github/workflows/publish.yml');

/** The sections of n8n's README template, and what its guidelines ask for beside them. */
const SECTIONS = [
	'Installation',
	'Operations',
	'Credentials',
	'Compatibility',
	'Usage',
	'Resources',
	'Version history',
];

export const releaseFindings: Finding[] = [
	{
		holds: 'GitHub publishes, on a tag, with provenance, and with no more rights than that needs',
		from: ['submission', 'hindsight1491', 'mem6685'],
		check: (subject) => [
			...unless(/tags: \['\*\.\*\.\*'\]/.test(workflow(subject)), 'it does not run on tags'),
			...unless(/permissions:\n\s+contents: read\n\s+id-token: write\n/.test(workflow(subject)), 'other permissions'),
			...unless(/npm publish --provenance --access public/.test(workflow(subject)), 'no provenance'),
			...unless(!/secrets\.|NODE_AUTH_TOKEN|npm_token/i.test(workflow(subject)), 'it knows a secret'),
		],
	},
	{
		holds: 'Published from anywhere else, npm refuses',
		from: ['mem6685'],
		check: ({ manifest }) =>
			unless(manifest.publishConfig?.provenance === true, 'publishConfig asks for no provenance'),
	},
	{
		holds: 'Before it publishes, the workflow looks at tag, version, changelog, owner and npm, and runs every test',
		from: ['guidelines', 'unsiloed18', 'tracira'],
		check: (subject) => {
			const steps = [...workflow(subject).matchAll(/- run: (.*)/g)].map(([, line]) => line);
			const wanted = ['node scripts/publishable.mjs "$GITHUB_REF_NAME"', 'bash .ci/run', 'npm publish'];
			const places = wanted.map((line) => steps.findIndex((step) => step.startsWith(line)));
			return unless(!places.includes(-1) && places.join() === [...places].sort().join(), steps.join('; '));
		},
	},
	{
		holds: 'That look passes a good release and refuses each thing that can be wrong',
		from: ['guidelines'],
		check: lookAtReleases,
	},
	{
		holds: 'The changelog begins with the version of the manifest',
		from: ['template'],
		check: ({ manifest, read }) => {
			const [, first] = /^## (\S+)/m.exec(read('CHANGELOG.md')) ?? [];
			return unless(first === manifest.version, `the changelog begins with ${first}`);
		},
	},
	{
		holds: 'npm would publish the tarball as it is',
		from: ['submission'],
		check: dryRun,
	},
	{
		holds: 'The README has the sections that n8n asks for, an example, and says where API documentation comes from',
		from: ['guidelines', 'template'],
		check: ({ packed, has }) => [
			...SECTIONS.filter((section) => !new RegExp(`^## ${section}$`, 'm').test(packed['README.md'])),
			...unless(/API documentation/.test(packed['README.md']), 'it does not say where API documentation comes from'),
			...unless(/\]\(examples\)/.test(packed['README.md']) && has('examples'), 'no examples'),
		],
	},
	{
		holds: 'What only the owner can do is written down, with the film that n8n asks for last',
		from: ['openwa675'],
		check: ({ read, has }) =>
			['Trusted Publisher', 'Creator Portal', 'video', 'scan-community-package'].filter(
				(word) => !(has('docs/release.md') && read('docs/release.md').includes(word)),
			),
	},
];

const good = {
	version: '1.2.3',
	author: { name: 'Acme', email: 'nodes@acme.com' },
	repository: { url: 'git+https://github.com/acme/n8n-nodes-business-verification.git' },
	homepage: 'https://github.com/acme/n8n-nodes-business-verification',
};

async function lookAtReleases({ manifest }: Subject): Promise<string[]> {
	const { hindrances } = await import('../../scripts/publishable.mjs');
	const release = {
		manifest: good,
		changelog: '## 1.2.3 - 2026-12-01\n',
		tag: '1.2.3',
		npm: '11.6.0',
		hasSavedWorkflows: true,
	};
	const refused: Array<[object, RegExp]> = [
		[{ tag: 'v1.2.3' }, /^The tag is v1\.2\.3 and the version 1\.2\.3$/],
		[{ changelog: '## 1.2.3 - Unreleased\n' }, /^CHANGELOG\.md has no entry with a date for 1\.2\.3$/],
		[{ manifest: { ...good, author: { name: 'x', email: 'x@y.example' } } }, /^author\.email .* names nobody/],
		[{ manifest: { ...good, homepage: manifest.homepage } }, /^homepage .* names nobody|^$/],
		[{ npm: '11.5.0' }, /^npm 11\.5\.0 is too old/],
		[{ hasSavedWorkflows: false }, /^test\/saved\/1\.2\.3\.json is missing/],
	];
	return [
		...hindrances(release).map((each) => `a good release is refused: ${each}`),
		...refused.flatMap(([change, expected]) => {
			const found = hindrances({ ...release, ...change });
			return unless(expected.test(found.join()), `${JSON.stringify(change)} is answered with: ${found.join()}`);
		}),
	];
}

function dryRun(subject: Subject): string[] {
	const args = ['publish', subject.package, '--dry-run', '--json', '--ignore-scripts', '--provenance=false'];
	const output = execFileSync('npm', args, {
		cwd: subject.package,
		env: withoutProjectSettings(),
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const { id, files } = Object.values<any>({ ...JSON.parse(output) }).find((each) => each?.files) ?? JSON.parse(output);
	return [
		...unless(id === `${subject.manifest.name}@${subject.manifest.version}`, `npm would publish ${id}`),
		...unless(files.length === Object.keys(subject.packed).length, `npm would publish ${files.length} files`),
	];
}
