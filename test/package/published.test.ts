import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dist, filesBelow, root, run, unpackedTarball } from './built';

// What n8n's reviewers look at by hand. Their linters are in scanner.test.ts; docs/development/review.md has the sources.

let folder: string;
beforeAll(async () => {
	folder = await unpackedTarball();
}, 180_000);

const packed = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const types = (kind: 'nodes' | 'credentials'): any[] => JSON.parse(packed(`dist/types/${kind}.json`));

test('the license is MIT, and home page, repository and author agree with each other', () => {
	const { name, license, homepage, repository, author, keywords } = JSON.parse(packed('package.json'));
	expect([license, packed('LICENSE.md').slice(0, 11)]).toEqual(['MIT', 'MIT License']);
	expect(homepage).toMatch(/^https:\/\/github\.com\/[\w-]+\/n8n-nodes-[a-z-]+$/);
	expect(homepage.endsWith(`/${name}`)).toBe(true);
	expect(repository.url).toBe(`git+${homepage}.git`);
	expect(author).toEqual({ name: expect.any(String), email: expect.stringContaining('@') });
	expect(keywords).toContain('n8n-community-node-package');
});

test('the tarball contains dist, the manifest and the documents that npm always takes', () => {
	const documents = ['LICENSE.md', 'README.md', 'package.json'];
	expect(filesBelow(folder)).toEqual([...documents, ...filesBelow(dist).map((file) => `dist/${file}`)].sort());
});

test('npm would publish the tarball as it is, and only with provenance', () => {
	const { name, version, publishConfig } = JSON.parse(packed('package.json'));
	expect(publishConfig).toEqual({ access: 'public', provenance: true });
	const output = run(
		'npm',
		['publish', folder, '--dry-run', '--json', '--ignore-scripts', '--provenance=false'],
		folder,
	);
	const published = JSON.parse(output);
	const { id, files } = published[name] ?? published;
	expect([id, files.length]).toEqual([`${name}@${version}`, filesBelow(folder).length]);
});

test("the codex names its node and categories that n8n's catalog knows", () => {
	const known = ['Finance & Accounting', 'Sales', 'Productivity', 'Utility', 'Data & Storage', 'Miscellaneous'];
	const nodes = path.join(root, 'nodes/BusinessVerification');
	const codexes = readdirSync(nodes).filter((file) => file.endsWith('.node.json'));
	expect(codexes).toHaveLength(types('nodes').length);
	for (const file of codexes) {
		const { node, nodeVersion, codexVersion, categories } = JSON.parse(readFileSync(path.join(nodes, file), 'utf8'));
		expect([nodeVersion, codexVersion]).toEqual(['1.0', '1.0']);
		expect(types('nodes').map(({ name }) => `n8n-nodes-business-verification.${name}`)).toContain(node);
		expect(categories.filter((category: string) => !known.includes(category))).toEqual([]);
	}
});

test('every secret is a password field, and every address of a service is asked for', () => {
	const credentials = types('credentials');
	const fields = credentials.flatMap(({ properties }) => properties);
	const secrets = fields.filter(({ name }) => /^(apiKey|accessToken|clientSecret|.*[sS]ecret)$/.test(name));
	expect(secrets.length).toBeGreaterThan(4);
	expect(secrets.filter(({ typeOptions }) => typeOptions?.password !== true)).toEqual([]);
	const addresses = fields.filter(({ name }) => name === 'baseUrl');
	expect(addresses.map((each) => each.default)).toEqual(addresses.map(() => ''));
	const code = filesBelow(folder).filter((file) => file.endsWith('.js'));
	const address = /https?:\/\/(?!github\.com|docs\.n8n\.io|[\w.-]+\.example\.com|example\.com|\W|$)[\w.-]+/;
	expect(code.flatMap((file) => address.exec(packed(file))?.[0] ?? [])).toEqual([]);
});

test('all texts are English, and the README has the sections that n8n asks for', () => {
	const foreign = /[^\u0000-\u024f\u2010-\u2122\u2190-\u2193\u2212\u2260-\u2265\u2713\u2717]/;
	for (const file of ['README.md', 'dist/types/nodes.json', 'dist/types/credentials.json'])
		expect([file, foreign.exec(packed(file))?.[0]]).toEqual([file, undefined]);
	const sections = [...packed('README.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
	expect(sections).toEqual(
		expect.arrayContaining([
			...['Installation', 'Operations', 'Credentials', 'Compatibility', 'Usage', 'Resources', 'Version history'],
		]),
	);
});
