import { newWakeUrl, nonceName, type Sleeper, wakingBy } from '../../nodes/BusinessVerification/callback/waking';

const resumeUrl = 'https://n8n.example.com/webhook-waiting/7/report?signature=abc';

function asleep(more: Partial<Sleeper> = {}) {
	const { url, nonceDigest } = newWakeUrl(resumeUrl);
	const nonce = new URL(url).searchParams.get(nonceName)!;
	const sleeper: Sleeper = { requestId: 'r1', ref: 'crm-1', nonceDigest, ...more };
	const wake = (given: unknown, body: unknown) => wakingBy(sleeper, given, { body, headers: {} });
	return { url, nonce, sleeper, wake };
}

describe('the URL that wakes an execution', () => {
	it("is n8n's own with a nonce of ours, another one for every search", () => {
		const { url, nonce } = asleep();
		expect(url).toBe(`${resumeUrl}&nonce=${nonce}`);
		expect(nonce).toMatch(/^[\w-]{22}$/);
		expect(asleep().nonce).not.toBe(nonce);
	});

	it('cannot be made from what the execution keeps', () => {
		const { nonce, sleeper } = asleep();
		expect(JSON.stringify(sleeper)).not.toContain(nonce);
		expect(asleep({ nonceDigest: sleeper.nonceDigest }).wake(sleeper.nonceDigest, { request_id: 'r1' })).toMatchObject({
			status: 401,
		});
	});
});

describe('a call to it', () => {
	it('wakes with the report of its search', () => {
		const { nonce, wake } = asleep();
		const report = { request_id: 'r1', seller: { seller_id: 's1' } };
		expect(wake(nonce, report)).toEqual({
			isAwake: true,
			json: { status: 'complete', isFinal: true, ref: 'crm-1', requestId: 'r1', sellerId: 's1', report },
		});
	});

	it('wakes with a report that names no request, since the nonce belongs to one search', () => {
		const { nonce, wake } = asleep({ ref: null });
		expect(wake(nonce, { seller_id: 7 })).toMatchObject({
			isAwake: true,
			json: { ref: null, requestId: 'r1', sellerId: '7' },
		});
	});

	it('takes the request ID from the report when the service gave none before', () => {
		const { nonce, wake } = asleep({ requestId: null });
		expect(wake(nonce, { request_id: 'r9' })).toMatchObject({
			isAwake: true,
			json: { requestId: 'r9', sellerId: null },
		});
		expect(wake(nonce, { a: 1 })).toMatchObject({ isAwake: true, json: { requestId: null } });
	});

	it.each([
		['no nonce', undefined],
		['an empty one', ''],
		['two of them', ['x', 'y']],
		['another one', 'A'.repeat(22)],
	])('leaves it asleep with %s', (_, nonce) => {
		expect(asleep().wake(nonce, { request_id: 'r1' })).toEqual({
			isAwake: false,
			status: 401,
			message: expect.stringContaining('does not belong'),
		});
	});

	it('leaves it asleep with the report of another search, or with none', () => {
		const { nonce, wake } = asleep();
		expect(wake(nonce, { request_id: 'r2' })).toMatchObject({ isAwake: false, status: 401 });
		expect(wake(nonce, {})).toMatchObject({ isAwake: false, status: 422 });
	});

	it('leaves an execution asleep that lost what it waits for', () => {
		const { nonce, wake } = asleep({ nonceDigest: undefined });
		expect(wake(nonce, { request_id: 'r1' })).toMatchObject({ status: 401 });
		expect(asleep({ nonceDigest: '' }).wake('', { request_id: 'r1' })).toMatchObject({ status: 401 });
	});
});
