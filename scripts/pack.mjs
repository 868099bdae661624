import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { step } from '../host/step.mjs';

/** Builds the package and packs it as it would be published. Returns the tarball. */
export async function packProject(root) {
	const folder = join(root, '.cache', 'package');
	await step('building', 'npm', ['run', '--silent', 'build'], { cwd: root });
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await step('packing', 'npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
	const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
	return join(folder, tarball);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	console.log(await packProject(join(dirname(process.argv[1]), '..')));
