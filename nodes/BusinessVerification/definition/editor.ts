import type { Json, Question } from './service';

/** What the editor's searchable lists and drop-downs show while a workflow is built. */
export interface Found {
	name: string;
	value: string;
}

interface FoundPage {
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
