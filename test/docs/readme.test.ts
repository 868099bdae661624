import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const below = (folder: string, ending: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(ending))
		.map((file) => join(folder, file));

const pages = [
	...readdirSync(root).filter((file) => file.endsWith('.md')),
	...below('docs', '.md'),
	...below('sandbox', '.md'),
];
const readme = read('README.md');

/** As GitHub makes them from headings; a page may also set its own. */
function anchors(text: string): string[] {
	const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\w\- ]/g, '')
			.replaceAll(' ', '-'),
	);
	return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)];
}

test.each(pages)('every link and picture in %s leads somewhere', (page) => {
	const prose = read(page).replace(/```[\s\S]*?```/g, '');
	const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
	const lost = links
		.filter((link) => !/^[a-z]+:/.test(link))
		.filter((link) => {
			const [path, anchor] = link.split('#');
			const file = path === '' ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)));
			if (!existsSync(join(root, file))) return true;
			return anchor !== undefined && !anchors(read(file)).includes(anchor);
		});
	expect(lost).toEqual([]);
});

test('the README has at most 1,000 words', () => {
	expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(1_000);
});

test('the pages for users have at most 10,000 words beside the generated page of operations', () => {
	const ofUsers = pages.filter((page) => page.startsWith('docs/') && !/development|operations\.md/.test(page));
	const words = (text: string) =>
		text
			.replace(/<[^>]+>/g, '')
			.split(/\s+/)
			.filter((word) => /\w/.test(word));
	expect(ofUsers.flatMap((page) => words(read(page))).length).toBeLessThanOrEqual(10_000);
});

test('the README names both commands that a fresh clone needs, with what they need', () => {
	expect(readme).toContain('```\nnpm start\n```');
	expect(readme).toContain('`npm test`');
	for (const need of ['Node.js 20.19', 'python3', 'make', 'compiler', 'WSL', '3 GB', 'Ctrl-C'])
		expect(readme).toContain(need);
	const { scripts, engines } = JSON.parse(read('package.json'));
	expect(engines.node).toBe('>=20.19');
	expect(scripts.start).toBe('node scripts/start.mjs');
	expect(scripts.test).toBe('node scripts/test.mjs');
	expect(read('scripts/legs.mjs')).toContain("line: ['node', 'scripts/start.mjs', '--check']");
});

test('every npm script that a page names exists', () => {
	const { scripts } = JSON.parse(read('package.json'));
	for (const page of pages) {
		const named = [...read(page).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name);
		expect([page, named.filter((name) => !(name in scripts))]).toEqual([page, []]);
	}
});

/** What n8n itself says. The real n8n says them in the suites named here. */
const OF_N8N: Record<string, string> = {
	'The request was blocked because it resolves to a restricted IP address': 'test/e2e/n8n3.ts',
	'Installation of unverified community packages is forbidden': 'test/e2e/suites/install.ts',
	'Unrecognized node type': 'test/e2e/suites/install.ts',
};

test('every message under Troubleshooting is one that is shown', () => {
	const [, table] = readme.split('## Troubleshooting');
	const cells = [...table.split('\n## ')[0].matchAll(/^\| `(.+?)` \|/gm)].map(([, cell]) => cell);
	const messages = cells.flatMap((cell) => cell.split('`, `'));
	expect(messages.length).toBeGreaterThan(9);
	// A name put into a message stands in the code as ${…}.
	const code = [...below('nodes', '.ts'), ...below('credentials', '.ts')]
		.map(read)
		.join('\n')
		.replaceAll("${field}' in the credential", "Base URL' in the credential")
		.replaceAll('Seller ${what} Path', 'Seller Status Path')
		.replaceAll('with status ${statusCode}', 'with status 401');
	const unknown = messages
		.filter((message) => !(message in OF_N8N))
		.filter((message) => message.split('…').some((part) => !code.includes(part.trim())));
	expect(unknown).toEqual([]);
	for (const [message, suite] of Object.entries(OF_N8N)) expect(read(suite)).toContain(message);
});
