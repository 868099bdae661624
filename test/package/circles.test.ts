import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { preProcessFile } from 'typescript';
import { root } from './built';

// No file needs itself, by whatever way round: what stands in a circle can be neither read nor changed alone.

const rooms = ['nodes', 'credentials', 'sandbox', 'scripts', 'host', 'test', 'bench'];

const files = rooms.flatMap(filesIn);

function filesIn(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return /^(node_modules|\.cache)$/.test(entry.name) ? [] : filesIn(path);
		return /\.m?ts$|\.mjs$/.test(path) && !path.includes('.d.') ? [path] : [];
	});
}

const endings = ['', '.ts', '/index.ts'];

function importsOf(file: string): string[] {
	const { importedFiles } = preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
	const named = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
	return named.map((name) => found(join(root, dirname(file), name))).filter((path) => path !== undefined);
}

function found(path: string): string | undefined {
	const whole = endings.map((ending) => path + ending).find((candidate) => files.includes(relative(root, candidate)));
	return whole && relative(root, whole);
}

/** Of every knot at least one circle, as the way that leads back to where it began. */
function circles(imports: Record<string, string[]>): string[] {
	const done = new Set<string>();
	const seen: string[] = [];
	function walk(file: string, way: string[]): void {
		if (way.includes(file)) seen.push([...way.slice(way.indexOf(file)), file].join(' -> '));
		else if (!done.has(file)) for (const next of imports[file]) walk(next, [...way, file]);
		done.add(file);
	}
	for (const file of Object.keys(imports)) walk(file, []);
	return seen;
}

test('no file imports itself, directly or through others', () => {
	const imports = Object.fromEntries(files.map((file) => [file, importsOf(file)]));
	expect(Object.values(imports).flat().length).toBeGreaterThan(files.length);
	expect(circles(imports)).toEqual([]);
});

test('product and mock service import nothing of scripts and tests', () => {
	const rooms = (file: string) => new Set(importsOf(file).map((path) => path.split('/')[0]));
	const upwards = files
		.filter((file) => /^(host|sandbox)\//.test(file))
		.filter((file) => [...rooms(file)].some((room) => room !== file.split('/')[0]));
	expect(upwards).toEqual([]);
});
