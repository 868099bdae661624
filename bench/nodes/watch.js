const { readFileSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { join } = require('node:path');

const memory = () => {
	const status = readFileSync('/proc/self/status', 'utf8');
	const kb = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]);
	return { heap: process.memoryUsage().heapUsed, rssKb: kb('VmRSS'), highKb: kb('VmHWM') };
};

const tickMs = 4;

/** Where `BENCH_PROFILES` names a folder, each run leaves a CPU profile there; its figures are then too high. */
function profile() {
	const folder = process.env.BENCH_PROFILES;
	if (!folder) return () => {};
	const session = new Session();
	session.connect();
	for (const step of ['enable', 'start']) session.post(`Profiler.${step}`);
	return () =>
		session.post('Profiler.stop', (_, result) => {
			writeFileSync(join(folder, `${Date.now()}.cpuprofile`), JSON.stringify(result.profile));
			session.disconnect();
		});
}

/** Begins to watch the process: time, processor time, memory at its highest, and how long nothing else had a turn. */
exports.begin = () => {
	globalThis.gc();
	writeFileSync('/proc/self/clear_refs', '5');
	let last = performance.now();
	let stallMs = 0;
	const tick = () => {
		const now = performance.now();
		stallMs = Math.max(stallMs, now - last - tickMs);
		last = now;
	};
	const ticking = setInterval(tick, tickMs);
	const before = memory();
	const endProfile = profile();
	const cpu = process.cpuUsage();
	const started = performance.now();
	globalThis.bench = () => {
		const ms = performance.now() - started;
		const { user, system } = process.cpuUsage(cpu);
		tick();
		clearInterval(ticking);
		endProfile();
		const { highKb } = memory();
		globalThis.gc();
		return {
			ms,
			cpuMs: (user + system) / 1000,
			stallMs,
			heapGrowth: memory().heap - before.heap,
			highWaterGrowth: (highKb - before.rssKb) * 1024,
		};
	};
};

exports.end = () => globalThis.bench();
