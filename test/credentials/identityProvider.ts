import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

export interface Received {
	method?: string;
	path?: string;
	authorization?: string;
	headers?: IncomingMessage['headers'];
	form: Record<string, string>;
}

/** A server on a free port that keeps what it received and answers as it is told. */
export class LocalServer {
	readonly received: Received[] = [];
	private readonly server: Server;

	constructor(private readonly answer: (received: Received, response: ServerResponse) => void) {
		this.server = createServer((request, response) => void this.receive(request, response));
		// As with n8n, each request has a connection of its own: a server may close one that is kept at any moment.
		this.server.maxRequestsPerSocket = 1;
	}

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return this;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let body = '';
		for await (const chunk of request) body += chunk;
		const received = {
			method: request.method,
			path: request.url,
			authorization: request.headers.authorization,
			headers: request.headers,
			form: Object.fromEntries(new URLSearchParams(body)),
		};
		this.received.push(received);
		this.answer(received, response);
	}
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** n8n's HTTP helper, as far as the credential test may rely on it; any other option is a mistake of the caller. */
export const helper = {
	helpers: {
		async httpRequest(options: IHttpRequestOptions) {
			const { method, url, headers, qs, timeout, abortSignal, disableFollowRedirect, encoding, ...rest } = options;
			expect(rest).toEqual({ json: true, returnFullResponse: true, ignoreHttpStatusErrors: true });
			const { status, data, ...answer } = await axios.request({
				...{ method, url, timeout, params: qs, signal: abortSignal as AbortSignal, responseType: encoding },
				headers: headers as Record<string, string>,
				maxRedirects: disableFollowRedirect === true ? 0 : 5,
				validateStatus: () => true,
			});
			return { statusCode: status, headers: answer.headers, body: data };
		},
	},
} as unknown as IHttpRequestHelper;
