import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './built';

// npm writes a lock without the builds that its registry does not have for other platforms, and says nothing. There
// 'npm ci' then refuses, and 'npm install' brings no compiler at all, so that no test can start.
// '@swc/core' and 'unrs-resolver', which jest brings, are therefore pinned to releases with all their builds.

type Locked = Record<string, { optionalDependencies?: Record<string, string> }>;

/** As Node resolves a package: in its own folder first, then in every folder above. */
function isLocked(packages: Locked, from: string, name: string): boolean {
	const folders = from
		.split('/node_modules/')
		.map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
	return ['', ...folders].some((folder) => `${folder && `${folder}/`}node_modules/${name}` in packages);
}

function missing(packages: Locked): string[] {
	return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies)
			.filter((name) => !isLocked(packages, path, name))
			.map((name) => `${path}: ${name}`),
	);
}

test('a build that is missing is found, and one that is locked above or below the package is not', () => {
	const optional = (...names: string[]) => ({
		optionalDependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
	});
	const packages: Locked = {
		'': {},
		'node_modules/compiler': optional('compiler-linux', 'compiler-darwin', 'compiler-win32'),
		'node_modules/compiler-linux': {},
		'node_modules/compiler/node_modules/compiler-darwin': {},
		'node_modules/a/node_modules/@b/c': optional('@b/c-linux', '@b/c-darwin'),
		'node_modules/a/node_modules/@b/c-linux': {},
		'node_modules/other/node_modules/@b/c-darwin': {},
	};
	expect(missing(packages)).toEqual([
		'node_modules/compiler: compiler-win32',
		'node_modules/a/node_modules/@b/c: @b/c-darwin',
	]);
});

test.each([
	['package-lock.json', 60],
	['host/registry/package-lock.json', 0],
	['host/tool/package-lock.json', 0],
])('%s has every optional package, for every platform', (file, atLeast) => {
	const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { packages: Locked };
	const optional = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
		Object.keys(optionalDependencies),
	);
	expect(optional.length).toBeGreaterThanOrEqual(atLeast);
	expect(missing(packages)).toEqual([]);
});
