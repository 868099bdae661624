const asyncHooks = require('node:async_hooks');
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
	// A copy: the original belongs to the suite and would keep all of its objects in memory.
	if (options?.filename !== undefined)
		compiled.set(options.filename, { code, cachedData: Buffer.from(made.cachedData) });
	return made;
};

/** Node calls each of them for every promise until it is disabled, and n8n's engine makes one in every suite. */
const storages = new Set();
const { AsyncLocalStorage } = asyncHooks;
asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
	constructor(...given) {
		super(...given);
		storages.add(this);
	}
};

/** What a suite leaves behind would slow down all that follow: one that loads n8n's engine keeps 28 MB in memory. */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.timers = new Set();
		for (const name of ['setTimeout', 'setInterval']) {
			const start = this.global[name];
			const started = (...given) => {
				const timer = start(...given);
				this.timers.add(timer);
				return timer;
			};
			this.global[name] = Object.assign(started, start);
		}
	}

	async teardown() {
		await super.teardown();
		for (const timer of this.timers) clearTimeout(timer);
		this.timers.clear();
		for (const storage of storages) storage.disable();
		storages.clear();
	}
};
