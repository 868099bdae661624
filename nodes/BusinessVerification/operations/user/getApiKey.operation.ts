import { flag } from '../../kit/field';
import { operation } from '../../kit/operation';
import { apiKeyRecord } from '../../document/answers';
import { routes } from '../../document/routes';

export const getApiKey = operation({
	name: 'Get API Key',
	action: 'Get API key',
	description: 'Retrieve the API key with its limit, usage, and expiry, and whether it is a test key',
	endpoint: routes.apiKey,
	notForTools: 'it returns a key that gives access to the account',
	fields: {
		reveal: flag(
			'Reveal Key',
			'Whether to output the whole key, which n8n then stores with the execution. When off, at most the last four characters are returned.',
		),
	},
	run: async ({ reveal }, service, own) => {
		const record = await service.send({ ...own(), kind: 'read', answer: apiKeyRecord });
		return reveal ? record : { ...record, apiKey: masked(record.apiKey) };
	},
	example: {
		apiKey: '••••a1b2',
		name: 'Automation',
		isTest: true,
		discoveryLimit: 1000,
		discoveryCount: 12,
		isActive: true,
		expiresAt: '2027-01-12T08:00:00Z',
		createdAt: '2026-01-12T08:00:00Z',
	},
});

const masked = (key: string) => (key.length >= 12 ? `••••${key.slice(-4)}` : '••••');
