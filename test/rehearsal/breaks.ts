import { rewrite } from './repository';

/** A workflow that is broken on purpose: where the rehearsal has to stop, and what it has to say there. */
export interface Break {
	job: string;
	/** What is replaced in the workflow file. */
	from: string | RegExp;
	to: string;
	/** The beginning of the step that fails; none if the file cannot even be read. */
	stopsAt: string;
	says: RegExp;
}

const SETUP_NODE = / *- uses: actions\/setup-node.*\n.*\n.*\n/;
const REDIS = / *- run: sudo apt-get update.*\n/;

export const BREAKS: Record<string, Break> = {
	'old-node': {
		job: 'publish.yml publish',
		from: 'node-version: 24',
		to: 'node-version: 20',
		stopsAt: 'node scripts/publishable.mjs',
		says: /npm 10\.\S+ is too old/,
	},
	'no-node': {
		job: 'publish.yml publish',
		from: SETUP_NODE,
		to: '',
		stopsAt: 'node scripts/publishable.mjs',
		says: /node: command not found/,
	},
	'no-redis': {
		job: 'publish.yml publish',
		from: REDIS,
		to: '',
		stopsAt: 'bash .ci/run',
		says: /This machine has no queue/,
	},
	'misspelled-package': {
		job: 'ci.yml everything',
		from: 'redis-server',
		to: 'redis-sever',
		stopsAt: 'sudo apt-get update',
		says: /Unable to locate package redis-sever/,
	},
	'misspelled-command': {
		job: 'publish.yml publish',
		from: 'npm publish',
		to: 'npm publsh',
		stopsAt: 'npm publsh',
		says: /Unknown command: "publsh"/,
	},
	'other-tarball': {
		job: 'publish.yml publish',
		from: 'npm publish .cache/package/*.tgz',
		to: 'echo >> README.md; npm publish',
		stopsAt: 'The registry holds the tarball that was tested',
		says: /another tarball/,
	},
	'no-identity': {
		job: 'publish.yml publish',
		from: /\n *id-token: write/,
		to: '',
		stopsAt: 'npm publish',
		says: /Provenance needs "id-token: write"/,
	},
	'moved-action': {
		job: 'publish.yml publish',
		from: /checkout@\w+ # v[\d.]+/,
		to: 'checkout@v7',
		stopsAt: 'actions/checkout',
		says: /actions\/checkout@v7 is not in/,
	},
	'unknown-expression': {
		job: 'publish.yml publish',
		from: '"$GITHUB_REF_NAME"',
		to: '"${{ github.tag }}"',
		stopsAt: 'reading',
		says: /unknown expression github\.tag/,
	},
	'no-notes': {
		job: 'publish.yml release',
		from: 'scripts/changelog.mjs "$GITHUB_REF_NAME"',
		to: 'scripts/changelog.mjs "v$GITHUB_REF_NAME"',
		stopsAt: 'node scripts/changelog.mjs',
		says: /has no entry with a date/,
	},
};

export function breakIt({ job, from, to }: Break, folder: string) {
	let changed = false;
	rewrite(folder, `.github/workflows/${job.split(' ')[0]}`, (text) => {
		const broken = text.replace(from, () => to);
		changed = broken !== text;
		return broken;
	});
	if (!changed) throw new Error(`Nothing of ${job} is like ${from}`);
}
