import { choice, flag } from './definition';

const json = 'Success is status 200 with a JSON body.';
const errors = 'Error status codes, error body shape, error codes, …: not shown.';

/** What is answered: to writes, to reads of one thing, and when something is refused. */
export const answerSwitches = {
	writeAnswer: choice('answer to a write that was accepted', json, [
		'asPrinted',
		'errorNull',
		'errorAndId',
		'wrapped',
		'inList',
		'otherId',
		'withoutId',
		'emptyObject',
		'null',
		'nothing',
		'cutAfterId',
		'html',
		'asText',
		'jsonInJson',
		'byteOrderMark',
	]),
	readAnswer: choice('answer to a read of one thing', json, [
		'asPrinted',
		'errorNull',
		'wrapped',
		'inList',
		'emptyObject',
		'null',
		'nothing',
		'html',
		'asText',
		'jsonInJson',
		'byteOrderMark',
	]),
	licenseAnswer: choice('answer of license verification', 'Response: a list of verification payloads', [
		'list',
		'object',
		'objectWithList',
		'wrapped',
		'twoLists',
		'errorKeys',
		'withoutId',
		'none',
	]),
	errorForm: choice('shape of every refusal', errors, [
		'detailText',
		'detailList',
		'message',
		'error',
		'errors',
		'text',
		'html',
	]),
	pdfForm: choice('what the PDF endpoint answers', 'the body format is not shown', [
		'bytes',
		'base64Text',
		'jsonString',
		'jsonContent',
		'jsonUrl',
		'json',
	]),
	timestampForm: choice('how timestamps are written', 'Every timestamp is an ISO 8601 date-time string.', [
		'milliseconds',
		'microseconds',
		'seconds',
		'noZone',
	]),
	processStatusesForm: choice(
		'processStatuses: records by task ID, a list of records, statuses by process type, or numbers by status',
		'Shapes of processStatuses, links and businesses: not shown.',
		['byTask', 'list', 'byType', 'counts'],
	),
	externalIdStored: choice('what becomes of an externalId', 'externalId | string, nullable | optional', [
		'same',
		'upperCase',
		'cut',
		'number',
		'dropped',
	]),
	termsResponse: choice('answer of accept-inquiry-terms', 'body of the response is not shown', [
		'message',
		'profile',
		'empty',
	]),
	echoBusinessName: flag('inquiries carry the submitted businessName and businessDba', 'Inquiry: no such field', false),
} as const;
