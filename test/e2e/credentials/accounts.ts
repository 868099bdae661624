import assert from 'node:assert/strict';
import { type Credential, outputJson } from '../client';
import type { Checks, World } from '../suite';
import { fetchedTokenData, JWT_TYPE, KEY_TYPE, keyData, verificationNode } from '../verification';
import { chain, itemsNode, manualTrigger } from '../workflow';

const create = {
	resource: 'inquiry',
	operation: 'create',
	businessName: '={{ $json.name }}',
	businessCity: 'Springfield',
	businessState: 'IL',
	ifExternalIdExists: 'reuse',
	options: { advanced: { lookUpWait: 0 } },
};

const errorOf = (item: Record<string, unknown>) => (item.error as { message: string }).message;

/** Whose account an item belongs to, and what becomes of it where that, or its external ID, cannot be told. */
export function accountChecks({ api, sandbox }: World): Checks {
	async function run(credential: Credential, parameters: Record<string, unknown>, items: object[]) {
		const used = verificationNode(credential, parameters, { onError: 'continueErrorOutput' });
		const workflow = await api.createWorkflow(chain('Accounts', [manualTrigger(), itemsNode(items), used]));
		const execution = await api.run(workflow.id);
		assert.equal(execution.error?.message, undefined);
		return { good: outputJson(execution, used.name), failed: outputJson(execution, used.name, 1) };
	}

	return {
		'two tenants behind one gateway, told by a header: each reuses its own inquiry only': async () => {
			const service = await sandbox();
			service.reset();
			service.switches.tenantHeader = 'X-Tenant';
			const tenants = [service.addOrganization(), service.addOrganization()];
			const credentials = await Promise.all(
				tenants.map(({ id }) =>
					api.createCredential(`Tenant ${id}`, KEY_TYPE, {
						...keyData({ ...service, organization: tenants[0] }),
						extraHeaders: JSON.stringify({ 'X-Tenant': id }),
					}),
				),
			);
			const reused: unknown[] = [];
			for (const tenant of [0, 1, 1, 0]) {
				const { good } = await run(credentials[tenant], { ...create, externalId: 'crm-1' }, [{ name: 'Acme' }]);
				reused.push(good[0].reused);
			}
			assert.deepEqual(reused, [false, false, true, true]);
			assert.deepEqual(
				service.ledger.map(({ organizationId }) => organizationId),
				tenants.map(({ id }) => id),
			);
			service.reset();
		},

		'an identity provider that is busy once ends no run: every item is submitted, once': async () => {
			const service = await sandbox();
			service.reset();
			const organization = service.addOrganization();
			const credential = await api.createCredential('Busy', JWT_TYPE, fetchedTokenData({ ...service, organization }));
			service.faults.add({ path: '/oauth/token', status: 503 });
			const items = Array.from({ length: 40 }, (_, item) => ({ name: `Business ${item}` }));
			const { good, failed } = await run(credential, create, items);
			assert.deepEqual([good.length, failed.map(errorOf)], [40, []]);
			assert.equal(service.ledger.count('inquiry'), 40);
		},
	};
}
