import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generated } from '../../scripts/document';

const root = join(__dirname, '../..');
const files = generated();

it.each(Object.entries(files))('%s is what `npm run generate` writes', (path, text) => {
	expect(existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined).toBe(text);
});

it('no preview is left of an operation that is gone', () => {
	const folder = 'nodes/BusinessVerification/__schema__';
	const present = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.json'),
	);
	expect(present.map((file) => `${folder}/${file}`).sort()).toEqual(
		Object.keys(files)
			.filter((path) => path.startsWith(folder))
			.sort(),
	);
});
