import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox, SubmissionKind } from '../../sandbox';
import { runNode, type RunResult } from '../harness/inProcess';
import { filled, type World } from './fixture';

/** One request as the interface document demands it. Not given means: none there. */
export interface Wire {
	/** Method and path, with `{inquiry}` and the like for the item's own: see `World`. */
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

/** One row of the contract. `={{ $json.inquiry }}` in a parameter is what a user would write; `{inquiry}` is the same in a path. */
export interface Row {
	/** What it submits, as the ledger of the mock service calls it; absent for a read, and for a change that may be repeated. */
	submits?: SubmissionKind;
	/** It changes something, and the document bills nothing for it. */
	isFree?: true;
	/** A parameter of the minimal call that may be any text: by it the items of a run differ where they have to. */
	varies?: string;
	/** Labels of what the editor marks as long as nothing is filled in. */
	marks: string[];
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
		error: { message: RegExp; description?: string; parameter?: string; httpCode?: number };
	};
	/** Sentences of the document that a minimal and a full call do not meet. */
	also?: Array<[sentence: string, call: Call]>;
	/** Rules of the document that are enforced before anything is sent; the second item breaks them. */
	broken?: Array<[rule: string, parameters: INodeParameters, message: RegExp]>;
	/** The operation takes one item, not two. */
	alone?: true;
	/** Settings of the credential, where the operation needs one. */
	credential?: ICredentialDataDecryptedObject;
}

/** Of one resource, by operation. */
export type Rows = Record<string, Row>;

const keyCredential = (sandbox: Sandbox, settings: ICredentialDataDecryptedObject = {}) => ({
	baseUrl: sandbox.url,
	apiKey: sandbox.organization.apiKey,
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
			accept: headers.accept,
		})),
	);

export function demanded(sandbox: Sandbox, wires: Array<[Wire, World]>) {
	return inOrder(
		wires.map(([{ request, query = {}, body }, world]) => ({
			request: filled(request, world),
			query: filled(query, world),
			body: filled(body, world),
			authorization: `Bearer ${sandbox.organization.apiKey}`,
			contentType: body === undefined ? undefined : 'application/json',
			// A file is no JSON, so a service that heeds the header would refuse it.
			accept: request.endsWith('/pdf') ? 'application/json, text/plain, */*' : 'application/json',
		})),
	);
}

/** Items run side by side, so the order between them is open. */
const inOrder = <T extends object>(requests: T[]) =>
	requests.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
