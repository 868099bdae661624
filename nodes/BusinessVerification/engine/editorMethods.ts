import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import type { EditorService, Load, Search } from '../kit/operation';
import { nodeErrorOf } from './results';
import { readPage } from './paging';
import { readAnswer } from './answers';
import { createSender } from './sender';

/** The editor sends a request with every keystroke, so it gets no long retries. */
async function askService<T>(context: ILoadOptionsFunctions, ask: (service: EditorService) => Promise<T>): Promise<T> {
	try {
		const { send, settings } = await createSender(context, { timeout: 15_000, repeats: 1 });
		return await ask({
			send: async (question) => readAnswer(question, await send(question)),
			rows: async (path, query) => (await readPage(send, settings.listItemsField, path, query)).rows,
		});
	} catch (error) {
		throw nodeErrorOf(context.getNode(), error);
	}
}

export const listSearch = (searches: Record<string, Search>) =>
	Object.fromEntries(
		Object.entries(searches).map(([name, search]) => [
			name,
			async function (this: ILoadOptionsFunctions, filter?: string, position?: string): Promise<INodeListSearchResult> {
				return await askService(this, (service) => search(service, filter, Number(position ?? 0)));
			},
		]),
	);

export const loadOptions = (loads: Record<string, Load>) =>
	Object.fromEntries(
		Object.entries(loads).map(([name, load]) => [
			name,
			async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				return await askService(this, load);
			},
		]),
	);
