import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { certificateFor } from '../certificate';

/** One request as an imitation sees it. */
export interface Call {
	host: string;
	method: string;
	path: string;
	query: URLSearchParams;
	headers: IncomingMessage['headers'];
	body: any;
}

export interface Reply {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** What a partner does with a request: answers, and keeps what was written. */
export interface Imitation {
	hosts: string[];
	answer(call: Call): Reply;
}

/** What goes wrong with the next matching requests. */
export interface Fault extends Reply {
	matches(call: Call): boolean;
	times: number;
}

/**
 * All of the internet that n8n can reach: it is told to go through this proxy, its nodes speak TLS with the partners'
 * names, and whatever asks for another host is refused and remembered.
 */
export class Internet {
	readonly calls: Call[] = [];
	readonly strangers: string[] = [];
	private faults: Fault[] = [];
	private readonly folder = mkdtempSync(join(tmpdir(), 'internet-'));
	private readonly certificate: { key: string; cert: string };
	private readonly web = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const call = callOf(request, Buffer.concat(chunks).toString());
			const reply = this.replyTo(call);
			const { status = 200, headers, body = {} } = reply;
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			response.end(status === 204 ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
		});
	});
	private readonly proxy = createServer((request, response) => {
		this.strangers.push(String(request.url));
		response.writeHead(403).end();
	});

	constructor(private readonly imitations: Imitation[]) {
		this.certificate = certificateFor(imitations.flatMap(({ hosts }) => hosts.map((host) => `DNS:${host}`)));
		writeFileSync(this.authority, this.certificate.cert);
		const tls = createTlsServer(this.certificate, (socket) => this.web.emit('connection', socket));
		this.proxy.on('connect', (request, socket) => {
			socket.on('error', () => undefined);
			const [host] = String(request.url).split(':');
			if (!imitations.some(({ hosts }) => hosts.includes(host))) {
				this.strangers.push(host);
				return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			}
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			tls.emit('connection', socket);
		});
	}

	async open(): Promise<void> {
		await new Promise<void>((ready) => this.proxy.listen(0, '127.0.0.1', ready));
	}

	/** What n8n's process needs in its environment to take this for the internet. */
	get env(): Record<string, string> {
		const url = `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}`;
		return {
			HTTPS_PROXY: url,
			HTTP_PROXY: url,
			NO_PROXY: '127.0.0.1,localhost,::1',
			NODE_EXTRA_CA_CERTS: this.authority,
		};
	}

	/** From now on; `times` requests that match. */
	break(fault: Partial<Fault> & Pick<Fault, 'matches'>): void {
		this.faults.push({ times: 1, ...fault });
	}

	repair(): void {
		this.faults = [];
	}

	async close(): Promise<void> {
		this.web.closeAllConnections();
		this.proxy.closeAllConnections();
		this.proxy.close();
		rmSync(this.folder, { recursive: true, force: true });
	}

	private get authority(): string {
		return join(this.folder, 'authority.pem');
	}

	private replyTo(call: Call): Reply {
		this.calls.push(call);
		const imitation = this.imitations.find(({ hosts }) => hosts.includes(call.host))!;
		const fault = this.faults.find(({ times, matches }) => times > 0 && matches(call));
		if (fault === undefined) return imitation.answer(call);
		fault.times--;
		return fault;
	}
}

function callOf({ method, url, headers }: IncomingMessage, text: string): Call {
	const { pathname, searchParams } = new URL(String(url), 'https://partner.example');
	const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded');
	return {
		host: String(headers.host).split(':')[0],
		method: String(method),
		path: decodeURIComponent(pathname),
		query: searchParams,
		headers,
		body: isForm ? Object.fromEntries(new URLSearchParams(text)) : /^[{[]/.test(text) ? JSON.parse(text) : undefined,
	};
}
