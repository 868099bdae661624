import { isDeepStrictEqual } from 'node:util';
import type { Switches } from './switches';

export interface SellerSearch {
	readonly requestId: string;
	readonly organizationId: string;
	readonly sellerId: string;
	readonly submitted: Record<string, string>;
	status: 'pending' | 'complete';
}

/** The searches made, and the sellers that their reports have named. */
export class Sellers {
	private readonly byRequest = new Map<string, SellerSearch>();

	add(search: SellerSearch): void {
		this.byRequest.set(search.requestId, search);
	}

	get(requestId: string): SellerSearch | undefined {
		return this.byRequest.get(requestId);
	}

	/** The same search, made before; only the callback may differ. */
	like(organizationId: string, { callback: _callback, ...fields }: Record<string, string>): SellerSearch | undefined {
		return [...this.byRequest.values()].find(({ submitted: { callback: _its, ...its }, ...search }) => {
			return search.organizationId === organizationId && isDeepStrictEqual(its, fields);
		});
	}

	isReported(organizationId: string, sellerId: string): boolean {
		return [...this.byRequest.values()].some(
			(search) =>
				search.sellerId === sellerId && search.organizationId === organizationId && search.status === 'complete',
		);
	}

	clear(): void {
		this.byRequest.clear();
	}
}

/** "Contents of the Seller Report … beyond status, request_id and seller_id: not shown": the rest is made up. */
export function sellerReport(search: SellerSearch, switches: Switches) {
	const { name, city, state, zip5 } = search.submitted;
	const top = switches.reportSellerId === 'top';
	return {
		status: search.status,
		...(switches.reportRequestId && { request_id: search.requestId }),
		...(top && { seller_id: search.sellerId }),
		seller: { ...(!top && { seller_id: search.sellerId }), name, city, state, zip5 },
		match: { score: 0.97 },
		...(switches.callbackRepeated === 'report' && { request: { callback: search.submitted.callback } }),
	};
}
