import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.join(__dirname, '../..');

/** A script of ours that is an ES module, which Jest does not load: the suites of a process share it. */
export function esModule(file: string): Promise<any> {
	const { load } = globalThis as unknown as { load(file: string): Promise<any> };
	return load(pathToFileURL(path.join(root, file)).href);
}
