import { hurry } from '../harness/hurry';
import fc from '../harness/seed';
import { externalIds, mapped, sheet, verificationsOf, World } from './importer';

let world: World;
beforeAll(async () => {
	hurry();
	world = await World.open();
});
afterAll(() => world.sandbox.close());
beforeEach(() => world.sandbox.reset());

/** Names are remembered by the process, so each test imports under a name of its own. */
const named = (name: string) => ({ more: { name } });
const posts = () => world.sandbox.requests.filter(({ method }) => method === 'POST').length;
const post = { method: 'POST', path: '/v1/batch-inquiries/' };

/** A batch that another process sends, or sent before it was killed. */
async function sendElsewhere(body: unknown): Promise<{ batchId: string }> {
	const headers = { authorization: `Bearer ${world.sandbox.organisation.apiKey}`, 'content-type': 'application/json' };
	const answer = await fetch(`${world.sandbox.url}${post.path}`, {
		method: post.method,
		headers,
		body: JSON.stringify(body),
	});
	return (await answer.json()) as { batchId: string };
}

it('sends the rows of a sheet as batches of 250 and outputs each row with its batch', async () => {
	const run = await world.import({ rows: sheet(600), ...named('plain') });
	expect(run.error).toBeUndefined();
	expect(world.batchSizes()).toEqual([250, 250, 100]);
	expect(world.submissions()).toEqual(externalIds(600));
	expect(run.items).toHaveLength(600);
	const [first] = world.sandbox.ledger;
	expect(run.items[0]).toEqual({
		json: {
			verificationStatus: 'sent',
			inquiryId: null,
			verificationProblem: null,
			batchId: first.id,
			...sheet(1)[0],
			verification: {
				row: 2,
				batchId: first.id,
				batchName: expect.stringMatching(/^plain 1-250 #[0-9a-f]{10}$/),
				reused: false,
			},
		},
		pairedItem: { item: 0 },
	});
	expect(run.items[599]).toMatchObject({
		json: { 'External ID': 'crm-600', verification: { row: 601 } },
		pairedItem: { item: 599 },
	});
});

it('takes over what an earlier run has sent, and sends what it has not', async () => {
	world.sandbox.faults.add({ ...post, bodyContains: 'over 251-500', status: 422 });
	const first = await world.import({ rows: sheet(600), ...named('over'), onError: 'continueErrorOutput' });
	expect(first.items).toHaveLength(350);
	const second = await world.import({ rows: sheet(600), ...named('over') });
	expect(verificationsOf(second).map(({ reused }) => reused)).toEqual([
		...Array(250).fill(true),
		...Array(250).fill(false),
		...Array(100).fill(true),
	]);
	const third = await world.import({ rows: sheet(600), ...named('over') });
	expect(verificationsOf(third).every(({ reused }) => reused === true)).toBe(true);
	expect(world.submissions()).toEqual(externalIds(600));
});

it('sends everything under another name', async () => {
	await world.import({ rows: sheet(2), ...named('edited') });
	await world.import({ rows: sheet(2), ...named('edited anew') });
	expect(world.submissions().get('crm-1')).toBe(2);
});

it('waits for late batches when only a part of an import is there', async () => {
	// What is left of a run that was killed: one batch is listed, the other will be in a second.
	await world.import({ rows: sheet(4), ...named('killed'), options: { chunkSize: 2, concurrency: 1 } });
	const names = world.sandbox.ledger.map(({ key }) => String(key));
	world.sandbox.reset();
	const at = world.sandbox.clock.now();
	world.sandbox.clock.freeze();
	world.sandbox.clock.set(at);
	const send = (name: string, ids: string[]) =>
		sendElsewhere({
			name,
			inquiries: ids.map((externalId) => ({ businessName: 'B', businessCity: 'C', businessState: 'IL', externalId })),
		});
	await send(names[0], ['crm-1', 'crm-2']);
	world.sandbox.switches.batchListDelayMs = 500;
	await send(names[1], ['crm-3', 'crm-4']);
	world.sandbox.clock.unfreeze();

	const run = await world.import({ rows: sheet(4), ...named('killed'), options: { chunkSize: 2, lookupGrace: 1 } });
	expect(verificationsOf(run).every(({ reused }) => reused === true)).toBe(true);
	expect(world.submissions()).toEqual(externalIds(4));
});

it('leaves a batch whose outcome stays unknown, unless the user chose to send it again', async () => {
	world.sandbox.faults.add({ ...post, bodyContains: 'unsure 3-4', drop: true, times: 2 });
	const options = { chunkSize: 2 };
	const left = await world.import({ rows: sheet(4), ...named('unsure'), options });
	expect(left.error?.message).toContain('Batch with rows 4 to 5: The connection was lost before the service responded');
	expect(left.error?.description).toContain(
		'1 of 2 batches were submitted. Run the same import again to submit only the missing rows.',
	);
	expect(left.error?.context).toMatchObject({ submission: 'unknown' });
	expect(posts()).toBe(2);

	const resent = await world.import({
		rows: sheet(4),
		...named('unsure'),
		options: { ...options, ifUnknown: 'resend' },
	});
	expect(resent.error).toBeUndefined();
	expect(posts()).toBe(4);
	expect(world.submissions()).toEqual(externalIds(4));
});

it('remarks rows without an answer as not confirmed, and those that were refused as not sent', async () => {
	world.sandbox.faults.add({ ...post, bodyContains: 'counted 3-4', drop: true });
	world.sandbox.faults.add({ ...post, bodyContains: 'counted 5-5', status: 422 });
	const { hints } = await world.import({
		rows: sheet(5),
		...named('counted'),
		options: { chunkSize: 2 },
		onError: 'continueErrorOutput',
	});
	expect(hints).toEqual(['2 rows sent in 1 batch, 2 not confirmed, 1 not sent.']);
});

it('does not send again what "Send Again" finds in the list', async () => {
	world.sandbox.faults.add({ ...post, bodyContains: 'there 1-2', after: true, drop: true });
	const run = await world.import({ rows: sheet(4), ...named('there'), options: { chunkSize: 2, ifUnknown: 'resend' } });
	expect(run.error).toBeUndefined();
	expect(verificationsOf(run).map(({ reused }) => reused)).toEqual([false, false, false, false]);
	expect(world.submissions()).toEqual(externalIds(4));
});

it.each(['both', 'Both of them, BOTH OF THEM'])(
	'lets two runs of one process send an import once: %s',
	async (names) => {
		const [one, other = one] = names.split(', ');
		const runs = await Promise.all(
			[one, other].map((name) => world.import({ rows: sheet(5), ...named(name), options: { chunkSize: 2 } })),
		);
		expect(world.submissions()).toEqual(externalIds(5));
		const reused = runs.map((run) => verificationsOf(run)[0].reused);
		expect(reused.sort()).toEqual([false, true]);
	},
);

it('knows its own batches although the service lists them late', async () => {
	world.sandbox.switches.batchListDelayMs = 3_600_000;
	await world.import({ rows: sheet(3), ...named('unlisted'), options: { chunkSize: 2 } });
	const run = await world.import({ rows: sheet(3), ...named('unlisted'), options: { chunkSize: 2 } });
	expect(verificationsOf(run).every(({ reused }) => reused === true)).toBe(true);
	expect(world.submissions()).toEqual(externalIds(3));
});

it.each([
	{ importMode: 'once', name: 'races', first: '1-2 #', ours: 2 },
	{ importMode: 'keepInStep', name: 'races in step', first: '4 Rows ', ours: 4 },
])(
	'stops after the first batch when another process began the same import, and reports what both sent: $importMode',
	async ({ importMode, name, first, ours }) => {
		const rows = sheet(6);
		const run = () =>
			world.import({ rows, more: { name, importMode }, options: { chunkSize: 2 }, onError: 'continueErrorOutput' });
		await run();
		const [{ body }] = world.sandbox.requests.filter(({ method }) => method === 'POST');
		world.sandbox.reset();
		// The other process: its first batch is there after this one has looked.
		world.sandbox.clock.freeze();
		world.sandbox.switches.batchListDelayMs = 1;
		const { batchId } = await sendElsewhere(body);
		world.sandbox.switches.batchListDelayMs = 0;
		world.sandbox.faults.add({ ...post, bodyContains: `${name} ${first}`, delayMs: 500 });

		const running = run();
		while (posts() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
		world.sandbox.clock.advance(1);
		const met = await running;
		expect(verificationsOf(met).map(({ alsoSentAs }) => alsoSentAs)).toEqual(Array(ours).fill([batchId]));
		expect(met.hints).toEqual([
			`${ours} rows sent in 1 batch, ${6 - ours} not sent.`,
			expect.stringMatching(
				/^Rows of 'races.*' were submitted 2 times \(.*\), because another process ran this import/,
			),
		]);
		expect(met.hints[1]).toContain(`'${name} ${first}`);
		const underWay = /: Not sent, because this import is already running/;
		expect(met.failed.map(({ json }) => (json.error as { message: string }).message)).toEqual(
			Array(6 - ours).fill(expect.stringMatching(underWay)),
		);
		expect(world.submissions()).toEqual(new Map([...externalIds(ours).keys()].map((id) => [id, 2])));

		await run();
		expect([...world.submissions().values()]).toEqual([...Array(ours).fill(2), ...Array(6 - ours).fill(1)]);
	},
);

it('does not double the rows of a batch that was taken in part', async () => {
	world.sandbox.switches.invalidBatchItems = 'skip';
	const rows = sheet(3).map((row, index) => ({
		...row,
		Licenses:
			index === 1
				? '[{"license_name":"A","license_id":"1","license_state":"IL","license_category":"x","unheard":1}]'
				: '',
	}));
	const warning = expect.stringMatching(/^The service accepted 2 of 3 rows\./);
	const first = await world.import({ rows, ...named('partly') });
	expect(verificationsOf(first).map(({ warnings, reused }) => [warnings, reused])).toEqual(
		Array(3).fill([[warning], false]),
	);
	expect(first.hints).toContainEqual(expect.stringMatching(/^Batch 'partly 1-3 #\w+': The service accepted 2 of 3/));
	const again = await world.import({ rows, ...named('partly') });
	expect(verificationsOf(again).map(({ warnings, reused }) => [warnings, reused])).toEqual(
		Array(3).fill([[warning], true]),
	);
	expect(world.batchSizes()).toEqual([2]);
});

it('takes "this name exists" for what it is: the batch is there, only not listed yet', async () => {
	world.sandbox.switches.uniqueBatchNames = true;
	await world.import({ rows: sheet(2), ...named('unique') });
	world.sandbox.faults.add({
		method: 'GET',
		path: /batch-inquiries\/$/,
		body: { total: 0, limit: 500, offset: 0, items: [] },
	});
	world.sandbox.faults.add({ method: 'GET', path: /batch-inquiries\/.+/, status: 404 });
	const run = await world.import({ rows: sheet(2), ...named('unique') });
	expect(run.error).toBeUndefined();
	expect(verificationsOf(run)[0].reused).toBe(true);
	expect(posts()).toBe(2);
	expect(world.submissions()).toEqual(externalIds(2));
});

it('sends nothing twice when n8n runs the node again by itself', async () => {
	// Chunk 2 of 3 is refused at first; the list never shows what was sent.
	world.sandbox.switches.batchListDelayMs = 3_600_000;
	world.sandbox.faults.add({ ...post, bodyContains: 'retried 3-4', status: 400 });
	const run = await world.import({ rows: sheet(6), ...named('retried'), options: { chunkSize: 2 }, retryOnFail: true });
	expect(run.error).toBeUndefined();
	expect(world.submissions()).toEqual(externalIds(6));
	expect(run.items).toHaveLength(6);
});

it('reports under "Stop" what was submitted when some of it is refused', async () => {
	world.sandbox.faults.add({ ...post, bodyContains: 'halfway 3-4', status: 422 });
	const run = await world.import({ rows: sheet(6), ...named('halfway'), options: { chunkSize: 2, concurrency: 1 } });
	expect(run.error?.message).toContain('Batch with rows 4 to 5: The service rejected the request with status 422');
	expect(run.error?.description).toContain('1 of 3 batches were submitted. 1 more failed too.');
	expect(world.batchSizes()).toEqual([2]);
});

it('holds each row once, whatever happened to the batches of two runs before', async () => {
	const faults = {
		refused: { status: 422 },
		lostBefore: { drop: true },
		lostAfter: { after: true, drop: true },
		overloaded: { status: 429 },
	};
	const fate = fc.constantFrom('good', ...(Object.keys(faults) as Array<keyof typeof faults>));
	const plan = fc.record({
		rows: fc.integer({ min: 1, max: 12 }),
		chunkSize: fc.integer({ min: 1, max: 4 }),
		concurrency: fc.integer({ min: 1, max: 4 }),
		fates: fc.array(fc.array(fate, { maxLength: 12 }), { minLength: 2, maxLength: 2 }),
	});
	let imports = 0;
	await fc.assert(
		fc.asyncProperty(plan, async ({ rows, chunkSize, concurrency, fates }) => {
			world.sandbox.reset();
			const name = `random ${++imports}`;
			const run = () =>
				world.import({
					rows: sheet(rows),
					...named(name),
					options: { chunkSize, concurrency },
					onError: 'continueErrorOutput',
				});
			for (const each of fates) {
				each.forEach((one, index) => {
					if (one !== 'good')
						world.sandbox.faults.add({ ...post, bodyContains: `${name} ${1 + index * chunkSize}-`, ...faults[one] });
				});
				const { items, failed } = await run();
				expect(items.length + failed.length).toBe(rows);
				world.sandbox.faults.clear();
			}
			expect((await run()).failed).toEqual([]);
			expect(world.submissions()).toEqual(externalIds(rows));
		}),
		{ numRuns: 30 },
	);
});

describe('a batch of which the service takes nothing', () => {
	it.each(['row', 'batch'])('leaves as an error, output per %s, and again in the next run', async (outputPer) => {
		world.sandbox.switches.batchTakes = 'none';
		const onError = 'continueErrorOutput' as const;
		const run = () => world.import({ rows: sheet(2), more: { name: `none per ${outputPer}`, outputPer }, onError });
		for (const { items, failed } of [await run(), await run()]) {
			expect(items).toEqual([]);
			expect(failed.map(({ json }) => (json.error as { message: string }).message)).toEqual(
				Array(2).fill(expect.stringContaining('The service accepted none of the 2 rows of the batch')),
			);
		}
		expect(posts()).toBe(1);
	});
});

it.each(['allButLast', 'allButLastUnsaid'] as const)(
	'warns of a batch taken in part, %s, output per batch',
	async (batchTakes) => {
		world.sandbox.switches.batchTakes = batchTakes;
		const { items } = await world.import({ rows: sheet(4), more: { name: batchTakes, outputPer: 'batch' } });
		expect(items.map(({ json }) => json.warnings)).toEqual([
			[expect.stringMatching(/^The service accepted 3 of 4 rows/)],
		]);
	},
);

it('counts a row once whose accents are written another way, or whose column is called otherwise', async () => {
	const more = { name: 'accents', importMode: 'keepInStep' };
	const rows = sheet(2).map((row) => ({ ...row, City: 'Cañon City' }));
	await world.import({ rows, more });
	const again = rows.map(({ City, ...row }) => ({ ...row, 'Business City': City.normalize('NFD') }));
	const run = await world.import({ rows: again, more });
	expect(verificationsOf(run).map(({ reused }) => reused)).toEqual([true, true]);
	expect(world.submissions()).toEqual(externalIds(2));
});

it('does not take words such as N/A for one EIN', async () => {
	const rows = ['N/A', 'none', '-'].map((EIN, row) => ({
		'Business Name': `Business ${row}`,
		City: 'Salem',
		State: 'OR',
		EIN,
	}));
	const run = await world.import({ rows, ...named('no EIN') });
	expect(run.items).toHaveLength(3);
});

it('imports "Leads" beside "Leads 2 Restaurants"', async () => {
	await world.import({ rows: sheet(2), ...named('Leads 2 Restaurants') });
	expect((await world.import({ rows: sheet(2, 10), ...named('Leads') })).error).toBeUndefined();
});

it('sends rows again, and the same ones, when a cell or the name has another value in each try', async () => {
	for (const importMode of ['once', 'keepInStep']) {
		world.sandbox.reset();
		const rows = [{ ...sheet(1)[0], City: '' }, ...sheet(9, 2)];
		const value = {
			businessName: '={{ $json["Business Name"] }}',
			businessCity: '={{ $json.City }}',
			businessState: '={{ $json.State }}',
			externalId: '={{ $json["External ID"] }}',
			businessDba: '={{ "now " + Math.random() }}',
		};
		const name = `={{ "changing ${importMode} " + Math.random() }}`;
		const run = await world.import({
			rows,
			columns: mapped(value),
			more: { name, importMode },
			options: { chunkSize: 4 },
			onError: 'continueErrorOutput',
			retryOnFail: true,
		});
		expect([run.items.length, run.failed.length]).toEqual([9, 1]);
		expect([...world.submissions().values()]).toEqual(Array(9).fill(1));
	}
});

it.each([
	['keepInStep', 'importMode', /^The name of the batch has 250 characters\. .* use the import mode 'Import Once'/],
	['once', 'options.chunkSize', /^If the batch holds too many rows, lower 'Rows per Batch'/],
])('advises where a batch is refused by what is unusual about it: %s', async (importMode, parameter, description) => {
	world.sandbox.faults.add({ ...post, status: 422, times: Infinity });
	const { failed } = await world.import({
		rows: sheet(2),
		more: { name: `too long ${importMode}`, importMode },
		onError: 'continueErrorOutput',
	});
	expect(failed.map(({ json }) => json.error)).toEqual(
		Array(2).fill(expect.objectContaining({ parameter, description: expect.stringMatching(description) })),
	);
});

it('says in a loop that each round needs a name, and sends the rounds that have one', async () => {
	const round = (from: number, name: string) => world.import({ rows: sheet(2, from), ...named(name) });
	await round(1, 'round');
	const { error } = await round(3, 'round');
	expect(error?.description).toContain('in a loop, each round needs one');
	expect((await round(3, 'round 2')).error).toBeUndefined();
	expect(world.submissions()).toEqual(externalIds(4));
});
