import { execFileSync } from 'node:child_process';
import { withoutProjectSettings } from '../../host/install.mjs';
import { type Finding, unless } from './finding';
import { workflowFiles } from './linters';
import { problemsOfPublishing } from './publishing';
import type { Subject } from './subject';

interface Pins {
	image: string;
	actions: Array<{ action: string; tag: string; commit: string }>;
}

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
		holds: 'GitHub publishes the tested tarball, on a tag of main, with provenance, in a job that installs nothing',
		from: ['submission', 'hindsight1491', 'mem6685', 'guidelines', 'unsiloed18', 'tracira'],
		more: '`test/package/publishing.test.ts`',
		check: ({ read }) => problemsOfPublishing(read('.github/workflows/publish.yml')),
	},
	{
		holds: 'Every action is the commit of a tag that was compared with it, every machine an image with a version',
		from: ['submission'],
		more: '`.github/pins.json`',
		check: ({ read }) => {
			const { image, actions }: Pins = JSON.parse(read('.github/pins.json'));
			const listed = actions.map(({ action, commit, tag }) => `${action}@${commit} # ${tag}`);
			const all = workflowFiles().map(read).join('\n');
			// An action may be in a folder of its repository.
			const used = [...all.matchAll(/uses: ([^/]+\/[^/@]+)[^@]*(@.*)/g)].map(([, name, pin]) => name + pin);
			const machines = [...all.matchAll(/runs-on: (.*)/g)].map(([, machine]) => machine);
			return [
				...used.filter((each) => !listed.includes(each)).map((each) => `${each} is not listed`),
				...listed.filter((each) => !used.includes(each)).map((each) => `${each} is not used`),
				...machines.filter((machine) => machine !== image).map((machine) => `a job runs on ${machine}`),
			];
		},
	},
	{
		holds: 'Published from anywhere else, npm refuses',
		from: ['mem6685'],
		check: ({ manifest }) =>
			unless(manifest.publishConfig?.provenance === true, 'publishConfig asks for no provenance'),
	},
	{
		holds: 'Tag, version, changelog, owner and npm are checked first: a good release passes, each mistake is refused',
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
		holds: 'The notes of a release are the section of its version, which has a date',
		from: ['guidelines'],
		check: notesOfReleases,
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
				(word) => !(has('docs/development/release.md') && read('docs/development/release.md').includes(word)),
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

async function notesOfReleases() {
	const { releaseNotes } = await import('../../scripts/changelog.mjs');
	const changelog =
		'# Log\n\n## 1.1.0 - Unreleased\n\n- C\n\n## 1.0.1 - 2026-11-30\n\n### Fixed\n\n- B\n\n## 1.0.0 - 2026-11-01\n\n- A\n';
	const expected = { '1.1.0': undefined, '1.0.1': '### Fixed\n\n- B', '1.0.0': '- A', '1.0': undefined };
	return Object.entries(expected).flatMap(([version, notes]) =>
		unless(releaseNotes(changelog, version) === notes, `${version}: ${releaseNotes(changelog, version)}`),
	);
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
