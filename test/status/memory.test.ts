import { emptyMemory, fingerprint, recall, save } from '../../nodes/BusinessVerification/status/memory';

const at = Date.UTC(2026, 5, 1, 12);
const uuid = 'a1b2c3d4-0000-4000-8000-00000000000f';

function filled() {
	const memory = emptyMemory('all', at);
	memory.tracked.set(uuid, { createdAt: at - 5_000, status: 'RUNNING' });
	memory.tracked.set('not a uuid ~ at all', { createdAt: at - 9_000, status: 'ENRICHING', doubtful: true });
	memory.tracked.set(uuid.toUpperCase(), { createdAt: at, status: '', missing: true });
	memory.ended.set(fingerprint('one'), { stamp: at - 10, status: 'COMPLETED' });
	memory.ended.set(fingerprint('two'), { stamp: at - 10, status: 'FAILED' });
	return memory;
}

it('comes back from JSON as it was', () => {
	const memory = {
		...filled(),
		mark: at - 1,
		resume: at - 2,
		activeFrom: 3,
		horizon: at - 4,
		sweepFrom: 5,
		sweepStart: 6,
	};
	const back = recall(JSON.parse(JSON.stringify(save(memory))), 'all');
	expect(back).toEqual(memory);
});

it('takes under 30 bytes for an unfinished inquiry and under 12 for an end', () => {
	const memory = emptyMemory('all', at);
	const empty = JSON.stringify(save(memory)).length;
	for (let index = 0; index < 1_000; index++) {
		memory.tracked.set(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, {
			createdAt: at + index * 900,
			status: 'RUNNING',
		});
	}
	const tracked = JSON.stringify(save(memory)).length;
	for (let index = 0; index < 1_000; index++)
		memory.ended.set(fingerprint(String(index)), { stamp: at + index * 120, status: 'FAILED' });
	expect((tracked - empty) / 1_000).toBeLessThan(30);
	expect((JSON.stringify(save(memory)).length - tracked) / 1_000).toBeLessThan(12);
});

it('goes on from the time of the last poll where another version or other filters wrote it', () => {
	const saved = save(filled());
	expect(recall({ ...saved, v: 2, tracked: { a: 1 } }, 'all')).toEqual({ since: at });
	expect(recall({ v: 7, at }, 'all')).toEqual({ since: at });
	expect(recall(saved, 'other filters')).toEqual({ since: at });
	expect(recall({ ...saved, mark: 'yesterday' }, 'all')).toEqual({ since: at });
});

it('overlooks keys it does not know', () => {
	expect(recall({ ...save(filled()), comment: 'of a later version' }, 'all')).toEqual(filled());
});

it.each([undefined, null, 'text', 5, {}, { v: 1 }, { v: '1', at }, { v: 1, at: NaN }])(
	'takes %j for no state at all',
	(value) => {
		expect(recall(value, 'all')).toBeUndefined();
	},
);

it('keeps statuses of any name, as many as there are letters', () => {
	const memory = emptyMemory('all', at);
	for (let index = 0; index < 30; index++)
		memory.tracked.set(`id ${index}`, { createdAt: at, status: `STATUS_${index}` });
	const back = recall(save(memory), 'all') as typeof memory;
	expect(back.tracked.size).toBe(30);
	expect(back.tracked.get('id 24')).toEqual({ createdAt: at, status: 'STATUS_24' });
	expect(back.tracked.get('id 29')).toEqual({ createdAt: at, status: '' });
});
