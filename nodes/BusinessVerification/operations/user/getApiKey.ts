import { flag } from '../../definition/field';
import { operation } from '../../definition/operation';
import type { Json } from '../../definition/service';
import { sendingOptions } from '../../fields/options';

export const getApiKey = operation({
	name: 'Get API Key',
	action: 'Get API key',
	description: 'Retrieve the API key record: whether it is a test key, its limit, its count and its expiry',
	endpoint: 'GET /v1/users/me/api-key',
	notForTools: 'the record holds a key that gives access to the account',
	fields: {
		reveal: flag('Reveal Key', {
			description: 'Whether to output the key itself; it is then stored with the execution. Off shows only its last four characters.',
		}),
		options: sendingOptions(),
	},
	request: () => ({ method: 'GET', path: '/v1/users/me/api-key', kind: 'read' }),
	result: (answer, { reveal }): Json => (reveal ? answer : { ...answer, apiKey: masked(answer.apiKey) }),
	example: {
		input: { reveal: false },
		output: {
			apiKey: '••••a1b2',
			name: 'Automation',
			isTest: true,
			discoveryLimit: 1000,
			discoveryCount: 12,
			isActive: true,
			expiresAt: '2027-01-12T08:00:00Z',
			createdAt: '2026-01-12T08:00:00Z',
		},
	},
});

const masked = (key: unknown) => (typeof key === 'string' && key.length >= 12 ? `••••${key.slice(-4)}` : '••••');
