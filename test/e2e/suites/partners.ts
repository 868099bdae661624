import assert from 'node:assert/strict';
import { alertChecks } from '../partners/alerts';
import { companyChecks } from '../partners/companies';
import { Partners, Place } from '../partners/place';
import { sheetChecks } from '../partners/sheets';
import type { Suite } from '../suite';

let partners: Partners;

/** The examples that need Google, HubSpot or Slack, by n8n's own nodes, against imitations that keep what they are told. */
const suite: Suite = {
	async prepare() {
		partners = await new Partners().open();
		return { env: partners.internet.env, close: () => partners.close() };
	},

	checks(world) {
		let place: Place;
		const placed = () => place;
		return {
			'every credential passes its test': async () => {
				place = await Place.furnish(world, partners);
				for (const credential of place.tested) {
					assert.deepEqual(
						[credential.type, (await world.api.testCredential(credential)).status],
						[credential.type, 'OK'],
					);
				}
			},
			...sheetChecks(placed),
			...companyChecks(placed),
			...alertChecks(placed),

			'nothing else was asked for, and everything was asked for as the partners document it': async () => {
				const { strangers, objections } = partners.internet;
				assert.deepEqual({ strangers, objections }, { strangers: [], objections: [] });
			},
		};
	},
};

export default suite;
