/** What was submitted and would have cost money or changed something: the proof of "exactly once". */

/** What an endpoint calls that which it takes: `inquiry`, `batch`, `principal` … */
export type SubmissionKind = string;

export interface Submission {
	kind: SubmissionKind;
	/** What came of it: inquiry, batch, principal, process, request … */
	id: string;
	organizationId: string;
	at: number;
	/** What the caller calls it: externalId, batch name, last name, license triple … */
	key: string | null;
	/** Of a batch: the externalId of each of its rows. */
	keys?: (string | null)[];
	/** How many inquiries, or verifications, it stands for. */
	count: number;
	/** An idempotent repeat: accepted again, without effect or cost. */
	duplicate?: boolean;
}

export class Ledger extends Array<Submission> {
	static get [Symbol.species]() {
		return Array;
	}

	/** The number of submissions, of one kind or of all. */
	count(kind?: SubmissionKind): number {
		return kind === undefined ? this.length : this.filter((entry) => entry.kind === kind).length;
	}

	/** How often this externalId, batch name or other key was submitted, alone or as a row of a batch. */
	times(key: string): number {
		return this.reduce((sum, entry) => {
			const inRows = entry.keys?.filter((row) => row === key).length ?? 0;
			return sum + inRows + (entry.key === key ? 1 : 0);
		}, 0);
	}

	clear(): void {
		this.length = 0;
	}
}
