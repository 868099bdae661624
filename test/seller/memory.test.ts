import fc from '../harness/seed';
import { CallbackMemory, rememberedCallbacks } from '../../nodes/BusinessVerification/seller/reception';

const hour = 3_600_000;
const day = 24 * hour;
/** The start of an hour. */
const now = 490_000 * hour;

/** What a process knows that starts with what another has stored. */
function restarted(memory: CallbackMemory): CallbackMemory {
	const next = new CallbackMemory();
	next.absorb(memory.pack());
	return next;
}

describe('the memory of callbacks', () => {
	it('knows a claim that has no time of its own, whenever it comes again', () => {
		const memory = new CallbackMemory();
		memory.remember('request 1', 'request 1', now);
		expect(memory.judge('request 1', 'request 1', now, now + 3 * day)).toBe('duplicate');
	});

	it('gives a claim back for good, even one that another call had stored meanwhile', () => {
		const memory = new CallbackMemory();
		memory.remember('nonce', 'request 1', now);
		const stored = memory.pack();
		memory.release('nonce');
		memory.absorb(stored);
		expect(memory.judge('nonce', 'request 2', now, now)).toBe('new');
		expect(memory.pack()).toBe('0');
		memory.remember('nonce', 'request 2', now);
		expect(memory.judge('nonce', 'request 2', now, now)).toBe('duplicate');
		expect(memory.pack()).toHaveLength('0 '.length + 12 + '490000'.length);
	});

	it('survives a restart as a short text, a callback a word', () => {
		const memory = new CallbackMemory();
		memory.remember('a', '1', now - hour);
		memory.remember('b', '2', now);
		memory.remember('c', '3', now);
		const packed = memory.pack();
		expect(packed).toMatch(/^0 [\w-]{12}489999( [\w-]{12}490000){2}$/);

		const after = restarted(memory);
		expect(after.judge('a', '1', now - hour, now)).toBe('duplicate');
		expect(after.judge('b', '1', now, now)).toBe('used');
		expect(after.judge('d', '1', 0, now)).toBe('new');
		expect(after.pack()).toBe(packed);
	});

	it('keeps its own view where another process saw it otherwise', () => {
		const [ours, theirs] = [new CallbackMemory(), new CallbackMemory()];
		ours.remember('nonce', 'ours', now);
		theirs.remember('nonce', 'theirs', now);
		theirs.remember('second', 'x', now);
		ours.absorb(theirs.pack());
		expect(ours.judge('nonce', 'ours', now, now)).toBe('duplicate');
		expect(ours.judge('second', 'x', now, now)).toBe('duplicate');
	});

	it('after a restart knows of each callback what it knew before, whatever was accepted, given back and read', () => {
		const claims = ['a', 'b', 'c', 'd'];
		const step = fc.record({
			does: fc.constantFrom('remember', 'forget', 'store', 'read'),
			claim: fc.constantFrom(...claims),
			hours: fc.integer({ min: 0, max: 2 }),
			by: fc.constantFrom('this', 'another'),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				const processes = { this: new CallbackMemory(), another: new CallbackMemory() };
				let stored = '';
				for (const { does, claim, hours, by } of steps) {
					const memory = processes[by];
					const issuedAt = now - hours * hour;
					if (does === 'forget') memory.release(claim);
					else if (does === 'store') stored = memory.pack();
					else if (does === 'read') memory.absorb(stored);
					else if (memory.judge(claim, claim, issuedAt, now) === 'new') memory.remember(claim, claim, issuedAt);
				}
				for (const memory of Object.values(processes)) {
					const verdicts = (each: CallbackMemory) => claims.map((claim) => each.judge(claim, claim, now, now));
					expect(verdicts(restarted(memory))).toEqual(verdicts(memory));
				}
			}),
		);
	});

	describe('where it ends', () => {
		/** One callback a minute over a little more than fit: the last has just come. */
		const many = (count: number) => {
			const memory = new CallbackMemory();
			for (let n = 0; n < count; n++) memory.remember(`claim ${n}`, 'x', issued(count, n));
			return memory;
		};
		const issued = (count: number, n: number) => now - (count - 1 - n) * 60_000;

		it('never takes a used URL again after a restart: what it left out is older than the mark', () => {
			const count = rememberedCallbacks + 1000;
			const after = restarted(many(count));
			const verdicts = Array.from({ length: count }, (_, n) => after.judge(`claim ${n}`, 'x', issued(count, n), now));
			expect(verdicts.filter((verdict) => verdict === 'new')).toEqual([]);
			expect(verdicts.filter((verdict) => verdict === 'duplicate')).toHaveLength(rememberedCallbacks);
			expect(verdicts.filter((verdict) => verdict === 'used')).toHaveLength(1000);
		});

		it('gives up a URL of before the mark that was never used, and none of after it', () => {
			const count = rememberedCallbacks + 1000;
			const after = restarted(many(count));
			expect(after.judge('unused', 'x', issued(count, 900), now)).toBe('used');
			expect(after.judge('unused', 'x', issued(count, 1100), now)).toBe('new');
		});

		it('is bounded, and drops what was issued first, whenever it came', () => {
			const memory = new CallbackMemory();
			memory.remember('late, but issued today', 'x', now - hour);
			memory.remember('issued first', 'x', now - 9 * day);
			for (let n = 2; n <= rememberedCallbacks; n++) memory.remember(`claim ${n}`, 'x', now - 2 * day);
			expect(memory.judge('issued first', 'x', now - 9 * day, now)).toBe('used');
			expect(memory.judge('unused', 'x', now - 9 * day + hour, now)).toBe('new');
			expect(memory.judge('late, but issued today', 'x', now - hour, now)).toBe('duplicate');

			const text = memory.pack();
			expect(text.length).toBeLessThan(20 * rememberedCallbacks);
			expect(restarted(memory).judge('late, but issued today', 'x', now - hour, now)).toBe('duplicate');
		});

		it('loses no report of the last day to a burst, at the price that one of its URLs may serve twice', () => {
			const memory = new CallbackMemory();
			for (let n = 0; n < rememberedCallbacks + 10; n++) memory.remember(`claim ${n}`, 'x', now - 2 * hour);
			const after = restarted(memory);
			expect(after.judge('under way since then', 'x', now - 2 * hour, now)).toBe('new');
			expect(after.judge('claim 0', 'x', now - 2 * hour, now)).toBe('new');
			// A day after it was issued, nobody would know whether it was used.
			const later = now + 22 * hour;
			expect(after.judge('claim 0', 'x', now - 2 * hour, later)).toBe('new');
			expect(after.judge('claim 0', 'x', now - 2 * hour, later + 1)).toBe('used');
			expect(after.judge(`claim ${rememberedCallbacks}`, 'x', now - 2 * hour, now)).toBe('duplicate');
		});
	});

	it('takes nothing from a damaged or foreign record', () => {
		const empty = new CallbackMemory().pack();
		// A number alone is a mark.
		const foreign = fc.anything().map((one) => (typeof one === 'string' ? one.replaceAll(/\d/g, 'x') : one));
		fc.assert(
			fc.property(foreign, (packed) => {
				const memory = new CallbackMemory();
				memory.absorb(packed);
				expect(memory.pack()).toBe(empty);
			}),
		);
		const memory = new CallbackMemory();
		for (const damaged of ['0 short490000', '-1 abcdefghijkl', 'none abcdefghijkl4900000000']) memory.absorb(damaged);
		expect(memory.pack()).toBe(empty);
		// Nor does a mark in the future refuse a URL of the last day.
		memory.absorb('999999999');
		expect(memory.judge('unused', 'x', now - day, now)).toBe('new');
	});
});
