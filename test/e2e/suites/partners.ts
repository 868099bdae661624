import assert from 'node:assert/strict';
import { alertChecks } from '../partners/alerts';
import { companyChecks } from '../partners/companies';
import { Partners, Place } from '../partners/place';
import { sheetChecks } from '../partners/sheets';
import type { Suite } from '../suite';

let partners: Partners;

/** The examples that need Google, HubSpot or Slack, by n8n's own nodes, against imitations that keep what they are told. */
const suite: Suite = {
	prepare: () => (partners = new Partners()).prepared(),

	checks(world) {
		let place: Place;
		const placed = () => place;
		return {
			'credentials of every partner are saved': async () => {
				place = await Place.furnish(world, partners);
			},
			...sheetChecks(placed),
			...companyChecks(placed),
			...alertChecks(placed),

			'no other host was asked': async () => {
				assert.deepEqual(partners.internet.strangers, []);
			},
		};
	},
};

export default suite;
