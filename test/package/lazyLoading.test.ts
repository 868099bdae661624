import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LazyPackageDirectoryLoader, PackageDirectoryLoader } from 'n8n-core';
import { ensureBuilt, root } from './built';

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
/** As n8n sends it to the editor. The list of methods is for n8n's own build only: its generator leaves it out. */
const asSent = (value: unknown) =>
	JSON.parse(JSON.stringify(value, (key, each) => (key === '__loadOptionsMethods' ? undefined : each)));

beforeAll(ensureBuilt, 180_000);

test('n8n learns the same from the metadata as from the code', async () => {
	const lazy = new LazyPackageDirectoryLoader(root);
	await lazy.loadAll();
	const eager = new PackageDirectoryLoader(root);
	await eager.loadAll();

	expect(lazy.isLazyLoaded).toBe(true);
	expect(Object.keys(lazy.nodeTypes)).toEqual([]);
	expect(lazy.known).toEqual(asSent(eager.known));
	expect(lazy.types.nodes).toEqual(asSent(eager.types.nodes));
	expect(lazy.types.credentials).toEqual(asSent(eager.types.credentials));
	expect(lazy.types.nodes).toHaveLength(manifest.n8n.nodes.length);
	expect(lazy.types.credentials).toHaveLength(manifest.n8n.credentials.length);
});

test('each node and each credential loads by its name when it is needed', async () => {
	const lazy = new LazyPackageDirectoryLoader(root);
	await lazy.loadAll();
	for (const name of Object.keys(lazy.known.nodes)) {
		const { type, sourcePath } = lazy.getNode(name);
		expect(type).toHaveProperty('description.name', name);
		expect(manifest.n8n.nodes).toContain(sourcePath);
	}
	for (const name of Object.keys(lazy.known.credentials)) {
		const { type } = lazy.getCredential(name);
		// Of an OAuth2 credential n8n takes the login only; its token is sent by the other kind.
		expect(type).toMatchObject({ name, ...(!type.extends && { authenticate: expect.any(Function) }) });
		expect(lazy.known.credentials[name].supportedNodes).toContain('businessVerification');
	}
});
