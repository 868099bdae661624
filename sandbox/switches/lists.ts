import { amount, choice } from './definition';

const envelope = 'each return total (integer), limit (integer) and offset (integer), … plus the page of items';
const paging = 'limit | integer, 1 to 500; offset | results skipped';
const order = 'The list is ordered by creation date by default.';
const search = 'matches business name, DBA, EIN, external id';
const later = 'Processing is asynchronous: nothing says that a read sees what was just written';
const scope = "Inquiries, batches and users are scoped to the caller's organization";
const errors = 'Error status codes, error body shape, error codes, …: not shown.';

/** Which rows a list holds, in which order, from when on, and what stands around them. */
export const listSwitches = {
	emptyList: choice('a list without rows', envelope, ['list', 'null', 'absent', 'notFound', 'noContent']),
	listTotal: choice('total of a list', envelope, ['exact', 'absent', 'text', 'ofPage', 'tooLow', 'tooHigh']),
	pageCap: amount('most rows on a page; 0 for as many as are asked for', paging, 0),

	sortTies: choice('order of rows with equal sort keys', order, ['stable', 'alternating']),
	listOrder: choice('order of the inquiry list', order, ['asAsked', 'byId']),
	searchMatch: choice('what search finds', search, [
		'part',
		'whole',
		'beginning',
		'plainWords',
		'names',
		'everything',
		'nothing',
	]),
	listRefused: choice('a list that is refused with 403', errors, [
		'none',
		'inquiries',
		'search',
		'batches',
		'batchInquiries',
	]),
	batchMembersListed: choice('inquiries of batches in the inquiry list', scope, ['always', 'whenEnded', 'never']),
	listWindowMs: amount('age from which on inquiries and batches leave the lists; 0 for none', scope, 0),

	inquiryListDelayMs: amount('time until a new inquiry appears in lists', later, 0),
	searchDelayMs: amount('time until search finds a new inquiry', later, 0),
	batchListDelayMs: amount('time until a new batch appears in the batch list', later, 0),
	readDelayMs: amount('time until a new inquiry or batch is found by its id', later, 0),
	replicaLagMs: amount('how old the state is that every second list request shows', later, 0),

	batchOrder: choice('order of the batch list', 'no order given', ['newest', 'oldest', 'byId']),
	batchRowOrder: choice('order of the inquiries of a batch', 'no order given', ['submitted', 'byId']),
} as const;
