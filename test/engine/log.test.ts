import type { Logger } from 'n8n-workflow';
import type { Request } from '../../nodes/BusinessVerification/kit/service';
import { Gate } from '../../nodes/BusinessVerification/engine/turns';
import { Repeating } from '../../nodes/BusinessVerification/engine/sender';

it('each request leaves one line: where it went, what came of it, and nothing of what it held', async () => {
	const lines: unknown[] = [];
	const statuses = [503, 200];
	const headers = { 'retry-after': '0', 'cf-ray': '8c1d-VIE' };
	const repeating = new Repeating({
		exchange: () => Promise.resolve({ status: statuses.shift()!, headers, body: { ein: '12-3456789' } }),
		tokens: undefined,
		secrets: ['secret-key'],
		logger: { debug: (...line: unknown[]) => void lines.push(line) } as unknown as Logger,
		gate: new Gate(1),
		repeats: 1,
		stopped: undefined,
	});
	const request: Request = {
		method: 'GET',
		path: '/v1/inquiries/?key=secret-key',
		query: { search: '12-3456789' },
		kind: 'read',
	};
	await repeating.exchange(request, false);
	const milliseconds = expect.any(Number);
	expect(lines).toEqual([
		['GET /v1/inquiries/', { status: 503, attempt: 1, milliseconds, requestId: '8c1d-VIE' }],
		['GET /v1/inquiries/', { status: 200, attempt: 2, milliseconds, requestId: '8c1d-VIE' }],
	]);
});
