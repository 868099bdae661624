const { TestEnvironment } = require('jest-environment-node');

const OPEN = ['TCPServerWrap', 'TCPSocketWrap', 'TLSWrap', 'ProcessWrap'];
const openNow = () => process.getActiveResourcesInfo().filter((kind) => OPEN.includes(kind));

/** A socket closes a few turns after both of its ends asked for it. */
const CLOSES_WITHIN_MS = 60_000;

/**
 * A suite fails that leaves a server, a socket, a process, or a pause behind: in n8n the product would leave them behind,
 * too. Whoever holds a turn of the engine has a request or a pause under way, so that a turn that is left shows here as well.
 * Packages (`runtime.cjs`) start their timers outside of the suite.
 */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.openBefore = openNow().length;
		this.timers = new Set();
		this.global.outside = globalThis;
		this.global.load = (file) => import(file);
		this.watchTimers(this.global);
		this.stopWatching = this.watchTimers(globalThis);
	}

	watchTimers(realm) {
		const { setTimeout, setInterval } = realm;
		const watched = (start) => {
			const started = (...given) => {
				const timer = start(...given);
				this.timers.add(timer);
				return timer;
			};
			return Object.assign(started, start);
		};
		Object.assign(realm, { setTimeout: watched(setTimeout), setInterval: watched(setInterval) });
		return () => Object.assign(realm, { setTimeout, setInterval });
	}

	async teardown() {
		const left = await this.leftBehind();
		await super.teardown();
		this.stopWatching();
		for (const timer of this.timers) clearTimeout(timer);
		this.timers.clear();
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
