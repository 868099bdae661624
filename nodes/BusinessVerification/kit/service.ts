import type { z } from 'zod';

/** What operations are handed: a service they can ask, without knowing how requests travel. Names no endpoint. */

export type Json = Record<string, unknown>;

export interface Address {
	method: 'GET' | 'POST';
	path: string;
	/** The path holds the ID of a record, which 404 is then about. */
	namesRecord?: boolean;
}

export interface Request extends Address {
	query?: Json;
	/** A long one may be written as JSON by the operation; its bytes are sent as they are. */
	body?: Json | Buffer;
	/** A read may be repeated. A write is sent once: it costs money or changes something. */
	kind: 'read' | 'write';
	/** What it carries, or its answer may repeat, and nobody may read: taken out of answers and messages. */
	secrets?: ReadonlyArray<string | RegExp>;
	/** For a write that stands for rows of a sheet: the operation itself remembers which ones went out. */
	ofRows?: true;
	/** For a write: how many submissions it is billed as; one, unless it says more. */
	submissions?: number;
	/** For writes: how the user finds out whether an unanswered one was processed. */
	ifUnknown?: string;
	/** By status: the setting that is to blame for such a refusal more often than the data. */
	ifRefused?: Partial<Record<number, string>>;
	/** Milliseconds; the node's own setting unless given. */
	timeout?: number;
	/** A read that is worth nothing when it comes late. */
	once?: true;
}

/** A request and what is needed of its answer; the rest of the answer passes through. */
export interface Question<T> extends Request {
	answer: z.ZodType<T, z.ZodTypeDef, unknown>;
	/** For a write that an agent repeats: how to read what the first one made. */
	again?(made: T): Question<T>;
}

export interface Download {
	bytes: Buffer;
	contentType: string;
}

export interface ListRequest {
	path: string;
	query?: Json;
	limit?: number;
	/** Which page an agent reads; everybody else gets all rows up to the limit. */
	page?: number;
	idOf(row: Json): string | undefined;
}

/** A page of a list, counted from 1, and what the service says of the whole. */
export interface AgentPage {
	number: number;
	size: number;
	rows: number;
	total?: number;
}

/** Something that finishes later: how to read one, how to read many at once, when it is done. */
export interface Watch {
	id: string;
	/** Rows of things that finish together share one list, so that a round costs pages and not one request each. */
	list: {
		path: string;
		/** `created` spans what is waited for, where that is known. */
		query(created?: { from: string; to: string }): Json;
		idOf(row: Json): string | undefined;
		createdAtOf?(row: Json): string | undefined;
	};
	read: Question<Json>;
	/** Cheap look at a list row: is a full read worth it? */
	mayBeDone(row: Json): boolean;
	/** Told of every record before it is judged, also of rows that are not worth a read. */
	note?(record: Json): void;
	isDone(record: Json): boolean;
	createdAt?: string;
	/** It was answered before, so that it exists even where it is shown late. */
	isKnown?: boolean;
	/** It was seen a moment ago, and was not done: the first check can wait. */
	isFresh?: boolean;
	maxWaitMs: number;
	pollIntervalMs: number;
}

export interface Watched {
	record: Json;
	timedOut: boolean;
}

/** What the interface document leaves open and the credential therefore holds. */
export interface Settings {
	baseUrl: string;
	sellerStatusPath: string;
	sellerResultPath: string;
	sellerLookupMethod: 'GET' | 'POST';
	licenseRequest: 'query' | 'body';
	licenseSubcategoryName: 'licensee_subcategory' | 'license_subcategory';
	batchItemsField: string;
	listItemsField: string;
	callbackSecret: string;
	previousCallbackSecret: string;
	signingSecret: string;
}

/** Kept by what was wanted, not by how it was called. */
export interface Intentions {
	get(wish: string): Json | undefined;
	set(wish: string, made: Json): void;
}

export interface Service {
	readonly settings: Settings;
	/** Whether an earlier try of this run has made the next write of this item already. */
	wasSent(): boolean;
	/** Made by the first try of a run; the later ones, if n8n makes any, are handed the same. */
	ofRun<T extends object>(make: () => T): T;
	/** What the agent that calls has submitted; undefined where nobody does, or where to submit once more is meant. */
	readonly intentions?: Intentions;
	/** After a write: how the item shall leave if anything fails from now on. Its answer, unless this says more. */
	accepted(record: Json): void;
	/** Sends one request and returns its answer, read. */
	send<T>(question: Question<T>): Promise<T>;
	/** Asks for the answer's bytes, whatever they are. */
	download(request: Request): Promise<Download>;
	list(request: ListRequest): Promise<Json[]>;
	/** Waits together with everything else of this execution that waits; the item's place in the queue is given up. */
	wait(watch: Watch): Promise<Watched>;
	/** Inside this process only one task of an organization at a time holds a key. */
	exclusive<T>(key: string, task: () => Promise<T>): Promise<T>;
	/** Done once per execution, however many items ask. */
	shared<T>(key: string, task: () => Promise<T>): Promise<T>;
	/** What this process learned lately, known to tasks that hold a key of the organization: a list may show new records late. */
	readonly recent: { get(key: string): Json | undefined; set(key: string, value: Json): void };
	remark(text: string): void;
	/**
	 * What an agent is told to do next; nobody else reads it. `{inquiry.get}` stands for that tool, and a sentence is left
	 * out where there is none. It never holds what others wrote.
	 */
	advise(...sentences: string[]): void;
	/** Throws if so many more submissions are beyond what agents may spend. */
	refuseOverspending(submissions: number): void;
	/** For an execution that sleeps until it is called. */
	readonly sleep: {
		/** Where a call wakes it. The same when n8n tries the node again. */
		wakeUrl<U extends object>(make: (resumeUrl: string) => U): U;
		/** `state` is what a waking call is judged by, and what comes out when the limit passes; 0 has no limit. */
		until(limitMs: number, state: Json): Promise<void>;
	};
	/** Said while the node is still working, where n8n shows that. */
	progress(text: string): void;
	/** Side by side under the execution's cap; results in the order of the tasks. `release` gives a place up early. */
	forEach<T, R>(tasks: readonly T[], run: (task: T, release: () => void) => Promise<R>): Promise<R[]>;
	/** A parameter of one item, evaluated now; for those an operation has asked to get raw. */
	evaluate(parameter: string, item: number): unknown;
	/** The first failure will end the run, so what can be checked should be checked before anything is sent. */
	readonly stopsOnFailure: boolean;
	pause(ms: number): Promise<void>;
	/** Long work, step by step: what was sent before leaves first, and all else that n8n does has its turns in between. */
	inTurns<T>(steps: Iterator<unknown, T>): Promise<T>;
	/** Milliseconds since this process began, whatever the clock on the wall is set to. Whoever ran here before it may have been killed until then. */
	now(): number;
}

/** Why something failed, in the words of n8n's scheduler; hosts that do not know these ignore them. */
type HostCause = 'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid';

/** Who has to act on a failure, as error items say it: whoever keeps the data, nobody but time, or whoever set up the credential or the node. */
export type ErrorKind = 'row' | 'service' | 'credential' | 'settings';

const kinds: Record<HostCause, ErrorKind> = {
	'rate-limited': 'service',
	'temporarily-unavailable': 'service',
	'credential-invalid': 'credential',
	'configuration-invalid': 'settings',
};

/** A failure without a cause is about the data of its item, unless the service took them or may have taken them. */
export function kindOf({ cause, submission, wasAskedFor }: FailureDetails): ErrorKind {
	if (cause !== undefined) return kinds[cause];
	return submission !== undefined || wasAskedFor === true ? 'service' : 'row';
}

export interface FailureDetails {
	description?: string;
	/** The parameter that has to change, by its name in the node. */
	parameter?: string;
	httpCode?: number;
	/** Present when a write may have been processed although no proper answer came back, or was accepted before this, or was in part. */
	submission?: 'unknown' | 'accepted' | 'partial';
	/** The user has chosen that this counts as a failure, although nothing went wrong. */
	wasAskedFor?: true;
	cause?: HostCause;
	retryAfterMs?: number;
}

/** Everything that stops one item. `engine/run.ts` turns it into n8n's errors or into an error item. */
export class Failure extends Error {
	constructor(
		message: string,
		readonly details: FailureDetails = {},
	) {
		super(message);
		this.name = 'Failure';
	}
}

/** What was asked for, or the failure that is told instead; any other error is a fault of ours. */
export const tried = <T>(asked: Promise<T>): Promise<T | Failure> =>
	asked.catch((error: unknown) => (error instanceof Failure ? error : Promise.reject(error)));

/** A write may have been processed although no proper answer came back. `ifUnknown` says how to find out. */
export const unknownOutcome = (message: string, details: FailureDetails, ifUnknown?: string): Failure =>
	new Failure(`${message}. Whether the service processed the submission is unknown`, {
		...details,
		submission: 'unknown',
		description: `It was not sent again, so that nothing is billed twice. ${ifUnknown ?? 'Look it up in the service before you send it again.'}`,
	});
