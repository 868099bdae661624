import type { Call, Imitation, Reply } from './internet';

type Properties = Record<string, string>;

/** A HubSpot account with companies. */
export class HubSpot implements Imitation {
	readonly hosts = ['api.hubapi.com'];
	readonly appToken = 'made-up-app-token';
	readonly companies = new Map<number, Properties>();

	answer(call: Call): Reply {
		const { path } = call;
		if (call.headers.authorization !== `Bearer ${this.appToken}`) {
			return { status: 401, body: { status: 'error', message: 'The OAuth token used to make this call expired' } };
		}
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
}
