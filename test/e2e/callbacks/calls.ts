import { Agent } from 'node:http';
import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';

const http = axios.create({
	proxy: false,
	validateStatus: () => true,
	timeout: 180_000,
	maxRedirects: 0,
	maxBodyLength: Infinity,
	httpAgent: new Agent({ keepAlive: true, maxSockets: 16 }),
});

/** A call as the service, or an attacker, would make it. */
export const call = async (url: string, body?: unknown, more: AxiosRequestConfig = {}): Promise<AxiosResponse> =>
	http.request({ method: 'POST', url, data: body, ...more });

/** Several at a time, as many callers would. */
export async function sideBySide<T>(width: number, tasks: T[], run: (task: T) => Promise<unknown>) {
	const waiting = tasks.values();
	const worker = async () => {
		for (const task of waiting) await run(task);
	};
	await Promise.all(Array.from({ length: width }, worker));
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
