import { createHash } from 'node:crypto';

/**
 * Which callbacks were accepted: for every claim (the nonce of a signed URL; where nothing is signed, the report's own
 * identity) the identity that used it first, as short digests, by the hour in which the URL was issued.
 *
 * Memory ends somewhere. Where it has forgotten, the signed time of issue still speaks: a URL issued before the mark is
 * refused unless it is remembered. The mark never reaches into the last day, so no report that takes less is lost; a URL
 * younger than that may start a second execution when more callbacks than fit were accepted since it was issued.
 */
export const rememberedInProcess = 50_000;
/** In the workflow's static data, which n8n writes as a whole. */
export const rememberedAcrossRestarts = 5_000;

const version = '2';
const claimLength = 8;
const identityLength = 4;
const entryLength = claimLength + identityLength;
const entryShape = new RegExp(`(.{${claimLength}})(.{${identityLength}})`, 'g');
const open = '';

const hourOf = (time: number) => Math.floor(time / 3_600_000);
/** A URL of this age may be given up; one that is younger may still be under way. */
const latestMark = (now: number) => hourOf(now) - 24;

/** `replayed`: the claim was used before, by something else. `forgotten`: nobody can tell any more. */
export type Verdict = 'new' | 'duplicate' | 'replayed' | 'forgotten';

export class CallbackMemory {
	private readonly accepted = new Map<string, Accepted>();
	/** The same by the hour in which the URLs were issued; where nothing is signed, in which the call came. */
	private readonly hours = new Map<number, Hour>();
	private mark = Number.NEGATIVE_INFINITY;

	judge(claim: string, identity: string, issuedAt: number): Verdict {
		const known = this.accepted.get(digest(claim, claimLength));
		if (known === undefined) return hourOf(issuedAt) < this.mark ? 'forgotten' : 'new';
		if (known.identity === open) return 'new';
		return known.identity === digest(identity, identityLength) ? 'duplicate' : 'replayed';
	}

	remember(claim: string, identity: string, issuedAt: number, now: number): void {
		this.keep(digest(claim, claimLength), { hour: hourOf(issuedAt), identity: digest(identity, identityLength) });
		while (this.accepted.size > rememberedInProcess) this.dropOldest(now);
	}

	/** For an accepted callback that n8n then could not turn into an execution: its next copy is new again. */
	forget(claim: string): void {
		// Kept as open rather than deleted: a call beside it may have stored the claim, and it would be absorbed again.
		const known = this.accepted.get(digest(claim, claimLength));
		if (known === undefined) return;
		known.identity = open;
		const hour = this.hours.get(known.hour)!;
		hour.packed = [...hour.claims].map((each) => this.entryOf(each)).join('');
	}

	/** The latest issued as one text that static data can hold. Made with every call, so nothing here goes through them all. */
	pack(now: number): string {
		let left = rememberedAcrossRestarts;
		let { mark } = this;
		const kept: string[] = [];
		for (const hour of [...this.hours.keys()].sort((one, other) => other - one)) {
			const { packed } = this.hours.get(hour)!;
			const isWhole = left > 0 && packed.length <= left * entryLength;
			const entries = left === 0 ? '' : packed.slice(-left * entryLength);
			if (!isWhole) mark = Math.max(mark, Math.min(hour + 1, latestMark(now)));
			if (entries !== '') kept.push(`${hour}:${entries}`);
			if (!isWhole) break;
			left -= entries.length / entryLength;
		}
		return [version, Number.isFinite(mark) ? mark : '', ...kept].join(' ');
	}

	/** Takes over what another process or an earlier run remembered. What this process saw itself wins. */
	absorb(packed: unknown): void {
		if (typeof packed !== 'string') return;
		const [writtenBy, mark, ...hours] = packed.split(' ');
		if (writtenBy !== version) return;
		// Who remembers something itself knows better than a record, which holds less.
		if (this.accepted.size === 0 && /^\d+$/.test(mark)) this.mark = Number(mark);
		for (const text of hours) {
			const [, hour, entries = ''] = /^(\d{1,9}):([\w-]+)$/.exec(text) ?? [];
			// What a call of this process has written a moment ago.
			if (this.hours.get(Number(hour))?.packed.includes(entries)) continue;
			for (const [, claim, identity] of entries.matchAll(entryShape))
				if (!this.accepted.has(claim)) this.keep(claim, { hour: Number(hour), identity });
		}
	}

	/** Nothing of what is open. */
	private entryOf(claim: string): string {
		const { identity } = this.accepted.get(claim)!;
		return identity === open ? '' : claim + identity;
	}

	private keep(claim: string, entry: Accepted): void {
		const before = this.accepted.get(claim);
		if (before !== undefined) this.hours.get(before.hour)?.claims.delete(claim);
		this.accepted.set(claim, entry);
		const { claims, packed } = this.hours.get(entry.hour) ?? { claims: new Set(), packed: '' };
		this.hours.set(entry.hour, { claims: claims.add(claim), packed: packed + claim + entry.identity });
	}

	private dropOldest(now: number): void {
		const hour = Math.min(...this.hours.keys());
		const oldest = this.hours.get(hour)!;
		const [claim] = oldest.claims;
		this.mark = Math.max(this.mark, Math.min(hour + 1, latestMark(now)));
		if (claim === undefined) return void this.hours.delete(hour);
		oldest.claims.delete(claim);
		oldest.packed = oldest.packed.slice(this.entryOf(claim).length);
		this.accepted.delete(claim);
	}
}

interface Accepted {
	hour: number;
	identity: string;
}

interface Hour {
	claims: Set<string>;
	/** Their entries in the same order. */
	packed: string;
}

const digest = (text: string, length: number) => createHash('sha256').update(text).digest('base64url').slice(0, length);
