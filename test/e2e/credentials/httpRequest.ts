import assert from 'node:assert/strict';
import type { Fault } from '../../../sandbox';
import { answerJson, LocalServer } from '../../credentials/identityProvider';
import { type Credential, outputJson } from '../client';
import type { Checks, Sandbox, World } from '../suite';
import { JWT_TYPE, KEY_TYPE, keyData, pastedTokenData } from '../verification';
import { chain, manualTrigger, node } from '../workflow';

/** n8n's own node for any request, with one of our credentials. */
export const httpRequestNode = (credential: Credential, method: string, url: string) =>
	node(
		'HTTP Request',
		'n8n-nodes-base.httpRequest',
		{
			method,
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential.type,
			...(method === 'POST' && { sendBody: true, specifyBody: 'json', jsonBody: JSON.stringify(business) }),
			options: {},
		},
		{ typeVersion: 4.2, credentials: { [credential.type]: { id: credential.id, name: credential.name } } },
	);

const business = { businessName: 'Acme', businessCity: 'Springfield', businessState: 'IL' };

const kinds: Record<string, (sandbox: Sandbox) => [string, Record<string, unknown>]> = {
	'a key': (sandbox) => [KEY_TYPE, keyData(sandbox)],
	'a pasted token': (sandbox) => [JWT_TYPE, pastedTokenData(sandbox)],
};

/** What happens to a submission that the service has processed. */
const processed: Record<string, Fault> = {
	'answered 500': { status: 500 },
	'whose answer was lost': { drop: true },
	'answered 401 by a proxy': { status: 401, html: true },
};

export function httpRequestChecks({ api, sandbox }: World): Checks {
	async function request(credential: Credential, method: string, url: string) {
		const http = httpRequestNode(credential, method, url);
		const workflow = await api.createWorkflow(chain('HTTP Request', [manualTrigger(), http]));
		const execution = await api.run(workflow.id);
		return { status: execution.status, error: execution.error, items: outputJson(execution, http.name) };
	}

	const checks: Checks = {};
	for (const [kind, data] of Object.entries(kinds)) {
		const fresh = async () => {
			const service = await sandbox();
			service.reset();
			const credential = await api.createCredential(kind, ...data(service));
			return { service, credential };
		};

		checks[`HTTP Request with ${kind}: the profile, twice`] = async () => {
			const { service, credential } = await fresh();
			for (let run = 0; run < 2; run++) {
				const { error, items } = await request(credential, 'GET', `${service.url}/v1/users/me`);
				assert.equal(error?.message, undefined);
				assert.equal(items.length, 1);
			}
		};

		checks[`HTTP Request with ${kind}: nothing goes to another origin`] = async () => {
			const { service, credential } = await fresh();
			const foreign = await new LocalServer((_, response) => answerJson(response, 200, {})).start();
			const asked = request(credential, 'GET', `${foreign.url}/v1/users/me`);
			const { error } = await asked.finally(() => foreign.stop());
			assert.match(error?.message ?? '', /are not sent to/);
			assert.deepEqual([foreign.received.length, service.requests.length], [0, 0]);
		};

		for (const [what, fault] of Object.entries(processed)) {
			checks[`HTTP Request with ${kind}: a submission ${what} is billed once`] = async () => {
				const { service, credential } = await fresh();
				service.faults.add({ ...fault, method: 'POST', path: '/v1/inquiries/', after: true });
				const { status } = await request(credential, 'POST', `${service.url}/v1/inquiries/`);
				assert.equal(status, 'error');
				assert.equal(service.ledger.count('inquiry'), 1);
			};
		}
	}

	return checks;
}
