import { containing, type Finding, only, unless } from './finding';
import { everyProperty, type NodeType, type Subject } from './subject';

/** What n8n's catalog knows; a node of another category is not found in it. */
const CATEGORIES = [
	'Data & Storage',
	'Finance & Accounting',
	'Marketing & Content',
	'Productivity',
	'Miscellaneous',
	'Sales',
	'Development',
	'Analytics',
	'Communication',
	'Utility',
];

/** A method that only answers yes or no, with the comment before it or in it. */
const METHOD_OF_ONE_LINE =
	/(\/\/[^\n]*\n\s*)?async (\w+)\([^)]*\)[^{]*\{\s*(\/\/[^\n]*\n\s*)?return (?:true|false);\s*\}/g;

const isTrigger = ({ group }: NodeType) => group.includes('trigger');
const codexOf = (subject: Subject) =>
	Object.entries(only(subject.sources, '.node.json')).map(([file, text]) => [file, JSON.parse(text)] as const);
const nodeFiles = (subject: Subject) => only(subject.sources, '.node.ts');
const typescript = (subject: Subject) => only(subject.sources, '.ts');

export const nodeFindings: Finding[] = [
	{
		holds: 'One node for actions, and triggers beside it',
		from: ['guidelines'],
		check: ({ nodes }) => unless(nodes.filter((node) => !isTrigger(node)).length === 1, 'not one action node'),
	},
	{
		holds: 'The action node is usable as a tool, no trigger is',
		from: ['agentcore55', 'plugin'],
		check: ({ nodes }) =>
			nodes.filter((node) => Boolean(node.usableAsTool) === isTrigger(node)).map(({ name }) => name),
	},
	{
		holds: 'Every node has a subtitle',
		from: ['plugin'],
		check: ({ nodes }) => nodes.filter(({ subtitle }) => !subtitle).map(({ name }) => name),
	},
	{
		holds: "Connections are named by n8n's own constant",
		from: ['agentcore55', 'plugin'],
		check: (subject) => containing(nodeFiles(subject), /(in|out)puts: \[\s*['"].*/),
	},
	{
		holds: 'The codex stands in a file beside each node, and nowhere else',
		from: ['agentcore29'],
		check: (subject) => [
			...Object.keys(nodeFiles(subject)).filter((file) => !(file.replace(/ts$/, 'json') in subject.sources)),
			...containing(nodeFiles(subject), /\bcodex:/),
		],
	},
	{
		holds: "The codex names categories that n8n's catalog knows",
		from: ['agentcore28', 'codex'],
		check: (subject) =>
			codexOf(subject).flatMap(([file, { categories = [] }]) => [
				...unless(categories.length > 0, `${file}: none`),
				...categories.filter((category: string) => !CATEGORIES.includes(category)),
			]),
	},
	{
		holds:
			'The codex names its node with the package before it, has the versions of its schema, and links to documentation',
		from: ['codex', 'agentcore61'],
		check: (subject) =>
			codexOf(subject).flatMap(([file, { node, nodeVersion, codexVersion, resources }]) => [
				...unless(nodeVersion === '1.0' && codexVersion === '1.0', `${file}: other versions`),
				...unless(
					subject.nodes.some(({ name }) => node === `${subject.manifest.name}.${name}`),
					`${file}: ${node}`,
				),
				...unless(/^https:/.test(resources?.primaryDocumentation?.[0]?.url), `${file}: no documentation`),
			]),
	},
	{
		holds: 'Every node and every credential has an icon for light and one for dark, and both are packed',
		from: ['agentcore49', 'firecrawl49'],
		check: ({ nodes, credentials, packed, manifest }) =>
			[...nodes, ...credentials].flatMap(({ name, iconUrl = {} }) => {
				const [light, dark] = [iconUrl.light, iconUrl.dark].map(
					(url) => packed[`${url}`.replace(`icons/${manifest.name}/`, '')],
				);
				return unless(Boolean(light && dark) && light !== dark, name);
			}),
	},
	{
		holds: 'No timers, no environment, no files, no processes, no console',
		from: ['agentcore30', 'guidelines'],
		check: (subject) =>
			containing(
				only(subject.packed, '.js'),
				/\b(set(Timeout|Interval|Immediate)\(|process\.(env|exit|cwd|argv|platform|nextTick)|globalThis|console\.)|require\("(node:)?(fs|path|os|child_process|http|https)"\)/,
			),
	},
	{
		holds: 'Nothing is bundled: the published code is what the compiler makes of the sources',
		from: ['you46'],
		check: (subject) =>
			Object.keys(only(subject.packed, '.js')).filter(
				(file) => !(file.replace(/^dist\//, '').replace(/js$/, 'ts') in subject.sources),
			),
	},
	{
		holds: 'Nodes and operations end with errors that n8n knows',
		from: ['firecrawl49', 'resend60', 'agentcore55'],
		more: '`test/engine/errors.test.ts`',
		check: (subject) =>
			containing(
				Object.fromEntries(
					Object.entries(typescript(subject)).filter(([file]) =>
						/\.node\.ts$|\/(operations|engine|triggers)\//.test(file),
					),
				),
				/throw new Error\(.*/,
			),
	},
	{
		holds: 'No error of a webhook method is swallowed',
		from: ['resend122', 'plugin'],
		check: (subject) => containing(webhookMethods(subject), /catch.*/),
	},
	{
		holds: 'A webhook method that has nothing to do says why',
		from: ['lifecycle'],
		check: (subject) =>
			Object.entries(webhookMethods(subject)).flatMap(([file, text]) =>
				[...text.matchAll(METHOD_OF_ONE_LINE)]
					.filter(([, before, , inside]) => before === undefined && inside === undefined)
					.map(([, , name]) => `${file}: ${name}`),
			),
	},
	{
		holds: 'Lists begin with a limit of 50',
		from: ['firecrawl49', 'ux'],
		check: ({ nodes }) =>
			nodes.flatMap(({ name, properties }) =>
				everyProperty(properties)
					.filter((each) => each.name === 'limit' && each.default !== 50)
					.map(() => name),
			),
	},
	{
		holds:
			'What people read follows the wording rules, in the forms as n8n shows them, but for the order of those listed below',
		from: ['firecrawl49', 'ux'],
		more: '`test/package/description.test.ts`',
		check: ({ has }) => unless(has('test/package/description.test.ts'), 'the test is gone'),
	},
	{
		holds: 'English only, in the editor and in the README',
		from: ['guidelines'],
		check: ({ packed }) =>
			containing(
				Object.fromEntries(
					['README.md', 'dist/types/nodes.json', 'dist/types/credentials.json'].map((file) => [file, packed[file]]),
				),
				/[^\u0000-\u024f\u2010-\u2122\u2190-\u2193\u2212\u2260-\u2265\u2713\u2717]/,
			),
	},
	{
		holds: 'The address of the service is never in the code: each credential asks for it',
		from: ['guidelines'],
		check: (subject) => [
			...containing(
				typescript(subject),
				/https?:\/\/(?!github\.com|docs\.n8n\.io|[\w.-]+\.example\.com|example\.com|\W|$)[\w.-]+/,
			),
			...subject.credentials.flatMap(({ name, properties, extends: parents = [] }) => {
				// n8n adds the fields of parents.
				const inherited = subject.credentials.filter((other) => parents.includes(other.name));
				const fields = [...inherited.flatMap((parent) => parent.properties), ...properties];
				return unless(
					fields.some((each) => each.name === 'baseUrl' && each.default === ''),
					name,
				);
			}),
		],
	},
	{
		holds: 'Nodes use the credentials of this package only',
		from: ['plugin'],
		check: ({ nodes, credentials }) =>
			nodes.flatMap((node) =>
				(node.credentials ?? [])
					.map(({ name }) => name)
					.filter((name) => !credentials.some((each) => each.name === name)),
			),
	},
	{
		holds: 'Every credential can be tested; one of OAuth2 is, when its owner logs in',
		from: ['agentcore49', 'openwa675'],
		more: '`npm run e2e -- smoke`',
		check: ({ credentials }) =>
			credentials
				.filter((each) => each.test === undefined && !each.extends?.includes('oAuth2Api'))
				.map(({ name }) => name),
	},
	{
		holds: 'Every secret is a password field',
		from: ['plugin', 'ux'],
		check: ({ credentials }) =>
			credentials.flatMap(({ name, properties }) =>
				properties
					.filter((each) => /^(apiKey|accessToken|clientSecret|.*[sS]ecret)$/.test(each.name))
					.filter(({ typeOptions }) => typeOptions?.password !== true)
					.map((each) => `${name}.${each.name}`),
			),
	},
	{
		holds: 'A service with an identity provider can be used by OAuth2',
		from: ['guidelines', 'ux'],
		more: '`npm run e2e -- credentials`',
		check: ({ credentials }) =>
			unless(
				credentials.some((each) => each.extends?.includes('oAuth2Api') ?? false),
				'no credential of OAuth2',
			),
	},
];

/** The part of each node file that registers webhooks. */
function webhookMethods(subject: Subject): Record<string, string> {
	return Object.fromEntries(
		Object.entries(nodeFiles(subject)).flatMap(([file, text]) => {
			const at = text.indexOf('webhookMethods');
			return at < 0 ? [] : [[file, text.slice(at)]];
		}),
	);
}
