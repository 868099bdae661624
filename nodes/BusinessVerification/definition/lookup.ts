import type { Json, Request } from './service';

/** What the editor's searchable lists and drop-downs show while a workflow is built. */
export interface Found {
	name: string;
	value: string;
}

export interface FoundPage {
	results: Found[];
	/** Where the next page begins; absent on the last. */
	next?: number;
}

export interface Asking {
	send(request: Request): Promise<unknown>;
	rows(path: string, query: Json): Promise<Json[]>;
}

export type Search = (service: Asking, filter: string | undefined, offset: number) => Promise<FoundPage>;
export type Load = (service: Asking) => Promise<Found[]>;
