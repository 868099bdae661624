/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/harness/environment.cjs',
	runtime: '<rootDir>/test/harness/runtime.cjs',
	// With the sources among them `npx jest --findRelatedTests <file>` finds the suites that load a file.
	roots: ['bench', 'credentials', 'nodes', 'sandbox', 'scripts', 'test'].map((folder) => `<rootDir>/${folder}`),
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: ['/test/e2e/'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	// A loaded machine is slow, not wrong.
	testTimeout: 120_000,
};
