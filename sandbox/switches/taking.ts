import { choice, flag } from './definition';

const errors = 'Error status codes, error body shape, error codes, …: not shown.';

/** What a batch takes, and what is made of things that are submitted twice. */
export const takingSwitches = {
	invalidBatchItems: choice('a batch with invalid items', errors, ['rejectAll', 'skip']),
	batchTakes: choice('how much of a batch is taken', 'the maximum is configurable per lender', [
		'all',
		'allButLast',
		'allButLastUnsaid',
		'none',
	]),
	uniqueBatchNames: flag('a batch name that exists is refused with 409', 'name (string, required)', false),
	progressScale: choice('progressPercentage', 'progressPercentage | number, required', [
		'percent',
		'fraction',
		'always100',
		'null',
	]),

	externalIdRepeated: choice('an inquiry whose externalId exists', 'externalId | string, nullable | no', [
		'another',
		'existing',
		'again',
		'refused',
	]),
	principalRepeated: choice('a principal that the inquiry has', 'A new principal is created', [
		'another',
		'same',
		'refused',
	]),
	licenseRepeated: choice('a license that the inquiry has', 'The operation is idempotent, de-duplicated', [
		'same',
		'again',
		'refused',
		'noContent',
	]),
	searchRepeated: choice('a seller search that was made before', 'Response: a status and a request_id.', [
		'another',
		'same',
	]),
} as const;
