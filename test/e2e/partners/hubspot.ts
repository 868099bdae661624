import { createHash } from 'node:crypto';
import type { Imitation, Reply } from './internet';
import type { Call } from './shapes';

type Properties = Record<string, string>;

/** A HubSpot account with companies, and a developer's app with its subscriptions. */
export class HubSpot implements Imitation {
	readonly hosts = ['api.hubapi.com'];
	readonly appToken = 'made-up-app-token';
	readonly app = { appId: '4711', apiKey: 'made-up-developer-key', clientSecret: 'made-up-client-secret' };
	readonly companies = new Map<number, Properties>();
	/** Where the app's events go, while it is set up. */
	target: string | undefined;
	private subscriptions: Array<{ id: number; eventType: string; active: boolean }> = [];
	private nextId = 1;

	answer(call: Call): Reply {
		const { path } = call;
		if (path.startsWith(`/webhooks/v3/${this.app.appId}/`)) return this.webhooks(call);
		if (call.headers.authorization !== `Bearer ${this.appToken}`) {
			return { status: 401, body: { status: 'error', message: 'The OAuth token used to make this call expired' } };
		}
		if (path === '/account-info/v3/details') return { body: { portalId: 1 } };
		if (path === '/companies/v2/companies/recent/modified') {
			return {
				body: { results: [...this.companies.keys()].map((id) => this.recordOf(id)), hasMore: false, offset: 0 },
			};
		}
		const id = /^\/companies\/v2\/companies\/(\d+)$/.exec(path)?.[1];
		return id === undefined ? { status: 404, body: { message: 'resource not found' } } : this.company(Number(id), call);
	}

	private company(id: number, { method, body }: Call): Reply {
		const company = this.companies.get(id);
		if (company === undefined) return { status: 404, body: { status: 'error', message: 'resource not found' } };
		if (method === 'PUT') {
			for (const { name, value } of body.properties as Array<{ name: string; value: string }>) company[name] = value;
		}
		return { body: this.recordOf(id) };
	}

	private recordOf(companyId: number) {
		const company = this.companies.get(companyId)!;
		const properties = Object.fromEntries(Object.entries(company).map(([name, value]) => [name, { value }]));
		return { portalId: 1, companyId, isDeleted: false, properties };
	}

	private webhooks({ method, path, query, body }: Call): Reply {
		if (query.get('hapikey') !== this.app.apiKey) return { status: 401, body: { message: 'invalid hapikey' } };
		const [, subscription] = /subscriptions(?:\/(\d+))?$/.exec(path) ?? [];
		if (path.endsWith('/settings')) {
			if (method === 'PUT') this.target = body.targetUrl;
			if (method === 'DELETE') this.target = undefined;
			if (method === 'DELETE') return { status: 204 };
			return this.target === undefined && method === 'GET'
				? { status: 404, body: { message: 'no settings' } }
				: { body: { targetUrl: this.target } };
		}
		if (method === 'POST') {
			const made = { ...body, id: this.nextId++ };
			this.subscriptions.push(made);
			return { status: 201, body: made };
		}
		if (method === 'DELETE') {
			this.subscriptions = this.subscriptions.filter(({ id }) => id !== Number(subscription));
			return { status: 204 };
		}
		return { body: { results: this.subscriptions } };
	}

	/** One delivery: events of companies, signed as HubSpot does. Gives n8n's status. */
	async deliver(companies: number[], signedWith = this.app.clientSecret): Promise<number> {
		if (this.target === undefined) throw new Error('nothing is subscribed');
		const body = JSON.stringify(
			companies.map((objectId, eventId) => ({
				...{ eventId, subscriptionId: 1, portalId: 1, appId: 4711, occurredAt: 1_770_000_000_000, attemptNumber: 0 },
				...{ subscriptionType: 'company.creation', objectId, changeFlag: 'CREATED', changeSource: 'CRM' },
			})),
		);
		const signature = createHash('sha256')
			.update(signedWith + body)
			.digest('hex');
		const headers = { 'content-type': 'application/json', 'x-hubspot-signature': signature };
		return (await fetch(this.target, { method: 'POST', headers, body })).status;
	}
}
