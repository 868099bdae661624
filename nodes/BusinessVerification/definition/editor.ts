import type { Json, Question } from './service';

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

/** The service as the editor may ask it. */
export interface EditorService {
	send<T>(question: Question<T>): Promise<T>;
	rows(path: string, query: Json): Promise<Json[]>;
}

export type Search = (service: EditorService, filter: string | undefined, offset: number) => Promise<FoundPage>;
export type Load = (service: EditorService) => Promise<Found[]>;

/** A place that a column of a sheet can be mapped to. */
export interface MappableColumn {
	id: string;
	displayName: string;
	required: boolean;
	/** Behind the "Add field" list at first. */
	isExtra: boolean;
}

export type Columns = () => MappableColumn[];
