const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { join } = require('node:path');

const tickMs = 4;

/** Of n8n's own thread: what else the machine has to do is no stall of ours. */
const threadMs = () => {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
};

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

/** Watches the process: time, processor time, and for how long it worked without a turn for anything else. */
exports.begin = () => {
	globalThis.gc();
	let last = threadMs();
	let stallMs = 0;
	const tick = () => {
		const now = threadMs();
		stallMs = Math.max(stallMs, now - last);
		last = now;
	};
	const ticking = setInterval(tick, tickMs);
	const endProfile = profile();
	const cpu = process.cpuUsage();
	const started = performance.now();
	globalThis.bench = () => {
		const ms = performance.now() - started;
		const { user, system } = process.cpuUsage(cpu);
		tick();
		clearInterval(ticking);
		endProfile();
		return { ms, cpuMs: (user + system) / 1000, stallMs };
	};
};

exports.end = () => globalThis.bench();
