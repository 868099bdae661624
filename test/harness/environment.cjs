const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest evaluates every module again for every suite, n8n's engine with its 1,700 files, too, so that no suite sees what
 * another one changed. Compiling them took more time than evaluating them. V8 can keep what it compiled, and only the
 * first suite of a worker compiles a file; the others still evaluate it.
 */
const compiled = new Map();
const { compileFunction } = vm;

vm.compileFunction = (code, parameters, options) => {
	const known = compiled.get(options?.filename);
	// V8 compares only the lengths of the sources.
	if (known?.code === code) return compileFunction(code, parameters, { ...options, cachedData: known.cachedData });
	const made = compileFunction(code, parameters, { ...options, produceCachedData: true });
	if (options?.filename !== undefined) compiled.set(options.filename, { code, cachedData: made.cachedData });
	return made;
};

module.exports = TestEnvironment;
