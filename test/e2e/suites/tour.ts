import { only, type Suite } from '../suite';
import { triggerChecks } from '../triggers/checks';
import callback from './callback';
import smoke from './smoke';
import stories from './stories';

/** One way through each part of the package: what `npm test` does in a real n8n. */
const tour: Suite = {
	checks: (world) => ({
		...only(smoke.checks(world), [
			'n8n lists the types under the name of the package',
			'credentials of each kind are saved, and those that n8n tests pass',
			'a wrong key fails its test',
			'the profile is read with each credential',
		]),
		...only(callback.checks(world), [
			'a report wakes the execution that sleeps until it comes',
			'the test URL takes one report while the editor listens',
		]),
		...only(stories.checks(world), [
			'every example is accepted, with nodes that this n8n has',
			'crm-verification ends where a person wants it',
			'sheet-import-offline ends where a person wants it',
		]),
		// Last: from here on the service is moved by hand.
		...only(triggerChecks(world, { durable: false }), [
			'activated "from now", it reports nothing old',
			'a completion starts one execution, with the right items',
		]),
	}),
};

export default tour;
