const asyncHooks = require('node:async_hooks');
const { mkdtempSync, rmSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

// Here, because a suite has a copy of the environment, and n8n is loaded outside of it: it would use the folder of the user.
const folder = mkdtempSync(join(tmpdir(), 'in-process-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
Object.assign(process.env, {
	N8N_USER_FOLDER: folder,
	N8N_ENCRYPTION_KEY: 'in-process-tests',
	N8N_LOG_LEVEL: 'silent',
});

/**
 * Jest evaluates every module again for every suite, n8n's engine with its 1,700 files, too: that was half of the time
 * of the fast tests. What we ask of a package is evaluated once in each worker, as in n8n. Our own files and those of
 * Jest are evaluated for every suite, so that none sees what another one remembered, but they are compiled once.
 */
module.exports = class extends Runtime {
	constructor(...given) {
		super(...given);
		const names = this.executor.injectedModuleParameters.join();
		this.executor.compile = (code, filename) =>
			compiled(`(function(${names}){`, code, filename).runInContext(this._environment.getVmContext());
	}

	requireModule(from, name, ...rest) {
		if (name === 'node:async_hooks' && from.includes('/node_modules/jest-circus/')) return hooksOfJest;
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

const scripts = new Map();

/** While Jest watches, the code of a file changes. */
function compiled(head, code, filename) {
	const known = scripts.get(filename);
	if (known?.code === code) return known.script;
	const script = new Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
	scripts.set(filename, { code, script });
	return script;
}

/** Jest makes one for each suite and never ends it: each promise would pass those of all suites before, an eighth of the time. */
const storage = new asyncHooks.AsyncLocalStorage();
const hooksOfJest = {
	...asyncHooks,
	AsyncLocalStorage: class {
		constructor() {
			return storage;
		}
	},
};
