import type { IWebhookFunctions } from 'n8n-workflow';
import { strictContext } from '../harness/strictContext';
import { newWakeUrl, nonceName, type Sleeper, wake, wakingBy } from '../../nodes/BusinessVerification/seller/waking';
import { Refusal } from '../../nodes/BusinessVerification/seller/signing';

const resumeUrl = 'https://n8n.example.com/webhook-waiting/7?signature=abc';

const notOfThis = 'The callback does not belong to a search of this execution';
const ofAnotherSearch = 'The report belongs to another search';

interface Night {
	sleeper?: Partial<Sleeper>;
	wokenBy?: Partial<Sleeper['wokenBy']>;
}

function asleep({ sleeper: more, wokenBy }: Night = {}) {
	const { url, nonceDigest } = newWakeUrl(resumeUrl);
	const nonce = new URL(url).searchParams.get(nonceName)!;
	const rules: Sleeper['wokenBy'] = { nonceDigest, ...wokenBy };
	const sleeper: Sleeper = { requestId: 'r1', ref: 'crm-1', wokenBy: rules, ...more };
	/** What the execution continues with, or why it sleeps on. */
	const wake = (given: unknown, body: unknown) => {
		try {
			return { json: wakingBy(sleeper, given, { body, rawBody: Buffer.from(JSON.stringify(body)), headers: {} }) };
		} catch (error) {
			if (error instanceof Refusal) return error;
			throw error;
		}
	};
	return { url, nonce, sleeper, wake };
}

describe('the URL that wakes an execution', () => {
	it("is n8n's own with a path and a nonce of ours, another nonce for every search", () => {
		const { url, nonce } = asleep();
		expect(url).toBe(`https://n8n.example.com/webhook-waiting/7/report?signature=abc&nonce=${nonce}`);
		expect(nonce).toMatch(/^[\w-]{22}$/);
		expect(asleep().nonce).not.toBe(nonce);
	});

	it('cannot be made from what the execution keeps', () => {
		const { nonce, sleeper } = asleep();
		expect(JSON.stringify(sleeper)).not.toContain(nonce);
		const { nonceDigest } = sleeper.wokenBy;
		expect(asleep({ wokenBy: { nonceDigest } }).wake(nonceDigest, { request_id: 'r1' })).toMatchObject({
			status: 401,
			message: notOfThis,
		});
	});
});

describe('a call to it', () => {
	it('wakes with the report of its search', () => {
		const { nonce, wake } = asleep();
		const report = { request_id: 'r1', seller_id: 's1', status: 'ACTIVE', sources: [{ request_id: 'provider-77' }] };
		expect(wake(nonce, report)).toEqual({
			json: { status: 'complete', isFinal: true, ref: 'crm-1', requestId: 'r1', sellerId: 's1', report },
		});
	});

	it('continues with the report as the output of the item that slept', async () => {
		const { nonce, sleeper } = asleep();
		const read: unknown[] = [];
		const context = strictContext<IWebhookFunctions>({
			getQueryData: () => ({ nonce }),
			evaluateExpression: (...asked: unknown[]) => read.push(asked) && sleeper,
			getBodyData: () => ({}),
			getRequestObject: () => ({ rawBody: Buffer.from('{"seller_id":"s1"}') }),
			getHeaderData: () => ({}),
		} as never);
		const json = { status: 'complete', isFinal: true, ref: 'crm-1', requestId: 'r1', sellerId: 's1' };
		expect(await wake(context)).toEqual({
			webhookResponse: { received: true },
			workflowData: [[{ json: { ...json, report: { seller_id: 's1' } }, pairedItem: { item: 0 } }]],
		});
		expect(read).toEqual([['{{ $input.first().json }}', 0]]);
	});

	it('wakes with a report that repeats its URL, without the nonce', () => {
		const { url, nonce, wake } = asleep();
		expect(wake(nonce, { request_id: 'r1', request: { callback: url } })).toMatchObject({
			json: { report: { request_id: 'r1', request: { callback: expect.stringMatching(/&nonce=\*{3}$/) } } },
		});
	});

	it('wakes with a report that names no request, since the nonce belongs to one search', () => {
		const { nonce, wake } = asleep({ sleeper: { ref: null } });
		expect(wake(nonce, { seller_id: 7 })).toMatchObject({
			json: { ref: null, requestId: 'r1', sellerId: '7' },
		});
	});

	it.each([
		['an empty one', ''],
		['two of them', ['x', 'y']],
		['another one', 'A'.repeat(22)],
	])('leaves it asleep with %s', (_, nonce) => {
		expect(asleep().wake(nonce, { request_id: 'r1' })).toMatchObject({ status: 401, message: notOfThis });
	});

	it('says what is wrong with a service that drops the query of a callback URL', () => {
		expect(asleep().wake(undefined, { request_id: 'r1' })).toMatchObject({
			status: 401,
			message: 'The query of the callback URL is missing',
		});
	});

	it('leaves it asleep with the report of another search, or with none', () => {
		const { nonce, wake } = asleep();
		expect(wake(nonce, { request_id: 'r2' })).toMatchObject({ status: 401, message: ofAnotherSearch });
		expect(wake(nonce, {})).toMatchObject({ status: 422 });
	});

	it('wakes with a report that carries the IDs of other things deeper down', () => {
		const { nonce, wake } = asleep();
		const report = { sources: [{ request_id: 'provider-77', seller_id: 'related' }] };
		expect(wake(nonce, report)).toMatchObject({ json: { requestId: 'r1', sellerId: null, report } });
	});

	it('reads the IDs at the paths that were set', () => {
		const { nonce, wake } = asleep({ wokenBy: { requestIdPath: 'meta.id', sellerIdPath: 'sellers.0.key' } });
		const report = (id: string) => ({ meta: { id }, sellers: [{ key: 's9' }], request_id: 'of something else' });
		expect(wake(nonce, report('r2'))).toMatchObject({ status: 401, message: ofAnotherSearch });
		expect(wake(nonce, report('r1'))).toMatchObject({ json: { requestId: 'r1', sellerId: 's9' } });
	});

	it('leaves an execution asleep that lost what it waits for', () => {
		const { nonce, wake } = asleep({ sleeper: { wokenBy: undefined } });
		expect(wake(nonce, { request_id: 'r1' })).toMatchObject({ status: 401, message: notOfThis });
		expect(asleep({ wokenBy: { nonceDigest: '' } }).wake('', { request_id: 'r1' })).toMatchObject({ status: 401 });
	});
});
