import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import type { Sandbox } from '../../sandbox';
import { sandbox, useSandbox as useOne } from '../harness/sandbox';

/** A sandbox for a test file, frozen at noon on 1 May 2024 and as good as new before each test. */
export const NOON = Date.parse('2024-05-01T12:00:00.000Z');

export interface Client {
	get(path: string, options?: AxiosRequestConfig): Promise<AxiosResponse>;
	post(path: string, body?: unknown, options?: AxiosRequestConfig): Promise<AxiosResponse>;
}

export function useSandbox(): { readonly it: Sandbox } & Client {
	useOne();
	beforeEach(() => {
		sandbox.clock.freeze();
		sandbox.clock.set(NOON);
	});
	return {
		get it() {
			return sandbox;
		},
		get: (path, options) => send({ method: 'GET', url: path, ...options }),
		post: (path, body, options) => send({ method: 'POST', url: path, data: body, ...options }),
	};
}

export const bearer = (credential: string) => ({ headers: { Authorization: `Bearer ${credential}` } });

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

export const business = { businessName: 'Acme Bakery LLC', businessCity: 'Springfield', businessState: 'IL' };
