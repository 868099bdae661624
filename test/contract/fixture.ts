import axios, { type AxiosInstance } from 'axios';
import type { Sandbox } from '../../sandbox';

/** What one input item of a run can refer to: as `$json.inquiry` in a parameter, as `{inquiry}` in an expectation. */
export interface World extends Record<string, string> {
	/** Completed, tagged "priority", with a score of 80 and the source value WATCHLISTS:CLEAR. */
	inquiry: string;
	/** An inquiry that failed, and the task ID of one of its failed processes. */
	failedInquiry: string;
	task: string;
	/** Of two inquiries, both completed. */
	batch: string;
	/** A seller search that is complete, and a seller whose report has arrived. */
	request: string;
	seller: string;
	lender: string;
	/** An ID that nothing has. */
	unknown: string;
}

/** A plain client: the worlds are made without our code. */
const plainClient = (sandbox: Sandbox): AxiosInstance =>
	axios.create({
		baseURL: sandbox.url,
		proxy: false,
		headers: { Authorization: `Bearer ${sandbox.organization.apiKey}` },
	});

/** Two worlds, for runs of two items. The sandbox's time stands still; only what happens from now on is in its logs. */
export async function twoWorlds(sandbox: Sandbox): Promise<[World, World]> {
	sandbox.reset();
	sandbox.clock.freeze();
	sandbox.switches.sellerCompleteAtOnce = true;
	const worlds: [World, World] = [await makeWorld(sandbox, 1), await makeWorld(sandbox, 2)];
	sandbox.switches.sellerCompleteAtOnce = false;
	// Their reports are not delivered.
	sandbox.clock.stop();
	sandbox.requests.clear();
	sandbox.ledger.clear();
	return worlds;
}

async function makeWorld(sandbox: Sandbox, number: number): Promise<World> {
	const client = plainClient(sandbox);
	const business = { businessCity: 'Springfield', businessState: 'IL' };

	const [inquiry] = sandbox.inquiries.seed(1, {
		businessName: 'Acme Trading LLC',
		externalIdPrefix: `crm-${number}-`,
		tags: ['priority'],
		scorecardScore: 80,
		sourceValues: { WATCHLISTS: 'CLEAR' },
	});
	const failed = await client.post<{ id: string }>('/v1/inquiries/', { ...business, businessName: `Beta ${number}` });
	const failedInquiry = failed.data.id;
	await client.get(`/v1/inquiries/${failedInquiry}`);
	sandbox.inquiries.finish(failedInquiry, 'FAILED');
	const { data } = await client.get<{ processStatuses: Record<string, { status: string; phase: string }> }>(
		`/v1/inquiries/${failedInquiry}`,
	);
	const [task] = Object.entries(data.processStatuses).find(
		([, { status, phase }]) => status === 'FAILED' && phase === 'SOURCE',
	)!;

	const search = await client.post<{ request_id: string }>('/external/api/v1/seller-detailed', {
		name: 'Acme Trading LLC',
		address_line_1: '1 Main Street',
		city: 'Springfield',
		state: 'IL',
		zip5: '62701',
		callback: 'https://receiver.example.com/report',
	});
	return {
		inquiry,
		failedInquiry,
		task,
		batch: sandbox.inquiries.seedBatch(`Leads ${number}`, 2, {
			businessName: 'Gamma',
			externalIdPrefix: `row-${number}-`,
		}),
		request: search.data.request_id,
		seller: sandbox.organization.sellerId,
		lender: sandbox.organization.id,
		unknown: '00000000-0000-4000-8000-000000000000',
	};
}

/** An expectation with the item's own IDs in place of `{inquiry}` and the like. */
export function filled<T>(value: T, world: World): T {
	if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (mark, name: string) => world[name] ?? mark) as T;
	if (Array.isArray(value)) return value.map((entry) => filled<unknown>(entry, world)) as T;
	if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, filled<unknown>(entry, world)])) as T;
}
