import { Failure, type Json } from '../definition';
import { asObject } from './outputs';

const mostListed = 50;

/** What the service has accepted in this run of the node. Nothing of it may be lost, whatever fails afterwards. */
export class Submissions {
	/** Of the items that are not done yet: what is known of what they submitted. */
	private readonly records = new Map<number, Json>();
	private readonly listed: string[] = [];
	private count = 0;
	/** Items whose outcome is unknown, beside the one whose error ends the run. */
	private readonly open: number[] = [];

	accept(item: number, answer: unknown): void {
		this.count++;
		const id = identifierOf(answer);
		if (this.listed.length < mostListed) this.listed.push(item < 0 ? id : `${id} (item ${item})`);
		this.describe(item, asObject(answer));
	}

	/** How the item shall leave if something fails from now on. */
	describe(item: number, record: Json): void {
		this.records.set(item, record);
	}

	recordOf(item: number): Json | undefined {
		return this.records.get(item);
	}

	close(item: number): void {
		this.records.delete(item);
	}

	leaveOpen(item: number): void {
		this.open.push(item);
	}

	/** A failure that was asked for, such as that of a wait that took too long: the item was paid for all the same. */
	named(failure: Failure, record: Json): Failure {
		const said = `It was submitted and accepted (${identifierOf(record)}), so do not submit it again.`;
		const description = [failure.details.description, said].filter(Boolean).join(' ');
		return new Failure(failure.message, { ...failure.details, submission: 'accepted', description });
	}

	/** For the error that ends the run: what was paid for, and how to go on without paying twice. */
	get summary(): string | undefined {
		return [this.acceptedSummary, this.openSummary].filter(Boolean).join(' ') || undefined;
	}

	private get openSummary(): string | undefined {
		if (this.open.length === 0) return undefined;
		const items = this.open.slice(0, mostListed).join(', ');
		return `Whether the service processed what ${this.open.length} more submitted is unknown too (item ${items}): look for it before you run them again.`;
	}

	private get acceptedSummary(): string | undefined {
		if (this.count === 0) return undefined;
		const more = this.count > this.listed.length ? ` and ${this.count - this.listed.length} more` : '';
		return (
			`${this.count} submissions were accepted in this run and are not in its output: ${this.listed.join(', ')}${more}. ` +
			"Running the workflow again would submit them again: run it with the other items only. With 'On Error' set to " +
			"'Continue (using error output)', or with 'Retry On Fail', nothing that was accepted is lost or sent twice."
		);
	}
}

/** The first ID of an answer; the document gives each kind of record another name for it. */
function identifierOf(answer: unknown): string {
	const records = Array.isArray(answer) ? answer : [answer];
	const ids = records.map((record) =>
		Object.entries(asObject(record)).find(([name, value]) => /(^|_)id$|[a-z]Id$/.test(name) && isShort(value)),
	);
	return ids.flatMap((found) => (found === undefined ? [] : [String(found[1])])).join(' + ') || 'without an ID';
}

const isShort = (value: unknown) =>
	(typeof value === 'string' && value !== '' && value.length <= 100) || typeof value === 'number';
