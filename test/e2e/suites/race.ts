import assert from 'node:assert/strict';
import { outcome, race } from '../callbacks/race';
import { sellerCredential } from '../callbacks/receiver';
import type { Suite } from '../suite';

const TRIES = 10;
const DELAYS = [0, 5, 20, 80, 400, 3000];
/** Around the one look that 'Submit and Wait' takes before it sleeps. */
const NEAR_THE_LOOK = [1400, 1450, 1500, 1550, 1600];

/** A measurement: how often 'Submit and Wait' gets its report when the service calls back early, once, and never again. */
const suite: Suite = {
	checks(world) {
		const table = async (what: string, lookUp: Record<string, unknown>, delays: number[]) => {
			const credential = await sellerCredential(world, lookUp);
			const raced = [];
			for (const delay of delays) raced.push({ delay, searches: await race(world, credential, delay, TRIES) });
			for (const { delay, searches } of raced) {
				const { arrived } = await outcome(delay, searches);
				console.log(`    ${what}, ${delay} ms after the answer: ${arrived} of ${TRIES}`);
				if (lookUp === none && delays === DELAYS) assert.equal(arrived, TRIES);
			}
		};
		const none = {};
		const unlooked = { sellerStatusPath: '', sellerResultPath: '' };

		return {
			'with look-up': async () => table('with look-up', none, DELAYS),
			'with look-up, near the look': async () => table('with look-up', none, NEAR_THE_LOOK),
			'without look-up': async () => table('without look-up', unlooked, DELAYS),
		};
	},
};

export default suite;
