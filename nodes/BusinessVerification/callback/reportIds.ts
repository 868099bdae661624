import { fromJson, isObject } from './sellerReport';

/**
 * The identifier under one of the names at the top of a report, or at a path such as `data.0.seller_id`. Deeper down the
 * same names belong to other things: to a source, to a related seller.
 */
export function identifierIn(report: unknown, names: string[], path = ''): string | undefined {
	if (path !== '') return identifier(path.split('.').reduce((value, key) => ownValue(fromJson(value), key), report));
	return names.map((name) => identifier(ownValue(report, name))).find((found) => found !== undefined);
}

export const requestIdIn = (report: unknown, path?: string) => identifierIn(report, ['request_id', 'requestId'], path);
export const sellerIdIn = (report: unknown, path?: string) => identifierIn(report, ['seller_id', 'sellerId'], path);

function ownValue(value: unknown, key: string): unknown {
	if (!isObject(value) || !Object.hasOwn(value as object, key)) return undefined;
	return (value as Record<string, unknown>)[key];
}

function identifier(value: unknown): string | undefined {
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}
