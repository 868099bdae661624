/**
 * What `npm test` runs, leg by leg. A leg with a suite drives a real n8n; every other leg runs a command.
 *   lane    the legs of the source lane run one after another; beside them one n8n, and two when they are done
 *   counts  where the number of tests is found: 'jest', 'closing line', or the leg itself is the one test
 *   env     what the leg finds in its environment besides
 *   needs   what must be on the machine: see machine.mjs
 */
const command = (name, ...line) => ({ name, lane: 'source', line, counts: 'itself', needs: [] });

const jest = (name, ...paths) => ({
	...command(name, 'npx', 'jest', '--ci', '--json', '--outputFile=.cache/jest.json', ...paths),
	counts: 'jest',
});

/** What reads dates and times must not depend on where it runs. */
const inZone = (zone) => ({
	...jest(
		`dates in ${zone}`,
		...[
			'sheet',
			'seller',
			'contract/input',
			'engine/parameters',
			'watch/inquiries',
			'watch/batches',
			'watch/statusTrigger',
		].map((path) => `test/${path}`),
	),
	env: { TZ: zone },
});

const suite = (name, host, needs = []) => ({
	name: `${name} on the ${host} n8n`,
	lane: 'n8n',
	host,
	line: ['node', '--import', 'tsx', 'test/e2e/main.ts', name, '--host', host],
	counts: 'closing line',
	needs: ['compiler', ...needs],
});

/** The newest n8n with the settings that n8n 3 makes the rule. */
const asN8n3 = (name, needs) => {
	const leg = suite(name, 'newest', needs);
	return { ...leg, name: `${name} as n8n 3`, line: [...leg.line, '--profile', 'n8n3'] };
};

export const LEGS = [
	command('lint', 'npm', 'run', '--silent', 'lint'),
	jest('unit tests', '--testPathIgnorePatterns', 'test/e2e/', 'test/contract/behaviors', 'test/contract/openPoints'),
	jest('worlds', 'test/contract/behaviors', 'test/contract/openPoints'),
	inZone('Europe/Berlin'),
	inZone('America/Los_Angeles'),
	{ ...command('review', 'npm', 'run', '--silent', 'review'), counts: 'closing line' },

	suite('smoke', 'newest'),
	suite('smoke', 'oldest'),
	suite('credentials', 'newest'),
	suite('credentials', 'oldest'),
	asN8n3('import'),
	suite('import', 'oldest'),
	suite('growing-sheet', 'newest'),
	suite('growing-sheet', 'oldest'),
	suite('kill', 'newest'),
	asN8n3('queue', ['queue']),
	suite('queue', 'oldest', ['queue']),
	suite('callback', 'newest'),
	suite('callback', 'oldest'),
	asN8n3('trigger'),
	suite('trigger', 'oldest'),
	suite('trigger-durable', 'newest'),
	suite('agent', 'newest'),
	suite('agent', 'oldest'),
	suite('browser', 'newest', ['browser']),
	suite('browser', 'oldest', ['browser']),
	suite('mapper', 'newest', ['browser']),
	suite('ten-minutes', 'newest', ['browser']),
	suite('stories', 'newest'),
	suite('stories', 'oldest'),
	suite('install', 'newest'),
	suite('install', 'oldest'),
	asN8n3('smoke'),
	{
		name: 'demo',
		lane: 'n8n',
		host: 'newest',
		line: ['node', 'scripts/start.mjs', '--check'],
		counts: 'closing line',
		needs: ['compiler'],
	},
];
