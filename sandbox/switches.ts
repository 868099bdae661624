/**
 * Every point that the interface document leaves open, as a switch. This table is the one place that says what each
 * switch means and how it starts; the type, the checks, the program's flags and the tests all follow from it.
 */

interface Definition<T> {
	meaning: string;
	start: T;
	/** The allowed values, when there are only a few; the first is the start value. */
	values?: readonly T[];
}

const choice = <const V extends readonly [string, ...string[]]>(meaning: string, values: V): Definition<V[number]> => ({
	meaning,
	start: values[0],
	values,
});
const flag = (meaning: string, start: boolean): Definition<boolean> => ({
	meaning,
	start,
	values: [start, !start],
});
const text = (meaning: string, start: string): Definition<string> => ({ meaning, start });
const amount = (meaning: string, start: number): Definition<number> => ({ meaning, start });

export const switchTable = {
	// Names and forms of what is sent and answered
	inquiryListField: text('field that holds the items of the inquiry list', 'items'),
	batchListField: text('field that holds the items of the batch list', 'items'),
	batchInquiryListField: text('field that holds the items of the batch-inquiry list', 'items'),
	batchBodyField: text('body field that carries the inquiries of a batch', 'inquiries'),
	createPrincipalKeys: choice('key style of principals inside an inquiry', ['camel', 'snake']),
	createLicenseKeys: choice('key style of licenses inside an inquiry (printed as license_name …)', ['snake', 'camel']),
	pdfForm: choice('what the PDF endpoint answers', [
		'bytes',
		'base64Text',
		'jsonString',
		'jsonContent',
		'jsonUrl',
		'json',
	]),
	pdfBeforeCompletion: choice('PDF of an inquiry that has not ended', ['served', 'refused']),
	errorForm: choice('shape of every refusal', [
		'detailText',
		'detailList',
		'message',
		'error',
		'errors',
		'text',
		'html',
	]),
	timestampForm: choice('how timestamps are written', ['milliseconds', 'microseconds', 'seconds']),
	termsResponse: choice('answer of accept-inquiry-terms', ['message', 'profile', 'empty']),

	// What rows of lists carry
	listRows: choice('rows of the inquiry list', ['full', 'summary']),
	listRowsCompletedAt: flag('rows of the inquiry list carry startedAt and completedAt', true),
	listRowsExternalId: flag('rows of the inquiry list carry externalId', true),
	batchRowsId: choice('key of the inquiry id in batch-inquiry rows', ['id', 'inquiryId', 'none']),
	batchRowsExternalId: flag('batch-inquiry rows carry externalId', true),
	echoBusinessName: flag('inquiries carry the submitted businessName and businessDba', false),

	// Authentication and limits
	apiKeyHeader: text('header that carries an API key', 'Authorization'),
	apiKeyScheme: text('word before the API key; empty for the bare key', 'Bearer'),
	externalAuth: choice('authentication of /external/api/v1', ['same', 'none', 'header']),
	externalHeader: text('header of the external key when externalAuth is header', 'X-External-Key'),
	tokenLifetimeMs: amount('lifetime of a fetched token', 3_600_000),
	termsRequired: flag('inquiries are refused before the terms were accepted', false),
	enforceDiscoveryLimit: flag('inquiries over the key’s discoveryLimit are refused', false),
	maxInFlight: amount('requests served at once before 429 is answered; 0 for any number', 0),

	// Life cycle
	lifecycle: choice('what moves inquiries: the clock, or only the test', ['clock', 'manual']),
	planningMs: amount('time in PLANNING', 1_000),
	runningMs: amount('time in RUNNING', 2_000),
	enrichingMs: amount('time in ENRICHING', 1_000),
	clusteringMs: amount('time from the end until businesses is filled', 500),
	businessesBeforeClustering: choice('businesses until then', ['null', 'empty', 'absent']),
	rerunDelayMs: amount('time that a finished inquiry still shows its old end after an addition', 0),
	completedAtOnRerun: choice('completedAt of an inquiry that runs again', [
		'cleared',
		'keptWhileRunning',
		'keptForever',
	]),
	startedAtOnRerun: choice('startedAt of an inquiry that runs again', ['renewed', 'kept']),
	additionsReopenUnsuccessful: flag('a principal or license also restarts PARTIAL_SUCCESS and FAILED', false),
	retryReopens: flag('retrying a failed process restarts the inquiry', true),
	filingReopens: flag('adding a filing restarts a finished inquiry', false),

	// Lists
	dateBounds: choice('created_at_from and created_at_to', ['exclusive', 'inclusive']),
	sortTies: choice('order of rows with equal sort keys', ['stable', 'alternating']),
	searchMatch: choice('search finds a part of a value, or only the whole', ['part', 'whole']),
	inquiryListDelayMs: amount('time until a new inquiry appears in lists', 0),
	batchListDelayMs: amount('time until a new batch appears in the batch list', 0),
	stalePagesMs: amount('time for which the same list request gets the same, stale answer', 0),
	batchOrder: choice('order of the batch list', ['newest', 'oldest', 'byId']),
	batchRowOrder: choice('order of the inquiries of a batch', ['submitted', 'byId']),

	// Batches
	invalidBatchItems: choice('a batch with invalid items', ['rejectAll', 'skip']),
	uniqueBatchNames: flag('a batch name that exists is refused with 409', false),
	enrichingCountedAs: choice('where ENRICHING goes in the counts of a batch', ['nothing', 'running']),
	progressScale: choice('progressPercentage', ['percent', 'fraction']),

	// Seller search, its callbacks, license verification
	sellerStatusPath: text('path of the status operation', '/external/api/v1/seller-detailed/{request_id}/status'),
	sellerResultPath: text('path of the result operation', '/external/api/v1/seller-detailed/{request_id}'),
	sellerLookupMethod: choice('method of both', ['GET', 'POST']),
	sellerMs: amount('time until a search is complete', 1_000),
	sellerCompleteAtOnce: flag('the submission already answers complete', false),
	sellerResultBeforeComplete: choice('result of a search that is not complete', ['status', 'refused']),
	reportRequestId: flag('the Seller Report carries request_id', true),
	reportSellerId: choice('where the Seller Report holds seller_id', ['top', 'nested']),
	callbackDelayMs: amount('time from complete to the callback', 0),
	callbackRetries: amount('repeats of a callback that was not answered with 2xx', 2),
	callbackRetryDelayMs: amount('time between them', 500),
	callbackDuplicates: amount('extra deliveries of each callback', 0),
	callbackKeepsQuery: flag('the query of the callback URL survives', true),
	licenseRequest: choice('how license verification takes its fields', ['query', 'body']),
	licenseSubcategoryName: choice('spelling of the subcategory field', ['licensee_subcategory', 'license_subcategory']),

	// Transport
	latencyMs: amount('real time added to every request', 0),
	dateHeaderSkewMs: amount('how far the HTTP Date header is off', 0),
} as const;

export type SwitchName = keyof typeof switchTable;
export type Switches = {
	-readonly [K in SwitchName]: (typeof switchTable)[K] extends Definition<infer T> ? T : never;
};

export const switchNames = Object.keys(switchTable) as SwitchName[];

const definitionOf = (name: string): Definition<unknown> | undefined =>
	Object.hasOwn(switchTable, name) ? switchTable[name as SwitchName] : undefined;

/** Says what is wrong with a setting, or nothing. */
export function switchProblem(name: string, value: unknown): string | undefined {
	const definition = definitionOf(name);
	if (!definition) return `there is no switch "${name}"`;
	if (definition.values && !definition.values.includes(value)) {
		return `switch "${name}" takes one of ${definition.values.join(', ')}`;
	}
	if (typeof value !== typeof definition.start || Number.isNaN(value)) {
		return `switch "${name}" takes a ${typeof definition.start}`;
	}
	return undefined;
}

/** A settings object that refuses unknown names and values, so that a misspelt switch cannot make a test pass. */
export function createSwitches(given: Partial<Switches> = {}): Switches {
	const start = Object.fromEntries(switchNames.map((name) => [name, switchTable[name].start]));
	const switches = new Proxy(start, {
		set(target, name, value) {
			const problem = switchProblem(String(name), value);
			if (problem) throw new TypeError(problem);
			target[String(name)] = value;
			return true;
		},
	}) as unknown as Switches;
	return Object.assign(switches, given);
}
