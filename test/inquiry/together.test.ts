import fc from '../harness/seed';
import { Failure, type Json, type Request, type Service } from '../../nodes/BusinessVerification/kit/service';
import { createByExternalId, type Made } from '../../nodes/BusinessVerification/inquiry/found';
import { SharedClock } from '../harness/sharedClock';

const externalId = 'crm-1';

/** A service that processes of n8n, which know nothing of each other, ask side by side. */
class World {
	now = 1_000_000;
	readonly made: Array<{ id: string; externalId: string; listedAt: number }> = [];
	requests = 0;
	private readonly clock = new SharedClock(this);

	constructor(
		private readonly lag: number,
		private readonly latencies: readonly number[],
	) {}

	/** Each process wants an inquiry with the same external ID, after so many milliseconds. */
	create(starts: readonly number[]): Promise<Made[]> {
		const question = { method: 'POST', path: '/v1/inquiries/', kind: 'write' } as never;
		const wish = { externalId, ifExists: 'reuse', lookUpWait: 30 } as const;
		return this.clock.together(starts, () => createByExternalId(this.process(), question, wish));
	}

	private process(): Service {
		const recent = new Map<string, Json>();
		const ofRun = new Map<string, unknown>();
		return {
			ofRun: () => ofRun,
			send: (request: Request) => this.answers(() => (request.kind === 'write' ? this.submit() : this.made[0])),
			list: () => this.answers(() => this.made.filter(({ listedAt }) => listedAt <= this.now)),
			exclusive: <T>(_: string, task: () => Promise<T>) => task(),
			recent,
			pause: (ms: number) => this.clock.passes(ms),
			uptime: () => this.now,
			wasSent: () => false,
		} as unknown as Service;
	}

	private submit() {
		const inquiry = { id: `id-${this.made.length + 1}`, externalId, listedAt: this.now + this.lag };
		this.made.push(inquiry);
		return inquiry;
	}

	private async answers<T>(read: () => T): Promise<T> {
		const latency = this.latencies[this.requests++ % this.latencies.length];
		await this.clock.passes(latency);
		const answer = read();
		await this.clock.passes(latency);
		return answer;
	}
}

const idsOf = ({ inquiry, namesakes }: Made) => [inquiry.id, ...namesakes].sort();

it('processes that create the same external ID at the same moment: it is said where the search shows it at once', async () => {
	const starts = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength: 3 });
	const latencies = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 });
	let doubled = 0;
	await fc.assert(
		fc.asyncProperty(starts, latencies, async (starts, latencies) => {
			const world = new World(0, latencies);
			const results = await world.create(starts);
			const all = world.made.map(({ id }) => id);
			if (all.length > 1) doubled++;
			// Who looked last has seen all of them.
			expect(results.map(idsOf)).toContainEqual(all);
			expect(results.filter(({ reused }) => !reused)).toHaveLength(all.length);

			const [next] = await world.create([0]);
			expect([next.reused, idsOf(next), world.made.length]).toEqual([true, all, all.length]);
		}),
		{ numRuns: 300 },
	);
	// Where nobody meets nobody nothing is shown.
	expect(doubled).toBeGreaterThan(50);
});

it('the limit: where the search is late both are made, and only a later run says so', async () => {
	const world = new World(2_000, [100]);
	const results = await world.create([0, 0]);
	expect(results.map(({ reused, namesakes }) => [reused, namesakes])).toEqual([
		[false, []],
		[false, []],
	]);
	const [next] = await world.create([3_000]);
	expect([next.reused, idsOf(next)]).toEqual([true, ['id-1', 'id-2']]);
});

it('an item that meets a conflict reuses what another item made meanwhile, and keeps what is known', async () => {
	const inquiries = ['id-1', 'id-2'].map((id) => ({ id, externalId, businessName: 'Acme' }));
	const recent = new Map<string, Json>();
	const ofRun = new Map<string, unknown>();
	const service = {
		...{ ofRun: () => ofRun, recent, uptime: () => 0, wasSent: () => false },
		exclusive: <T>(_: string, task: () => Promise<T>) => task(),
		list: () => Promise.resolve(recent.size === 0 ? [] : inquiries),
		send: ({ kind }: Request) => {
			if (kind === 'read') return Promise.resolve(inquiries[0]);
			recent.set('externalId crm-1', { inquiry: inquiries[0] });
			return Promise.reject(new Failure('A conflict', { httpCode: 409 }));
		},
	} as unknown as Service;
	const wish = { externalId, name: 'Acme', ifExists: 'reuse', lookUpWait: 0 } as const;
	const made = await createByExternalId(service, { kind: 'write' } as never, wish);
	expect(made).toEqual({ inquiry: inquiries[0], reused: true, namesakes: [], isNamed: true });
	expect(recent.get('externalId crm-1')).toEqual({ inquiry: inquiries[0] });
});
