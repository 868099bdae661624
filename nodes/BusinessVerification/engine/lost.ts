import { UserError } from 'n8n-workflow';
import type { FailureDetails } from '../definition';

/** No answer came. `sent` is false only where it is certain that nothing reached the service. */
export interface Lost {
	code: string;
	reason: string;
	sent: boolean;
	/** Our own credential would not let it go; asking again would not help. */
	refusedBy?: { message: string; description?: string | null };
}

/** Nothing leaves before a connection stands and its certificate was accepted. */
const neverConnected = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'ERR_TLS_CERT_ALTNAME_INVALID',
];
/** These also end connections that stood; only the attempt to connect proves that nothing was sent. */
const whileConnecting = /\bconnect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** n8n wraps what its HTTP client says, several layers deep; the code is what tells refused from dropped. */
export function lostBecause(error: unknown): Lost {
	const layers: Array<Record<string, unknown>> = [];
	for (let layer = error; isRecord(layer) && layers.length < 5; layer = layer.cause ?? layer.errorResponse)
		layers.push(layer);
	const messages = layers.flatMap((layer) => [layer.message, ...(Array.isArray(layer.messages) ? layer.messages : [])]);
	// Older hosts keep the code of a broken connection where the status of an answer belongs.
	const code =
		layers.map((layer) => layer.code ?? layer.httpCode).find((value): value is string => typeof value === 'string') ??
		'';
	const said = messages.join('\n');
	const known = neverConnected.find((name) => code === name || said.includes(name)) ?? whileConnecting.exec(said)?.[1];
	const refusedBy =
		(layers.find((layer) => layer instanceof UserError) as UserError | undefined) ?? withoutCause(layers[0], code);
	return {
		code: known ?? code,
		// The innermost: n8n's own words on top of it advise to send again, which a write must not be.
		reason: messages.filter((told): told is string => typeof told === 'string' && told !== '').at(-1) ?? 'no answer',
		sent: known === undefined && refusedBy === undefined,
		refusedBy,
	};
}

/** Older hosts drop the cause; what is left of a refusal of ours is its description, which no network failure has. */
const withoutCause = (layer: Record<string, unknown> | undefined, code: string) =>
	code === '' && typeof layer?.description === 'string' && layer.description !== ''
		? { message: String(layer.message), description: layer.description }
		: undefined;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export type Told = FailureDetails & { message: string };

export function lostFailure({ code, reason, sent, refusedBy }: Lost, clean: (said: string) => string): Told {
	if (refusedBy !== undefined) {
		const { message, description } = refusedBy;
		return { message, description: description ?? undefined, cause: 'configuration-invalid' };
	}
	if (!sent) {
		return {
			message: `The service could not be reached (${code})`,
			description: "Check 'Base URL' in the credential and that n8n may connect to it.",
			cause: 'temporarily-unavailable',
		};
	}
	const timedOut = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
	return {
		message: timedOut
			? 'The service did not answer in time'
			: `The connection broke before an answer came: ${clean(reason)}`,
		description: timedOut ? "Raise 'Timeout' in the options if the service needs longer." : undefined,
		cause: 'temporarily-unavailable',
	};
}
