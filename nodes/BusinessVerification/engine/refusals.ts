import { Failure } from '../definition';
import { type Answer, isGood } from './answer';
import type { Lost } from './lost';

/** So many refusals in a row end the asking where the credential had been good before, or where 403 may mean a right. */
const doubtful = 3;

/** A credential that is refused once would be refused for every item: the later ones fail unsent, with the same reason. */
export class Refusals {
	private wasGood = false;
	private inRow = 0;
	private reason: Failure | undefined;

	check(): void {
		if (this.reason === undefined) return;
		const { message, details } = this.reason;
		const description = `${details.description ?? ''} Nothing was sent: an earlier request was refused for the same reason.`;
		throw new Failure(message, { ...details, description: description.trim() });
	}

	/** What every request came to, and the failure of those that are not repeated. */
	note(result: Answer | Lost, failure?: Failure): void {
		if ('status' in result && isGood(result)) {
			this.wasGood = true;
			this.inRow = 0;
		} else if (failure !== undefined && ++this.inRow >= this.allowed(result)) {
			this.reason = failure;
		}
	}

	private allowed(result: Answer | Lost): number {
		if ('sent' in result) return result.refusedBy === undefined ? Infinity : 1;
		if (result.status === 401) return this.wasGood ? doubtful : 1;
		return result.status === 403 && !this.wasGood ? doubtful : Infinity;
	}
}
