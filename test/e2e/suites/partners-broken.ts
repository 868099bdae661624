import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { alertChecks } from '../partners/alerts';
import { approvalChecks } from '../partners/approvals';
import { type Break, BREAKS } from '../partners/breaks';
import { companyChecks } from '../partners/companies';
import { Partners, Place } from '../partners/place';
import { sheetChecks } from '../partners/sheets';
import type { Checks, Suite } from '../suite';

let partners: Partners;

/** Whose checks run what a file holds. Of those of HubSpot, one example begins where the other one ends. */
const checksOf = (file: string, place: Place): Checks => {
	const placed = () => place;
	if (file.startsWith('sheet')) return sheetChecks(placed);
	if (file.startsWith('completion')) return alertChecks(placed);
	if (file.startsWith('human')) return approvalChecks(placed);
	const companies = Object.entries(companyChecks(placed));
	const isOfSchedule = (name: string) => name.startsWith('HubSpot without a developer account');
	return Object.fromEntries(companies.filter(([name]) => isOfSchedule(name) === file.endsWith('schedule.json')));
};

const seenBy = (error: unknown) =>
	error instanceof assert.AssertionError
		? `${error.message} ${inspect([error.actual, error.expected], { depth: 9, maxArrayLength: null })}`
		: String(error);

/** The examples of the suite `partners`, each without one of the things it needs: a check of that suite has to notice. */
const suite: Suite = {
	async prepare() {
		partners = await new Partners().open();
		return { env: partners.internet.env, close: () => partners.close() };
	},

	checks(world) {
		let whole: Place | undefined;
		const noticed = async ({ file, spoil, check, seen }: Break) => {
			whole ??= await Place.furnish(world, partners);
			let broken = 0;
			const place = whole.broken(file, (workflow) => {
				spoil(workflow);
				broken++;
			});
			try {
				for (const [name, run] of Object.entries(checksOf(file, place))) {
					const error: unknown = await run().then(
						() => undefined,
						(error: unknown) => error,
					);
					if (error === undefined && !name.startsWith(check)) continue;
					assert.ok(name.startsWith(check), `it is '${name}' that fails: ${seenBy(error)}`);
					assert.ok(broken > 0, 'the example was not loaded');
					assert.match(seenBy(error), seen, name);
					return;
				}
				assert.fail(`there is no check '${check}'`);
			} finally {
				for (const { id, active } of await world.api.workflows()) if (active) await world.api.deactivate(id);
			}
		};
		return Object.fromEntries(
			Object.entries(BREAKS).map(([what, broken]) => [
				`${broken.file} without ${what} fails '${broken.check}…'`,
				() => noticed(broken),
			]),
		);
	},
};

export default suite;
