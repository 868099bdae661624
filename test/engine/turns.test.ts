import { inTurns } from '../../nodes/BusinessVerification/engine/turns';

test('in long work what was there before it has its turn first, and everything else in between', async () => {
	const order: string[] = [];
	function* work() {
		for (const step of [1, 2, 3]) {
			order.push(`step ${step}`);
			setTimeout(() => order.push(`else ${step}`), 0);
			const until = Date.now() + 15;
			while (Date.now() < until);
			yield;
		}
		return 'done';
	}
	setTimeout(() => order.push('asked before'), 0);
	expect(await inTurns(work(), 0)).toBe('done');
	expect(order).toEqual(['asked before', 'step 1', 'else 1', 'step 2', 'else 2', 'step 3', 'else 3']);
});

test('short work takes no turn', async () => {
	const order: string[] = [];
	setImmediate(() => order.push('else'));
	function* work() {
		yield order.push('one');
		yield order.push('two');
		return 3;
	}
	expect(await inTurns(work())).toBe(3);
	expect(order).toEqual(['one', 'two']);
});
