import type { Route } from '../document/routes';
import { Failure } from './failure';

type Placeholders<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
	? Name | Placeholders<Rest>
	: never;

/** Method and path of a route, its placeholders filled. */
export function at<R extends Route>(
	route: R,
	...[ids]: Placeholders<R> extends never ? [] : [ids: Record<Placeholders<R>, string>]
): { method: 'GET' | 'POST'; path: string } {
	const [method, path] = route.split(' ');
	return { method: method as 'GET' | 'POST', path: filled(path, ids ?? {}) };
}

/** A path with its placeholders filled, so that no ID leaves its place. */
export const filled = (path: string, ids: Record<string, string>): string =>
	path.replace(/\{(\w+)\}/g, (_, name: string) => segment(ids[name]));

/** Dots stay dots however they are encoded: every URL parser takes `%2E%2E` for the folder above. */
function segment(id: string): string {
	if (id === '.' || id === '..') throw new Failure(`'${id}' is not an ID`, { description: 'Nothing was sent.' });
	return encodeURIComponent(id);
}
