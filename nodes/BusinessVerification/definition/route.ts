import { Failure } from './failure';
import type { Address } from './service';

/** The names of the IDs that a route is filled with. */
type Placeholders<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
	? Name | Placeholders<Rest>
	: never;

/** A route's IDs, as arguments: none where it has none. */
export type Ids<R extends string> = [Placeholders<R>] extends [never] ? [] : [ids: Record<Placeholders<R>, string>];

/** Method and path of a route, its placeholders filled. */
export function at<R extends string>(route: R, ...[ids]: Ids<R>): Address {
	const [method, path] = route.split(' ');
	return { method: method as Address['method'], path: filled(path, ids ?? {}) };
}

/** A path with its placeholders filled, so that no ID leaves its place. */
export const filled = (path: string, ids: Record<string, string>): string =>
	path.replace(/\{(\w+)\}/g, (mark, name: string) => (name in ids ? segment(ids[name]) : mark));

/** Dots stay dots however they are encoded: every URL parser takes `%2E%2E` for the folder above. */
function segment(id: string): string {
	if (id === '.' || id === '..') throw new Failure(`'${id}' is not an ID`, { description: 'Nothing was sent.' });
	return encodeURIComponent(id);
}
