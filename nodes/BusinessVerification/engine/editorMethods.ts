import type { ILoadOptionsFunctions } from 'n8n-workflow';
import type { EditorService } from '../kit/operation';
import { nodeErrorOf } from './runErrors';
import { readAnswer } from './checkedAnswer';
import { createSender } from './sender';

/** The editor sends a request with every keystroke, so it gets no long retries. */
async function askService<T>(context: ILoadOptionsFunctions, ask: (service: EditorService) => Promise<T>): Promise<T> {
	try {
		const { send, page } = await createSender(context, { timeout: 15_000, repeats: 1 });
		return await ask({
			send: async (question) => readAnswer(question, await send(question)),
			rows: async (path, query) => (await page(path, query)).rows,
		});
	} catch (error) {
		throw nodeErrorOf(context.getNode(), error);
	}
}

/** Methods that n8n calls for a field of the editor, such as the search of a list. */
export const editorMethods = <Args extends unknown[], T>(asks: Record<string, Ask<Args, T>>) =>
	Object.fromEntries(
		Object.entries(asks).map(([name, ask]) => [
			name,
			async function (this: ILoadOptionsFunctions, ...args: Args): Promise<T> {
				return await askService(this, (service) => ask(service, ...args));
			},
		]),
	);

type Ask<Args extends unknown[], T> = (service: EditorService, ...args: Args) => Promise<T>;
