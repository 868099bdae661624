import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { startSandbox, type Sandbox, type SwitchName, type Switches } from '../../sandbox';
import { switchTable } from '../../sandbox/switches';

/** A sandbox for a test file, frozen at noon on 1 May 2024 and as good as new before each test. */
export const NOON = Date.parse('2024-05-01T12:00:00.000Z');

export interface Client {
	get(path: string, options?: AxiosRequestConfig): Promise<AxiosResponse>;
	post(path: string, body?: unknown, options?: AxiosRequestConfig): Promise<AxiosResponse>;
}

let sandbox: Sandbox;

export function useSandbox(): { readonly it: Sandbox } & Client {
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(renew);
	afterAll(() => sandbox.close());
	return {
		get it() {
			return sandbox;
		},
		get: (path, options) => send({ method: 'GET', url: path, ...options }),
		post: (path, body, options) => send({ method: 'POST', url: path, data: body, ...options }),
	};
}

export const bearer = (credential: string) => ({ headers: { Authorization: `Bearer ${credential}` } });

function renew(): void {
	sandbox.reset();
	sandbox.clock.freeze();
	sandbox.clock.set(NOON);
}

function send(config: AxiosRequestConfig): Promise<AxiosResponse> {
	return axios.request({
		baseURL: sandbox.url,
		validateStatus: () => true,
		maxRedirects: 0,
		proxy: false,
		...bearer(sandbox.organization.apiKey),
		...config,
	});
}

/** A test of one endpoint, as printed in the document. It must have been accepted at least once. */
export function endpoint(name: string, what: string, body: () => Promise<void>): void {
	test(`${name}: ${what}`, async () => {
		await body();
		const answered = sandbox.requests.filter(
			(request) => request.endpoint === name && [200, 201, 204].includes(Number(request.status)),
		);
		expect(answered).not.toHaveLength(0);
	});
}

/**
 * A test of one switch: what is seen under each of its values, written down by hand. Every value of a choice must
 * be there, and no two may look the same: a switch that changes nothing fails.
 */
export function switched<N extends SwitchName>(
	name: N,
	see: () => Promise<unknown>,
	expected: [value: Switches[N], seen: unknown][],
): void {
	test(`switch ${name}`, async () => {
		const { start, values = [start] } = switchTable[name] as { start: unknown; values?: readonly unknown[] };
		expect(expected.map(([value]) => value)).toEqual(expect.arrayContaining([...values]));
		expect(new Set(expected.map(([, seen]) => JSON.stringify(seen))).size).toBe(expected.length);
		expect(expected.length).toBeGreaterThan(1);
		for (const [value, seen] of expected) {
			renew();
			sandbox.switches[name] = value;
			expect({ [name]: value, seen: await see() }).toEqual({ [name]: value, seen });
		}
	});
}

export const business = { businessName: 'Acme Bakery LLC', businessCity: 'Springfield', businessState: 'IL' };
