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
