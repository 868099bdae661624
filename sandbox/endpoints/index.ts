import type { Endpoint } from '../endpoint';
import { Refusal } from '../refusal';
import type { Switches } from '../switches';
import { additionEndpoints } from './additions.endpoints';
import { batchEndpoints } from './batches.endpoints';
import { inquiryEndpoints } from './inquiries.endpoints';
import { licenseEndpoints } from './licenses.endpoints';
import { retryEndpoints } from './retries.endpoints';
import { sellerEndpoints, sellerLookups } from './sellers.endpoints';
import { tokenEndpoints } from './tokens.endpoints';
import { userEndpoints } from './users.endpoints';

/** Every endpoint with a fixed path. */
export const endpoints: Endpoint[] = [
	...inquiryEndpoints,
	...additionEndpoints,
	...retryEndpoints,
	...batchEndpoints,
	...userEndpoints,
	...sellerEndpoints,
	...licenseEndpoints,
	...tokenEndpoints,
];

const parameter = /\\\{(\w+)\\\}/g;
const escaped = (path: string) => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patternOf = (path: string) => new RegExp(`^${escaped(path).replace(parameter, '(?<$1>[^/?&]+)')}$`);

/** The two seller operations lie wherever the switches say, perhaps with request_id in the query. */
export function sellerLookup(switches: Switches, method: string, url: string) {
	for (const endpoint of sellerLookups(switches)) {
		const match = endpoint.method === method ? patternOf(endpoint.path).exec(url) : null;
		if (match) return { endpoint, params: { ...match.groups } };
	}
	return undefined;
}

/** Why a request fits no endpoint. Paths are taken exactly as printed. */
export function misfit(method: string, url: string): Refusal {
	const path = url.split('?')[0];
	const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
	const fits = (candidate: string) => endpoints.filter((endpoint) => patternOf(endpoint.path).test(candidate));
	const here = fits(path);
	if (here.length > 0) {
		const allow = here.map((endpoint) => endpoint.method).join(', ');
		return new Refusal(405, `The path is shown with ${allow}, not with ${method}`, { allow });
	}
	const [printed] = fits(other);
	if (printed) return new Refusal(422, `The path is printed as ${printed.path}: the slash at the end counts`);
	return new Refusal(404, 'The document shows no such path');
}
