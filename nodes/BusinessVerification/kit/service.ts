import type { z } from 'zod';

/** The interface between operations and the engine: operations define requests, the engine sends them. */

export type Json = Record<string, unknown>;

export interface Address {
	method: 'GET' | 'POST';
	path: string;
	/** The path contains the ID of a record, so 404 means that the ID is unknown. */
	namesRecord?: boolean;
}

export interface Request extends Address {
	query?: Json;
	/** A buffer is JSON that the operation wrote itself; its bytes are sent unchanged. */
	body?: Json | Buffer;
	/**
	 * A read is sent again after a failure, and so is a `repeatable` change, which has the same effect however often it is
	 * made. A write is sent once, because each one bills or changes something.
	 */
	kind: 'read' | 'repeatable' | 'write';
	/** Texts in the request that must not be shown. Removed from messages and from responses that repeat them. */
	secrets?: ReadonlyArray<string | RegExp>;
	/** For a write of sheet rows: how many it bills. The operation itself remembers which rows were sent. */
	rows?: number;
	/** For a write: the ID by which its item, if it runs again, finds what it made, and bills nothing. */
	foundBy?: string;
	/** For a write: how the user finds out whether it was processed if there was no response. */
	ifUnknown?: string;
	/** By status: the setting that causes this refusal more often than the data do. */
	ifRefused?: Partial<Record<number, string>>;
}

/** A request, and the fields its response must have. Other fields are returned unread. */
export interface Question<T> extends Request {
	answer: z.ZodType<T, z.ZodTypeDef, unknown>;
}

export interface ListRequest {
	path: string;
	query?: Json;
	limit?: number;
	/** For an agent: the page to read. Otherwise all rows up to `limit` are returned. */
	page?: number;
	idOf(row: Json): string | undefined;
}

/** A page of a list, counted from 1. `total` is the number of rows that the service reports. */
export interface AgentPage {
	number: number;
	size: number;
	rows: number;
	total?: number;
}

/** How to wait for a record that finishes later. */
export interface Watch {
	id: string;
	/** All records of one list are checked by reading its pages, which takes fewer requests than reading each record. */
	list: Omit<ListRequest, 'limit' | 'page'>;
	read: Question<Json>;
	/** Whether a row of the list is worth reading the record. */
	mayBeDone(row: Json): boolean;
	/** Called once for every record that was read, and for every row that is not worth it. */
	isDone(record: Json): boolean;
	/** The record was returned before, so it exists even if a read does not show it yet. */
	isKnown?: boolean;
	/** The record was just read and is not done, so the first check can wait. */
	isFresh?: boolean;
	maxWaitMs: number;
	pollIntervalMs: number;
}

export interface Watched {
	record: Json;
	timedOut: boolean;
}

/** Points that the API documentation leaves open, as set in the credential. */
export interface Settings {
	baseUrl: string;
	sellerStatusPath: string;
	sellerResultPath: string;
	sellerLookupMethod: 'GET' | 'POST';
	licenseRequest: 'query' | 'body';
	licenseSubcategoryName: 'licensee_subcategory' | 'license_subcategory';
	licenseKeys: 'snakeCase' | 'camelCase';
	batchItemsField: string;
	listItemsField: string;
	callbackSecret: string;
	previousCallbackSecret: string;
}

/** Submissions of an agent by their data (`fingerprint`), because agents make up external IDs and batch names. */
export interface Intentions {
	get(wish: string): Json | undefined;
	set(wish: string, made: Json): void;
}

export interface Service {
	readonly settings: Settings;
	/** Whether an earlier try of this run already made the next write of this item. */
	wasSent(): boolean;
	/** Made by the first try of a run; if n8n retries the node, the later tries get the same object. */
	ofRun<T extends object>(make: () => T): T;
	/** The calling agent's submissions; undefined if no agent calls, or with 'Submit Again if Repeated'. */
	readonly intentions?: Intentions;
	/** The item's last write, which got no answer or met a conflict, was carried out and made this record. */
	found(record: Json): void;
	send<T>(question: Question<T>): Promise<T>;
	/** The bytes of the response. */
	download(request: Request): Promise<Buffer>;
	list(request: ListRequest): Promise<Json[]>;
	/** Shares its requests with all other items of this execution that wait. The item does not count in `forEach` meanwhile. */
	wait(watch: Watch): Promise<Watched>;
	/**
	 * Within this process, tasks of one credential with the same key run one after another. `task` must read what it needs
	 * itself, because anything read before may be outdated.
	 */
	exclusive<T>(key: string, task: () => Promise<T>): Promise<T>;
	shared<T>(key: string, task: () => Promise<T>): Promise<T>;
	/** Recent results, kept for the credential by this process, because a list may show new records late. */
	readonly recent: { get(key: string): Json | undefined; set(key: string, value: Json): void };
	/** A hint beside the output. Of several items with a remark of one `kind`, the first one's is shown, with their number. */
	remark(text: string, kind?: string): void;
	/**
	 * Advice for an agent, which names other tools by their actions. Must not contain text from the service, which an
	 * agent could take for instructions.
	 */
	advise(...sentences: string[]): void;
	/** Throws if this many more submissions exceed the 'Spending Limit'. */
	refuseOverspending(submissions: number): void;
	/** For an execution that waits until a webhook is called. */
	readonly sleep: {
		/** With 'Execute Once', n8n hands the node a copy of its items, so it would not store what is put there. */
		isPossible(): boolean;
		/** The URL to call. */
		resumeUrl(): string;
		/** `state` is used to check a call, and is the output if the limit passes; 0 means no limit. */
		until(limitMs: number, state: Json): Promise<void>;
	};
	/** Runs tasks in parallel up to the concurrency; results are in their order. */
	forEach<T, R>(tasks: readonly T[], run: (task: T) => Promise<R>): Promise<R[]>;
	/** Evaluates a parameter for one item; for fields that are `isRaw`. */
	evaluate(parameter: string, item: number): unknown;
	/** With 'Stop Workflow' the first failure stops the run, so everything should be checked before anything is sent. */
	readonly stopsOnFailure: boolean;
	pause(ms: number): Promise<void>;
	/** Runs long work in steps, so that requests already started, and the rest of n8n, are not blocked. */
	inTurns<T>(steps: Iterator<unknown, T>): Promise<T>;
	/** Milliseconds since this process started, not by the system clock. An earlier process may have run until then. */
	uptime(): number;
}

/** For each cause that n8n's scheduler understands, and other n8n versions ignore, where to correct the failure. */
const kinds = {
	'rate-limited': 'service',
	'temporarily-unavailable': 'service',
	'credential-invalid': 'credential',
	'configuration-invalid': 'settings',
} as const;

/**
 * Where to correct a failure. For `service` it may pass without a correction. A failure without a cause is about the
 * data of its item, unless the service accepted or may have accepted just those.
 */
export function kindOf({ cause, submission }: FailureDetails) {
	if (cause !== undefined) return kinds[cause];
	return submission === undefined || submission === 'partial' ? 'row' : 'service';
}

/** What to do about a failure. One of the service may pass without a correction. */
export const adviceOf = (details: FailureDetails): string | undefined =>
	details.description ??
	(kindOf(details) === 'service' && details.submission === undefined
		? `Try again ${details.retryAfterMs ? `in ${Math.ceil(details.retryAfterMs / 1000)} seconds` : 'later'}.`
		: undefined);

/** Of what the service has accepted. */
export const notAgain = 'Do not submit it again';

export interface FailureDetails {
	/** What to do. Must not contain text of the service or of a sheet: an agent takes it as advice. */
	description?: string;
	/** What was found out. It may quote others, so people read it before the description, and an agent as data. */
	facts?: string;
	/** The row that the message names. Then the number of the item is not added. */
	row?: number;
	/** Name of the parameter that has to change. */
	parameter?: string;
	httpCode?: number;
	/** ID of the record that was waited for. */
	id?: string;
	/**
	 * Present if the write is not confirmed (`unknown`), was accepted before the failure, or if a part was: other rows, or
	 * other items of the run that it stops.
	 */
	submission?: 'unknown' | 'accepted' | 'partial';
	cause?: keyof typeof kinds;
	retryAfterMs?: number;
}

/** Any failure of one item. `engine/run.ts` turns it into an error of n8n or into an error item. */
export class Failure extends Error {
	constructor(
		message: string,
		readonly details: FailureDetails = {},
	) {
		super(message);
	}
}

/** Only for requests that name a record. For others, 404 means that the base URL is wrong. */
export const isUnknownRecord = (error: unknown): boolean => error instanceof Failure && error.details.httpCode === 404;

/** Returns a `Failure` instead of throwing it. Any other error is a bug, so it is still thrown. */
export const tried = <T>(asked: Promise<T>): Promise<T | Failure> =>
	asked.catch((error: unknown) => (error instanceof Failure ? error : Promise.reject(error)));

/** For a write without a usable response, which may have been processed. `ifUnknown` says how to check. */
export const unknownOutcome = (
	message: string,
	details: FailureDetails,
	ifUnknown = 'Check at the service before you submit it again.',
	wrongSetting?: string,
): Failure =>
	new Failure(`The submission is not confirmed: ${message.replace(/^The /, 'the ')}`, {
		...details,
		submission: 'unknown',
		description: wrongSetting === undefined ? ifUnknown : `${wrongSetting} ${ifUnknown}`,
	});
