import { choice, flag, text } from './definition';

const itemsField = 'Name of the array field holding the items: not shown.';
const inquiryRows = 'returns paginated list: which fields its rows have is said nowhere';
const batchInquiryRows =
	'Each batch-inquiry item includes the inquiry status, its progress and its source record count.';
const batchRows = 'paginated list of batches with aggregated status';

/** What the rows of lists carry. */
export const rowSwitches = {
	inquiryListField: text('field that holds the items of the inquiry list', itemsField, 'items'),
	batchListField: text('field that holds the items of the batch list', itemsField, 'items'),
	batchInquiryListField: text('field that holds the items of the batch-inquiry list', itemsField, 'items'),

	listRows: choice('rows of the inquiry list', inquiryRows, ['full', 'summary']),
	listRowsId: choice('key of the id in rows of the inquiry list', inquiryRows, [
		'id',
		'inquiryId',
		'both',
		'nested',
		'none',
	]),
	listRowsCompletedAt: flag('rows of the inquiry list carry startedAt and completedAt', inquiryRows, true),
	listRowsExternalId: flag('rows of the inquiry list carry externalId', inquiryRows, true),

	batchRowsId: choice('key of the inquiry id in batch-inquiry rows', batchInquiryRows, [
		'id',
		'inquiryId',
		'both',
		'none',
	]),
	batchRowsExternalId: flag('batch-inquiry rows carry externalId', batchInquiryRows, true),
	batchRowsShape: choice('batch-inquiry rows', batchInquiryRows, ['flat', 'snakeCase', 'nested', 'onlyPrinted']),

	batchIdKey: choice('key of the id in rows of the batch list', batchRows, ['batchId', 'id', 'batch_id']),
	batchNameKey: choice('key of the name in rows of the batch list', batchRows, [
		'batchName',
		'name',
		'batch_name',
		'none',
	]),
	batchListCounts: flag('rows of the batch list carry total and counts', batchRows, true),
	batchNameStored: choice('what becomes of a batch name', 'batchName | string, nullable, required key', [
		'same',
		'cut',
		'upperCase',
		'ascii',
		'stamped',
		'dropped',
	]),
} as const;
