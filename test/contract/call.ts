import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { runNode, type RunResult } from '../harness/inProcess';
import type { World } from './fixture';

/** One request as the interface document demands it. Not given means: none there. */
export interface Wire {
	/** Method and path, with `{inquiry}` and the like for the item's own. */
	request: string;
	query?: Record<string, string>;
	body?: unknown;
}

/** What a user has filled in, what must arrive for each item, and the essential facts of what comes out for each. */
export interface Call {
	parameters: INodeParameters;
	/** Further fields of the two input items. */
	items?: object[];
	wire: Wire[];
	/** Requests that all items of a run share. */
	once?: Wire[];
	output: object[];
}

/** One row of the contract. */
export interface Row {
	/** Only what is required. */
	minimal: Call;
	/** Every field of the document. */
	full: Call;
	/** The minimal call, changed so that its second item fails and the first does not. */
	refused?: {
		change: INodeParameters;
		items?: object[];
		/** As of the minimal call, unless given. */
		once?: Wire[];
		/** What arrives for the failing item; nothing when it is refused before anything is sent. */
		wire?: Wire[];
		error: { message: RegExp; parameter?: string; httpCode?: number };
	};
	/** The operation takes one item, not two. */
	alone?: true;
	/** Settings of the credential, where the operation needs one. */
	credential?: ICredentialDataDecryptedObject;
}

export const keyCredential = (sandbox: Sandbox, settings: ICredentialDataDecryptedObject = {}) => ({
	baseUrl: sandbox.url,
	apiKey: sandbox.organisation.apiKey,
	...settings,
});

export async function runCall(
	sandbox: Sandbox,
	operation: string,
	worlds: World[],
	call: Pick<Call, 'parameters'> & { credential?: ICredentialDataDecryptedObject; onError?: 'continueErrorOutput' },
): Promise<RunResult> {
	const [resource, name] = operation.split('.');
	return await runNode({
		parameters: { resource, operation: name, ...call.parameters },
		credential: keyCredential(sandbox, call.credential),
		items: worlds,
		onError: call.onError ?? 'stopWorkflow',
	});
}

export const withItems = (worlds: World[], { items = [] }: { items?: object[] }): World[] =>
	worlds.map((world, index) => ({ ...world, ...items[index] }));

/** What arrived, in the words of `Wire`, with the header that the document asks of every request. */
export const arrived = (sandbox: Sandbox) =>
	inOrder(
		sandbox.requests.map(({ method, path, query, body, headers }) => ({
			request: `${method} ${path}`,
			query: { ...query },
			body,
			authorization: headers.authorization,
			contentType: headers['content-type']?.toString().split(';')[0],
		})),
	);

export function demanded(sandbox: Sandbox, wires: Array<[Wire, World]>) {
	return inOrder(
		wires.map(([{ request, query = {}, body }, world]) => ({
			request: filled(request, world),
			query: filled(query, world),
			body: filled(body, world),
			authorization: `Bearer ${sandbox.organisation.apiKey}`,
			contentType: body === undefined ? undefined : 'application/json',
		})),
	);
}

/** Items run side by side, so the order between them is open. */
const inOrder = <T extends object>(requests: T[]) =>
	requests.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** An expectation with the item's own IDs in place of `{inquiry}` and the like. */
export function filled<T>(value: T, world: World): T {
	if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (mark, name: string) => world[name] ?? mark) as T;
	if (Array.isArray(value)) return value.map((entry) => filled<unknown>(entry, world)) as T;
	if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, filled<unknown>(entry, world)])) as T;
}
