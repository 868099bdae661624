import { howToMakeASecret, isStrong, shortestSecret } from '../../callback/secrets';
import { signCallbackUrl } from '../../callback/signing';
import { type Input, number, optional, text } from '../../definition/field';
import { collection } from '../../definition/groups';
import { choice } from '../../definition/options';
import { Failure } from '../../definition/failure';
import { present } from '../../definition/present';
import type { Address, Json, Question, Settings } from '../../definition/service';
import { type SellerSearch, sellerSearch } from '../../document/answers';
import { extraBody } from '../../fields/options';
import { sellerDetails, sellerRequired } from '../../fields/seller';

/** The fields of a search, shared by the operation that only submits and the one that waits. */
export const searchFields = {
	...sellerRequired,
	additionalFields: collection('Additional Fields', sellerDetails),
};

export const ref = optional(
	text('Reference', {
		description:
			'Your own reference, such as the ID of a CRM record. It comes back with the report, and nobody can change it on the way.',
		placeholder: 'e.g. crm-4711',
	}),
);

export const searchOptions = {
	expiresAfter: number('Callback Expires After (Hours)', {
		default: 168,
		min: 0,
		max: 8760,
		description: 'Hours after which the signed callback URL is refused; 0 never expires',
	}),
	extraBody,
	placement: choice(
		'Signature Placement',
		[
			{ name: 'In the Path', value: 'path', description: 'If the service drops the query of a callback URL' },
			{ name: 'In the Query', value: 'query' },
		],
		{ default: 'query', description: 'Where the signature stands in the callback URL' },
	),
};

interface SearchInput {
	additionalFields: Json;
	ref?: string;
	options: Partial<Input<typeof searchOptions>>;
	[name: string]: unknown;
}

/** The search with a signed callback URL. */
export function searchRequest(
	fields: Json,
	input: SearchInput,
	callback: string,
	settings: Settings,
	now: number,
	own: () => Address,
): Question<SellerSearch> {
	const body = { ...fields, ...present(input.additionalFields), ...input.options.extraBody };
	return {
		...own(),
		body: { ...body, callback: signed(callback, input, settings, now) },
		kind: 'write',
		answer: sellerSearch,
		ifUnknown:
			'If it was processed, its report still arrives at the callback URL. Wait for it before you search again.',
	};
}

function signed(callback: string, { ref, options }: SearchInput, { callbackSecret }: Settings, now: number): string {
	if (callbackSecret === '') return callback;
	if (!isStrong(callbackSecret)) {
		throw new Failure(`'Callback Secret' in the credential is too short: at least ${shortestSecret} bytes`, {
			description: `Nothing was submitted. ${howToMakeASecret}`,
		});
	}
	const hours = options.expiresAfter ?? 168;
	try {
		return signCallbackUrl(callback, {
			secret: callbackSecret,
			ref,
			issuedAt: now,
			...(hours > 0 ? { expiresAt: now + Math.ceil(hours * 3_600_000) } : {}),
			placement: options.placement ?? 'query',
		}).url;
	} catch (error) {
		return refuse(error);
	}
}

function refuse(error: unknown): never {
	throw new Failure(`The callback URL cannot be signed: ${(error as Error).message}`, { parameter: 'callback' });
}
