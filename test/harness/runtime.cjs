const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

/**
 * Jest evaluates every module again for every suite, n8n's engine with its 1,700 files, too: that was half of the time
 * of the fast tests. What we ask of a package is evaluated once in each worker, as in n8n. Our own files are evaluated
 * for every suite, so that none sees what another one remembered.
 */
module.exports = class extends Runtime {
	requireModule(from, name, ...rest) {
		return isPackage(from, name) ? createRequire(from)(name) : super.requireModule(from, name, ...rest);
	}

	requireActual(from, name) {
		return isPackage(from, name) ? createRequire(from)(name) : super.requireActual(from, name);
	}
};

/** Jest asks for the file of a suite without a name. */
function isPackage(from, name) {
	return name !== undefined && /^[a-z@]/.test(name) && !name.startsWith('node:') && !from.includes('/node_modules/');
}
