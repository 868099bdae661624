import { readFileSync } from 'node:fs';

/**
 * What `npm test` can run, leg by leg.
 *   name    what a person types to run this leg alone; a suite's own name runs it on every host
 *   lane    'source' legs run a command, one after the other; 'n8n' legs drive a real n8n
 *   counts  where the number of tests is found: 'jest', 'closing line', or the leg itself is the one test
 *   env     what the leg finds in its environment besides
 *   needs   what must be on the machine: see machine.mjs
 *   process the legs of one process share it, and the n8n where their suites can
 *   byName  not part of 'all', because it tests a test or takes too long
 *   weekly  not part of 'all' either: the word 'weekly' runs these, and a workflow does each week
 */
const command = (name, ...line) => ({ name, lane: 'source', line, counts: 'itself', needs: [] });

const jest = (name, ...args) => ({
	...command(name, 'npx', 'jest', '--ci', '--maxWorkers=100%', '--json', `--outputFile=${reportOf(name)}`, ...args),
	counts: 'jest',
});

export const reportOf = (name) => `.cache/jest-${name}.json`;

/** Many seconds of computing each: the leg 'unit' leaves them out. */
const SLOW = JSON.parse(readFileSync(new URL('../test/slow.json', import.meta.url), 'utf8'));

/** All fast tests with the operation of the guide, and the guide followed without each of its steps: minutes of processor time. */
const LEFT_OUT = 'test/guide/leftOut';

/** What checkers say that other people wrote, of n8n and of regular expressions, and what needs a build or programs of its own. */
const CHECKERS = ['test/package', 'test/safety/expressions'];

/** Imports that are killed, run again or run side by side, drawn by a seed: half a minute. */
const SCRIPTS = ['test/sheet/scripts', 'test/sheet/together'];

/** They convert dates of a sheet, a parameter, or an answer: once more east of Greenwich, because 'unit' runs west of it. */
const DATES = ['sheet/sheet', 'sheet/rows', 'sheet/mapping', 'engine/parameters', 'document/answers', 'document/times'];

const SUITE_NEEDS = {
	queue: ['queue'],
	browser: ['browser'],
	'tour-editor': ['browser'],
};

/** These suites run in this order in one process. Those that end an n8n come last. */
function suites(names, host, profile) {
	const process = ['node', '--import', 'tsx', 'test/e2e/main.ts', '--host', host];
	if (profile !== undefined) process.push('--profile', profile);
	const key = [names, host, profile].join();
	return names.split(' ').map((suite) => ({
		name: `${suite}-${profile ?? host}`,
		lane: 'n8n',
		host,
		suite,
		process: { key, line: process },
		needs: ['compiler', ...(SUITE_NEEDS[suite] ?? [])],
	}));
}

export const LEGS = [
	command('lint', 'npm', 'run', '--silent', 'lint'),
	{ ...jest('unit', '--config', 'jest.fast.config.js'), env: { TZ: 'America/Los_Angeles' } },
	{
		// Services and settings of n8n, drawn by their seeds.
		...command('worlds', 'node', '--import', 'tsx', 'test/watch/run.ts', 'real', '20000'),
		counts: 'closing line',
	},
	jest('scripts', ...SCRIPTS),
	// Every life of an inquiry in each form in which rows show it.
	{ ...command('lives', 'npm', 'run', '--silent', 'lives', '--', '--part', 'together'), counts: 'closing line' },
	jest('checkers', ...CHECKERS),
	jest(
		'unit-slow',
		...SLOW.filter((path) => ![LEFT_OUT, ...SCRIPTS, ...CHECKERS].some((other) => path.startsWith(other))),
	),
	{ ...jest('guide-steps', LEFT_OUT), byName: true },
	{ ...jest('dates', ...DATES.map((path) => `test/${path}`)), env: { TZ: 'Europe/Berlin' } },

	...suites('tour tour-editor', 'newest'),

	// The longest first, so that no process is left over at the end.
	...suites('smoke trigger', 'oldest'),
	...suites('smoke credentials stories agent browser kill', 'newest'),
	// The newest n8n with the settings that n8n 3 makes the rule.
	...suites('smoke trigger', 'newest', 'n8n3'),
	...suites('queue', 'newest', 'n8n3'),
	...suites('trigger-mixed', 'newest'),
	...suites('trigger-durable', 'newest'),
	...suites('queue', 'oldest'),
	...suites('callback', 'newest'),
	...suites('callback', 'oldest'),
	...suites('partners', 'newest'),
	...suites('install', 'newest'),
	...suites('install', 'oldest'),
	{
		name: 'demo',
		lane: 'n8n',
		host: 'newest',
		line: ['node', 'scripts/start.mjs', '--check'],
		counts: 'closing line',
		needs: ['compiler'],
	},
	...suites('credentials stories agent tour-editor partners', 'oldest').map((leg) => ({ ...leg, weekly: true })),
];

/** Taken from suites that `npm test -- all` runs as a whole. */
const TOUR = ['tour-newest', 'tour-editor-newest'];

/** `npm test`, meant for seven minutes of two cores with the installation of an n8n. */
const FAST = ['lint', 'unit', 'worlds', 'scripts', 'checkers', ...TOUR];

const isPartOfAll = ({ name, byName, weekly }) => !byName && !weekly && !TOUR.includes(name);

/** What 'all' leaves out. */
export const leftOut = () => LEGS.filter((leg) => leg.byName || leg.weekly).map(({ name }) => name);

/** The legs that the words name, each as a whole. */
export function chosen(words) {
	if (words.length === 0) return LEGS.filter(({ name }) => FAST.includes(name));
	const names = (leg) => [leg.name, leg.suite, ...(isPartOfAll(leg) ? ['all'] : []), ...(leg.weekly ? ['weekly'] : [])];
	const unknown = words.filter((word) => !LEGS.some((leg) => names(leg).includes(word)));
	if (unknown.length > 0) {
		const known = [...new Set(LEGS.flatMap(names))].filter((name) => name !== undefined);
		throw new Error(`No leg is called ${unknown.join(' or ')}. There are: ${known.sort().join(', ')}`);
	}
	return LEGS.filter((leg) => names(leg).some((name) => words.includes(name)));
}
