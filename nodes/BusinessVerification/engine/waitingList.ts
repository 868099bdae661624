import { Failure, type Json, type Request, type Watch } from '../definition';
import type { Page } from './gathered';
import { pageSize, readPage } from './listPass';

interface ListTools {
	send(request: Request): Promise<unknown>;
	itemsField: string;
}

/** Pages of a list tell of many things at once; where the list does not help, each is read by itself. */
export class WaitingList {
	private isRefused = false;

	constructor(private readonly tools: ListTools) {}

	/** The rows of those that wait, as far as the list has them. */
	async rowsOf(waiting: Watch[]): Promise<Map<string, Json>> {
		if (this.isRefused) return new Map();
		try {
			return await this.read(waiting);
		} catch (error) {
			const { httpCode = 0 } = error instanceof Failure ? error.details : {};
			// Trouble passes; a refusal, or an answer that is no list, does not.
			this.isRefused = httpCode < 500 && httpCode !== 429;
			return new Map();
		}
	}

	/** The list rows of all that wait, if pages are cheaper than reading each. */
	private async read(waiting: Watch[]): Promise<Map<string, Json>> {
		const [{ list }] = waiting;
		const wanted = new Set(waiting.map(({ id }) => id));
		const query = list.query(createdBetween(waiting));
		const found = new Map<string, Json>();
		for (let offset = 0, page: Page; found.size < wanted.size; offset += page.rows.length) {
			page = await readPage((request) => this.tools.send(request), this.tools.itemsField, list.path, {
				...query,
				limit: pageSize,
				offset,
			});
			for (const row of page.rows) {
				const id = list.idOf(row);
				if (id !== undefined && wanted.has(id)) found.set(id, row);
			}
			if (page.rows.length < pageSize) break;
			if (page.total !== undefined && page.total / pageSize > waiting.length) break;
		}
		for (const watch of waiting) {
			const row = found.get(watch.id);
			if (row !== undefined) watch.createdAt ??= list.createdAtOf?.(row);
		}
		return found;
	}
}

const isZoned = (time: string) => /(z|[+-]\d\d:?\d\d)$/i.test(time);

/** The span in which all were created, written as the service writes it: without a zone if it names none. */
function createdBetween(waiting: Watch[]): { from: string; to: string } | undefined {
	const times = waiting.map(({ createdAt = '' }) => createdAt);
	const zoned = times.filter(isZoned).length;
	if (zoned !== 0 && zoned !== times.length) return undefined;
	const moments = times.map((time) => Date.parse(zoned === 0 ? `${time}Z` : time));
	if (moments.some(Number.isNaN)) return undefined;
	// The document does not say whether the bounds belong to the range.
	const at = (ms: number) => new Date(ms).toISOString().slice(0, zoned === 0 ? -1 : undefined);
	return {
		from: at(moments.reduce((a, b) => Math.min(a, b)) - 1000),
		to: at(moments.reduce((a, b) => Math.max(a, b)) + 1000),
	};
}
