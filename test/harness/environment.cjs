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

const OPEN = ['TCPServerWrap', 'TCPSocketWrap', 'TLSWrap', 'ProcessWrap'];
const openNow = () => process.getActiveResourcesInfo().filter((kind) => OPEN.includes(kind));

/** A socket closes a few turns after both of its ends asked for it. */
const CLOSES_WITHIN_MS = 60_000;

/**
 * What a suite leaves behind would slow down all that follow: one that loads n8n's engine keeps 28 MB in memory. A suite
 * fails that leaves a server, a socket, a process, or a pause behind: in n8n the product would leave them behind, too.
 * Whoever holds a turn of the engine has a request or a pause under way, so that a turn that is left shows here as well.
 */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.openBefore = openNow().length;
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
		const left = await this.leftBehind();
		await super.teardown();
		for (const timer of this.timers) clearTimeout(timer);
		this.timers.clear();
		for (const storage of storages) storage.disable();
		storages.clear();
		if (left.length > 0) throw new Error(`The suite leaves behind: ${left.join(', ')}`);
	}

	async leftBehind() {
		const until = Date.now() + CLOSES_WITHIN_MS;
		for (;;) {
			const pauses = [...this.timers].filter((timer) => timer.hasRef() && !timer._destroyed);
			const open = openNow();
			if (open.length <= this.openBefore && pauses.length === 0) return [];
			if (Date.now() > until) return [...open, ...pauses.map((timer) => `a pause of ${timer._idleTimeout} ms`)];
			await new Promise((turn) => setTimeout(turn, 5));
		}
	}
};
