import assert from 'node:assert/strict';
import { pause } from '../callbacks/calls';
import type { Suite } from '../suite';
import { NAME, Watched } from '../triggers/watched';

const minuteMs = 60_000;
const perMinute = 500;
const inFlight = 1_000;

/** A large history and a steady stream of ends, with n8n's shortest interval. `--runs` says for how many minutes, `--rows` how long the history is. */
const load: Suite = {
	checks(world) {
		const { runs: minutes = 4, rows = 100_000 } = world.size;
		const { api } = world;
		return {
			[`${rows} inquiries, ${inFlight} in flight, ${perMinute} ending a minute, for ${minutes} minutes: one interval is enough`]:
				async () => {
					const service = await world.sandbox();
					service.switches.lifecycle = 'manual';
					const { inquiries, clock, requests } = service;
					const now = clock.now();
					inquiries.seed(rows - inFlight, {
						createdFrom: now - 90 * 24 * 60 * minuteMs,
						createdTo: now - 10 * minuteMs,
					});
					const running = inquiries.seed(inFlight, {
						status: 'RUNNING',
						createdFrom: now - 10 * minuteMs,
						createdTo: now,
					});
					const watched = await Watched.start(world, {}, { item: [{ mode: 'everyMinute' }] });

					requests.clear();
					const ended: string[] = [];
					let largestState = 0;
					const started = Date.now();
					while (ended.length < minutes * perMinute) {
						const due = Math.min(minutes * perMinute, Math.floor(((Date.now() - started) * perMinute) / minuteMs));
						while (ended.length < due) {
							const id = running.shift()!;
							inquiries.finish(id);
							ended.push(id);
							const at = clock.now();
							running.push(...inquiries.seed(1, { status: 'RUNNING', createdFrom: at, createdTo: at }));
						}
						const state = (await api.staticData(watched.workflowId))[`node:${NAME}`];
						largestState = Math.max(largestState, Buffer.byteLength(JSON.stringify(state ?? '')));
						await pause(1_000);
					}
					await api.until(
						'everything to be reported',
						2 * minuteMs,
						async () => (await watched.events()).length >= ended.length,
					);

					const polls = requests.filter(
						({ query }) => String(query.status ?? '').includes('RUNNING') && query.created_at_from === undefined,
					);
					const events = await watched.events();
					const keys = new Set(events.map(({ deduplicationKey }) => deduplicationKey));
					const latencies = events
						.map(({ detectedAt, completedAt }) => Date.parse(detectedAt) - Date.parse(completedAt))
						.sort((a, b) => a - b);
					const at = (share: number) =>
						`${(latencies[Math.floor((latencies.length - 1) * share)] / 1000).toFixed(1)} s`;
					console.log(
						`    ${ended.length} ended, ${events.length} reported in ${(await watched.handed()).length} executions, ${events.length - keys.size} repeated; ` +
							`${polls.length} polls, ${requests.total} requests; noticed after ${at(0.5)} (median), ${at(1)} (longest); state ${largestState} bytes`,
					);
					assert.deepEqual(events.map(({ id }) => id).sort(), ended.sort());
					assert.ok(latencies.at(-1)! < minuteMs + 30_000, 'an end waited for longer than one interval and a poll');
					assert.ok(largestState > 0 && largestState < 64 * 1024, 'the state is too large');
					await watched.stop();
				},
		};
	},
};

export default load;
