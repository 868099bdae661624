import fc from 'fast-check';
import {
	absorb,
	type CallbackMemory,
	forget,
	judge,
	pack,
	remember,
	rememberedAcrossRestarts,
	rememberedInProcess,
} from '../../nodes/BusinessVerification/callback/memory';

describe('the memory of callbacks', () => {
	it('knows new, duplicate and replayed', () => {
		const memory: CallbackMemory = new Map();
		expect(judge(memory, 'nonce', 'request 1')).toBe('new');
		remember(memory, 'nonce', 'request 1');
		expect(judge(memory, 'nonce', 'request 1')).toBe('duplicate');
		expect(judge(memory, 'nonce', 'request 2')).toBe('replayed');
		expect(judge(memory, 'another nonce', 'request 1')).toBe('new');
	});

	it('forgets for good, even what another call had stored meanwhile', () => {
		const memory: CallbackMemory = new Map();
		remember(memory, 'nonce', 'request 1');
		const stored = pack(memory);
		forget(memory, 'nonce');
		absorb(memory, stored);
		expect(judge(memory, 'nonce', 'request 2')).toBe('new');
		expect(pack(memory)).toBe('1:');
		remember(memory, 'nonce', 'request 2');
		expect(judge(memory, 'nonce', 'request 2')).toBe('duplicate');
	});

	it('survives a restart as a short text', () => {
		const memory: CallbackMemory = new Map();
		remember(memory, 'a', '1');
		remember(memory, 'b', '2');
		const packed = pack(memory);
		expect(packed).toHaveLength(2 + 2 * 20);

		const restarted: CallbackMemory = new Map();
		absorb(restarted, packed);
		expect(judge(restarted, 'a', '1')).toBe('duplicate');
		expect(judge(restarted, 'b', '1')).toBe('replayed');
		expect(pack(restarted)).toBe(packed);
	});

	it('keeps its own view where another process saw it otherwise', () => {
		const [ours, theirs]: CallbackMemory[] = [new Map(), new Map()];
		remember(ours, 'nonce', 'ours');
		remember(theirs, 'nonce', 'theirs');
		remember(theirs, 'second', 'x');
		absorb(ours, pack(theirs));
		expect(judge(ours, 'nonce', 'ours')).toBe('duplicate');
		expect(judge(ours, 'second', 'x')).toBe('duplicate');
	});

	it('is bounded and forgets the oldest first', () => {
		const memory: CallbackMemory = new Map();
		for (let n = 0; n <= rememberedInProcess; n++) remember(memory, `claim ${n}`, 'x');
		expect(memory.size).toBe(rememberedInProcess);
		expect(judge(memory, 'claim 0', 'x')).toBe('new');
		expect(judge(memory, 'claim 1', 'x')).toBe('duplicate');

		const packed = pack(memory);
		expect(packed).toHaveLength(2 + rememberedAcrossRestarts * 20);
		const restarted: CallbackMemory = new Map();
		absorb(restarted, packed);
		expect(judge(restarted, `claim ${rememberedInProcess}`, 'x')).toBe('duplicate');
		expect(judge(restarted, `claim ${rememberedInProcess - rememberedAcrossRestarts}`, 'x')).toBe('new');
	});

	it('takes nothing from a damaged or foreign record', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.string()), (packed) => {
				fc.pre(typeof packed !== 'string' || !packed.startsWith('1:'));
				const memory: CallbackMemory = new Map();
				absorb(memory, packed);
				expect(memory.size).toBe(0);
			}),
		);
		const memory: CallbackMemory = new Map();
		absorb(memory, '1:too short');
		expect(memory.size).toBe(0);
	});
});
