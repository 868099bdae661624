import { Turns } from '../../nodes/BusinessVerification/watch/triggerMemory';

it('gives a turn to one at a time, for each key', () => {
	const turns = new Turns();
	const first = turns.take('a', 0, 1_000);
	expect(turns.take('a', 999, 1_000)).toBeNull();
	expect(turns.take('b', 0, 1_000)).not.toBeNull();
	first?.end();
	expect(turns.take('a', 999, 1_000)).not.toBeNull();
});

it('takes a turn away from one that never came back, whose result then counts no more', () => {
	const turns = new Turns();
	const lost = turns.take('a', 0, 1_000);
	const next = turns.take('a', 1_000, 1_000);
	expect(lost?.isMine()).toBe(false);
	lost?.end();
	expect(next?.isMine()).toBe(true);
	expect(turns.take('a', 1_500, 1_000)).toBeNull();
});
