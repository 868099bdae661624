import axios from 'axios';
import type { Clock } from './clock';
import type { Switches } from './switches';

const RETRY_DELAY_MS = 500;

/** One delivery of a Seller Report, repeated until it was answered with 2xx or given up. */
export interface Delivery {
	url: string;
	requestId: string;
	body: unknown;
	attempts: number;
	/** Of the last attempt; null when there was no answer. */
	status: number | null;
	outcome: 'waiting' | 'delivered' | 'givenUp';
	at: number;
}

export class Callbacks extends Array<Delivery> {
	private abort = new AbortController();
	private sending = 0;

	static get [Symbol.species]() {
		return Array;
	}

	constructor(
		private readonly clock: Clock,
		private readonly switches: Switches,
	) {
		super();
	}

	/** "the service POSTs the Seller Report payload to the callback URL given in the request" */
	deliver(callback: string, requestId: string, body: unknown): void {
		const { callbackKeepsQuery, callbackDuplicates } = this.switches;
		const url = callbackKeepsQuery ? callback : callback.split('?')[0];
		for (let copy = 0; copy <= callbackDuplicates; copy += 1) {
			const at = this.clock.now();
			const delivery: Delivery = { url, requestId, body, attempts: 0, status: null, outcome: 'waiting', at };
			this.push(delivery);
			this.clock.schedule(0, () => void this.attempt(delivery));
		}
	}

	/** Resolves when nothing is being sent and nothing more will be sent unless a test moves a frozen clock. */
	async settled(): Promise<void> {
		while (this.sending > 0 || this.clock.waiting > 0) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	}

	/** Deliveries that are under way end, too: a receiver that never answers would otherwise keep them for half a minute. */
	clear(): void {
		this.stop();
		this.abort = new AbortController();
		this.length = 0;
	}

	stop(): void {
		this.abort.abort();
	}

	private async attempt(delivery: Delivery): Promise<void> {
		const { callbackRetries } = this.switches;
		const { signal } = this.abort;
		this.sending += 1;
		delivery.attempts += 1;
		try {
			// A name made up for a test leads nowhere, and a name server may take many seconds to say so.
			if (new URL(delivery.url).hostname.endsWith('.example.com')) throw new Error('no receiver');
			const answer = await axios.post(delivery.url, delivery.body, {
				timeout: 30_000,
				maxRedirects: 0,
				proxy: false,
				signal,
				validateStatus: () => true,
			});
			delivery.status = answer.status;
		} catch {
			delivery.status = null;
		}
		const accepted = delivery.status !== null && delivery.status >= 200 && delivery.status < 300;
		if (accepted) delivery.outcome = 'delivered';
		else if (signal.aborted || delivery.attempts > callbackRetries) delivery.outcome = 'givenUp';
		else this.clock.schedule(RETRY_DELAY_MS, () => void this.attempt(delivery));
		this.sending -= 1;
	}
}
