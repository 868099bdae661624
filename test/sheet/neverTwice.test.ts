import {
	anyway,
	externalIds,
	forResults,
	mapped,
	missingRows,
	post,
	type Row,
	sheet,
	theirs,
	useWorld,
	verificationsOf,
	withoutIds,
	world,
} from './importer';

useWorld();

/** Names are remembered by the process, so each test imports under a name of its own. */
const named = (name: string) => ({ more: { name } });
const posts = () => world.sandbox.requests.filter(({ method }) => method === 'POST').length;

/** A batch that another process sends, or sent before it was killed. */
async function sendElsewhere(body: unknown): Promise<{ batchId: string }> {
	const headers = { authorization: `Bearer ${world.sandbox.organization.apiKey}`, 'content-type': 'application/json' };
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
			verificationProblem: '',
			...sheet(1)[0],
			inquiryId: '',
			verification: {
				row: 1,
				batchId: first.id,
				batchName: 'plain',
				externalId: 'crm-1',
				reused: false,
			},
		},
		pairedItem: { item: 0 },
	});
	expect(run.items[599]).toMatchObject({
		json: { 'External ID': 'crm-600', verification: { row: 600 } },
		pairedItem: { item: 599 },
	});
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

	const run = await world.import({ rows: sheet(4), ...named('killed'), options: { chunkSize: 2, lookUpWait: 1 } });
	expect(verificationsOf(run).every(({ reused }) => reused === true)).toBe(true);
	expect(world.submissions()).toEqual(externalIds(4));
});

it('leaves a batch whose outcome stays unknown, and the next run sends it if the service does not have it', async () => {
	world.sandbox.faults.add({ ...post, bodyContains: 'unsure · 2"', drop: true });
	world.sandbox.faults.add({ ...post, bodyContains: 'unsure · 3"', status: 422 });
	const run = () => world.import({ rows: sheet(5), ...named('unsure'), options: { chunkSize: 2 } });
	const { items, hints, error } = await run();
	expect(error).toBeUndefined();
	const statuses = items.map(({ json }) => json.verificationStatus);
	expect(statuses).toEqual(['sent', 'sent', 'not confirmed', 'not confirmed', 'not sent']);
	expect(items[2].json.verificationProblem).toMatch(/^The submission is not confirmed: the connection was lost/);
	expect(hints[0]).toBe(
		`2 rows were sent and billed, in 1 batch. 2 rows were not confirmed: run the same import again to check. Not sent: item 5. Each says why. ${forResults}`,
	);
	expect(posts()).toBe(3);
	expect((await run()).items.map(({ json }) => json.verificationStatus).slice(2)).toEqual(['sent', 'sent', 'sent']);
	expect(world.submissions()).toEqual(externalIds(5));
});

it('sends the other batches although the answer to the first was lost', async () => {
	world.sandbox.faults.add({ ...post, after: true, drop: true });
	const run = await world.import({ rows: sheet(6), ...named('lost first'), options: { chunkSize: 2 } });
	expect(run.items.map(({ json }) => json.verificationStatus)).toEqual(Array(6).fill('sent'));
	expect(verificationsOf(run).every(({ reused }) => reused === false)).toBe(true);
	expect(world.submissions()).toEqual(externalIds(6));
});

it('looks again for a batch whose answer was lost, although the one before it is listed', async () => {
	world.sandbox.switches.batchListDelayMs = 500;
	world.sandbox.faults.add({ ...post, bodyContains: 'listed late · 2"', after: true, drop: true });
	const run = await world.import({ rows: sheet(4), ...named('listed late'), options: { chunkSize: 2, lookUpWait: 1 } });
	expect(run.items.map(({ json }) => json.verificationStatus)).toEqual(Array(4).fill('sent'));
	expect(world.submissions()).toEqual(externalIds(4));
});

it('waits in the next run for a batch whose answer was lost, where the list shows no batch of the import yet', async () => {
	world.sandbox.switches.batchListDelayMs = 15_000;
	world.sandbox.faults.add({ ...post, after: true, drop: true });
	const run = () => world.import({ rows: sheet(3), ...named('later'), options: { lookUpWait: 10 } });
	const { error } = await run();
	expect(error?.message).toMatch(
		/^The submission is not confirmed: the connection was lost before the service responded: /,
	);
	expect(error?.description).toBe(
		`What has arrived is found by the next run, and not sent again. 0 of 3 rows were submitted, and 3 perhaps. ${missingRows}`,
	);
	expect(verificationsOf(await run()).every(({ reused }) => reused === true)).toBe(true);
	expect(world.submissions()).toEqual(externalIds(3));
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

it('sends rows that arrive one a run, also beside one another, and knows one that arrives again', async () => {
	const rows = sheet(4);
	const add = async (row: Row) =>
		(await world.import({ rows: [row], ...named('added') })).items[0].json.verificationStatus;
	const statuses = [await add(rows[0]), ...(await Promise.all(rows.slice(1).map(add)))];
	expect(statuses).toEqual(['sent', 'sent', 'sent', 'sent']);
	expect(await add(rows[0])).toMatch(/^[A-Z_]+$/);
	expect(world.submissions()).toEqual(externalIds(4));
});

it('stops after the first batch when another process began the same import, and reports what both sent', async () => {
	const rows = sheet(6);
	const run = () =>
		world.import({ rows, ...named('races'), options: { chunkSize: 2 }, onError: 'continueErrorOutput' });
	await run();
	const [{ body }] = world.sandbox.requests.filter(({ method }) => method === 'POST');
	world.sandbox.reset();
	// The other process: its first batch is there after this one has looked.
	world.sandbox.clock.freeze();
	world.sandbox.switches.batchListDelayMs = 1;
	const { batchId } = await sendElsewhere(body);
	world.sandbox.switches.batchListDelayMs = 0;
	world.sandbox.faults.add({ ...post, bodyContains: 'races"', delayMs: 500 });

	const running = run();
	while (posts() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
	world.sandbox.clock.advance(1);
	const met = await running;
	expect(verificationsOf(met).map((of) => of.batchId)).not.toContain(batchId);
	for (const { json } of met.items.slice(0, 2)) expect(json.verificationProblem).toBe(`Also submitted in ${batchId}.`);
	expect(met.hints).toEqual([
		'4 of 6 items failed: Not sent. This import is already running (item 3).',
		expect.stringMatching(
			new RegExp(
				`^2 rows were sent and billed, in 1 batch\\. Not sent: items 3, 4, 5, 6\\. Each says why\\. Rows were submitted twice, in these batches: [^,]+, [^,]+\\. This import is already running\\. Run it again when the other run has ended\\.$`,
			),
		),
	]);
	expect(met.failed.map(({ json }) => json.error)).toEqual(
		[3, 4, 5, 6].map((item) => ({
			message: `Not sent. This import is already running (item ${item})`,
			kind: 'settings',
			row: item,
			itemIndex: item - 1,
			description: 'Run it again when the other run has ended.',
		})),
	);
	const twice = new Map([...externalIds(2).keys()].map((id) => [id, 2]));
	expect(world.submissions()).toEqual(twice);

	const again = await run();
	expect(again.hints[1]).toMatch(/^Rows were submitted twice, in these batches: [^,]+, [^,]+\.$/);
	expect([...world.submissions().values()]).toEqual([2, 2, 1, 1, 1, 1]);
	// The inquiry is that of the batch that is named, not of the other one.
	for (const { id, batchId } of verificationsOf(again).slice(0, 2))
		expect(world.sandbox.inquiries.get(String(id)).batchId).toBe(batchId);
});

it('stops, too, if the answer to its first batch was lost and another process has sent other rows', async () => {
	const business = { businessName: 'B', businessCity: 'C', businessState: 'IL' };
	// The other process: its batch is there after this one has looked.
	world.sandbox.clock.freeze();
	world.sandbox.switches.batchListDelayMs = 1;
	await sendElsewhere({ name: 'meets', inquiries: [{ ...business, externalId: 'crm-5' }] });
	world.sandbox.switches.batchListDelayMs = 0;
	world.sandbox.faults.add({ ...post, bodyContains: 'crm-1"', after: true, drop: true, delayMs: 500 });
	const running = world.import({
		rows: sheet(5),
		...named('meets'),
		options: { chunkSize: 2 },
		onError: 'continueErrorOutput',
	});
	while (posts() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
	world.sandbox.clock.advance(1);
	const { items, failed } = await running;
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(['sent', 'sent', 'PLANNING']);
	expect(failed).toHaveLength(2);
	expect(world.submissions()).toEqual(
		new Map([
			['crm-5', 1],
			['crm-1', 1],
			['crm-2', 1],
		]),
	);
});

it('sends extra fields with each batch, which change neither its name nor its rows', async () => {
	const extraBody = JSON.stringify({ name: 'Other', inquiries: [], priority: 'high' });
	await world.import({ rows: sheet(2), ...named('extra'), options: { extraBody } });
	const [{ body }] = world.sandbox.requests.filter(({ method }) => method === 'POST');
	const inquiries = [{ externalId: 'crm-1' }, { externalId: 'crm-2' }];
	expect(body).toMatchObject({ name: 'extra', priority: 'high', inquiries });
});

it.each([
	[25, false],
	[45, false],
	[75, true],
])('reads what it sent up to three times: a batch listed after %d seconds is missing: %s', async (late, isMissing) => {
	world.sandbox.switches.batchListDelayMs = late * 1000;
	const sent = '2 rows were sent and billed, in 1 batch.';
	const { hints } = await world.import({ rows: sheet(2), ...named(`late ${late}`), options: { lookUpWait: 30 } });
	expect(hints).toEqual(
		isMissing
			? [
					sent,
					'The service does not list 1 of the batches that were sent. Do not import these rows again before it does.',
				]
			: [`${sent} ${forResults}`],
	);
});

it('knows in its next run what this process sent, however late the list shows it', async () => {
	world.sandbox.switches.batchListDelayMs = 3_600_000;
	const run = (count: number) =>
		world.import({ rows: sheet(count), ...named('never listed'), options: { lookUpWait: 1 } });
	await run(2);
	expect(verificationsOf(await run(2)).map(({ reused, batchName }) => [reused, batchName])).toEqual(
		Array(2).fill([true, 'never listed']),
	);
	const before = `2 rows were already submitted under 'never listed'. ${theirs}`;
	world.sandbox.faults.add({ ...post, status: 409 });
	expect((await run(3)).hints).toEqual([
		`Nothing was sent or billed. ${before} Not sent: item 3. Each says why.`,
		'The record may exist already, be in use, or have nothing to retry. Check it before you send this again.',
	]);
	world.sandbox.faults.add({ ...post, drop: true });
	expect((await run(3)).hints).toEqual([`1 row was not confirmed: run the same import again to check. ${before}`]);
	expect(world.submissions()).toEqual(externalIds(2));
});

it('finds what another process sent to a service that keeps no names of batches', async () => {
	world.sandbox.switches.batchNameStored = 'dropped';
	const business = { businessName: 'B', businessCity: 'C', businessState: 'IL' };
	const inquiries = ['crm-1', 'crm-2'].map((externalId) => ({ ...business, externalId }));
	await sendElsewhere({ name: 'no names', inquiries });
	const { error } = await world.import({ rows: sheet(3), ...named('no names'), options: { lookUpWait: 1 } });
	expect(error).toBeUndefined();
	expect(world.submissions()).toEqual(externalIds(3));
	// That batch is not one of another import.
	const others = await world.import({ rows: withoutIds(sheet(2, 11)), ...named('of others') });
	expect([others.error, world.submissions().size]).toEqual([undefined, 5]);
});

it('sends nothing after a first batch that does not show all its rows', async () => {
	const items = [{ id: 'i-1', externalId: 'crm-1', status: 'RUNNING' }];
	const path = /batch-inquiries\/[^/]+\/inquiries$/;
	world.sandbox.faults.add({ method: 'GET', path, body: { total: 1, items }, times: Infinity });
	const { error } = await world.import({ rows: sheet(4), ...named('half'), options: { chunkSize: 2, lookUpWait: 1 } });
	expect([error?.message, error?.description]).toEqual([
		'Not sent. The first batch shows 1 of its 2 rows',
		`2 of 4 rows were submitted. ${missingRows}`,
	]);
	expect(world.submissions()).toEqual(externalIds(2));
});

it('reads a batch of another process again that has grown since, and sends none of its rows', async () => {
	const batchId = world.sandbox.inquiries.seedBatch('grows', 3, { externalIdPrefix: 'crm-', status: 'RUNNING' });
	const [{ id: inquiryId }] = world.sandbox.inquiries.find('crm-1');
	const once = (path: string, item: Row) =>
		world.sandbox.faults.add({ method: 'GET', path, body: { items: [item], total: 1 } });
	once(`${post.path}${batchId}/inquiries`, { inquiryId, externalId: 'crm-1', status: 'RUNNING' });
	once(post.path, { batchId, batchName: 'grows', total: 1 });
	const { items } = await world.import({ rows: sheet(3), ...named('grows'), options: { lookUpWait: 1 } });
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
	expect(world.sandbox.ledger).toHaveLength(0);
});

it.each([
	[5, undefined, 3],
	[6, 'Another run of this import is under way', 0],
])('reads until nothing is added: after %s additions, %s', async (additions, message, sent) => {
	const ids = ['b-1', 'b-2', 'b-3', 'b-4', 'b-5', 'b-6'];
	const batches = ids.map((batchId) => ({ batchId, batchName: 'grows on', total: 1 }));
	const items = [{ id: 'i-1', externalId: 'foreign', status: 'RUNNING' }];
	world.sandbox.faults.add({ method: 'GET', path: /b-\d\/inquiries$/, body: { total: 1, items }, times: Infinity });
	for (let shown = 1; shown <= 6; shown++) {
		const list = batches.slice(0, Math.min(shown, additions));
		world.sandbox.faults.add({ method: 'GET', path: post.path, body: { total: list.length, items: list } });
	}
	const { error } = await world.import({ rows: sheet(3), ...named('grows on'), options: { lookUpWait: 1 } });
	expect(error?.message).toBe(message);
	expect(error?.context).toEqual(message && { kind: 'service' });
	expect(error?.description).toBe(message && 'Nothing new was sent. Run the import again later.');
	expect(world.submissions()).toEqual(externalIds(sent));
});

it.each([
	{ ids: ['crm-1', 'crm-2'], foreseen: '0 of 2 rows would be sent and billed. 2 rows were already submitted' },
	{ ids: [], foreseen: "The run would be refused: Batch 'no total 0' shows 0 of its 3 rows. Nothing new was sent." },
])(
	'asks for the size of a batch whose row in the list has none, and sends no row that is not shown: $ids',
	async ({ ids, foreseen }) => {
		await world.import({ rows: sheet(3), ...named(`no total ${ids.length}`) });
		const [{ id: batchId }] = world.sandbox.ledger;
		const shows = (path: string, items: Row[]) =>
			world.sandbox.faults.add({ method: 'GET', path, body: { items, total: items.length }, times: Infinity });
		const shown = ids.map((externalId) => ({ id: `of ${externalId}`, externalId, status: 'RUNNING' }));
		shows(`${post.path}${batchId}/inquiries`, shown);
		world.sandbox.faults.add({
			method: 'GET',
			path: `${post.path}${batchId}`,
			body: { batchId, total: 3 },
			times: Infinity,
		});
		shows(post.path, [{ batchId, batchName: `no total ${ids.length}`, total: null }]);
		const dry = await world.import({ rows: sheet(2), more: { name: `no total ${ids.length}`, dryRun: true } });
		expect(dry.hints[0].slice(0, foreseen.length)).toBe(foreseen);
		const { error } = await world.import({ rows: sheet(3), ...named(`no total ${ids.length}`) });
		expect([error?.message, error?.description, error?.context]).toEqual([
			`Batch 'no total ${ids.length}' shows ${ids.length} of its 3 rows`,
			`Nothing new was sent. Run the import again later. ${anyway}`,
			{ kind: 'service', parameter: 'name' },
		]);
		expect(world.submissions()).toEqual(externalIds(3));
	},
);

/** Three rows, of which the service refuses the second. */
function withOneRefused(): Row[] {
	const unheard = '[{"license_name":"A","license_id":"1","license_state":"IL","license_category":"x","unheard":1}]';
	return sheet(3).map((row, index) => ({ ...row, Licenses: index === 1 ? unheard : '' }));
}

it('says of no row that it was refused where a batch was taken in part under other IDs', async () => {
	Object.assign(world.sandbox.switches, { invalidBatchItems: 'skip', externalIdStored: 'upperCase' });
	const { error } = await world.import({ rows: withOneRefused(), ...named('partly others') });
	expect([error?.message, error?.description]).toEqual([
		'The service accepted only 2 of the 3 rows of the batch',
		`0 of 3 rows were submitted, and 3 perhaps. ${missingRows}`,
	]);
	expect(error?.context).toEqual({ kind: 'service', submission: 'unknown' });
});

it('says how to find a batch again that was renamed and taken in part', async () => {
	Object.assign(world.sandbox.switches, { invalidBatchItems: 'skip', batchNameStored: 'stamped' });
	const { items, hints } = await world.import({ rows: withOneRefused(), ...named('partly renamed') });
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(['sent', 'not sent', 'sent']);
	expect(hints).toEqual([
		'2 rows were sent and billed, in 1 batch. Not sent: item 2. Each says why.',
		`The service renamed a batch to 'partly renamed (2)', so a later run could not find it. From now on, use this name as 'Batch Name', so that its rows are matched. ${anyway}`,
	]);
});

it('does not double the rows of a batch that was taken in part, and returns the row that was not', async () => {
	world.sandbox.switches.invalidBatchItems = 'skip';
	const rows = withOneRefused();
	const first = await world.import({ rows, ...named('partly') });
	expect(first.items.map(({ json }) => json.verificationStatus)).toEqual(['sent', 'not sent', 'sent']);
	expect(first.items[1].json.verificationProblem).toBe('The service did not accept this row of the batch');
	// Nothing is left to send but this row, and nothing to wait for but the second reading of the list.
	const before = performance.now();
	const again = await world.import({ rows, ...named('partly'), options: { lookUpWait: 30 } });
	expect(Math.round((performance.now() - before) / 30_000)).toBe(1);
	expect(again.items[1].json).toMatchObject({
		verificationStatus: 'not sent',
		verificationProblem: 'The service accepted no row of the batch',
	});
	expect(again.hints[0]).toMatch(
		/^Nothing was sent or billed\. 2 rows were already submitted under 'partly' \(first on .+\)\. Their results are .+ Not sent: item 2\. Each says why\./,
	);
	expect(Object.fromEntries(world.submissions())).toEqual({ 'crm-1': 1, 'crm-3': 1 });
});

it('says that nothing was submitted, and names no status of HTTP, where the service accepts a batch without rows', async () => {
	world.sandbox.switches.invalidBatchItems = 'skip';
	const { error } = await world.import({ rows: withOneRefused().slice(1, 2), ...named('all refused') });
	expect(error?.message).toBe('The service accepted no row of the batch');
	expect(error).not.toHaveProperty('httpCode');
	expect(error?.description).toBe(`Nothing was submitted. 0 of 1 rows were submitted. ${missingRows}`);
	expect(error?.context).toEqual({ kind: 'row' });
});

it('takes "this name exists" for what it is: the batch is there, only not listed yet', async () => {
	world.sandbox.switches.uniqueBatchNames = true;
	await world.import({ rows: sheet(2), ...named('unique') });
	const body = { total: 0, limit: 500, offset: 0, items: [] };
	world.sandbox.faults.add({ method: 'GET', path: /batch-inquiries\/$/, body });
	const run = await world.import({ rows: sheet(2), ...named('unique') });
	expect(run.error).toBeUndefined();
	expect(verificationsOf(run)[0].reused).toBe(true);
	expect(posts()).toBe(2);
	expect(world.submissions()).toEqual(externalIds(2));
});

it('sends nothing twice when n8n runs the node again by itself', async () => {
	// The second of three batches fails at first; the list never shows what was sent.
	world.sandbox.switches.batchListDelayMs = 3_600_000;
	world.sandbox.faults.add({ ...post, bodyContains: 'retried · 2"', status: 403 });
	const run = await world.import({ rows: sheet(6), ...named('retried'), options: { chunkSize: 2 }, retryOnFail: true });
	expect(run.error).toBeUndefined();
	expect(world.submissions()).toEqual(externalIds(6));
	expect(run.items).toHaveLength(6);
});

it('sends rows again, and the same ones, when a cell or the name has another value in each try', async () => {
	const rows = [{ ...sheet(1)[0], City: '' }, ...sheet(9, 2)];
	const value = {
		businessName: '={{ $json["Business Name"] }}',
		businessCity: '={{ $json.City }}',
		businessState: '={{ $json.State }}',
		externalId: '={{ $json["External ID"] }}',
		businessDba: '={{ "now " + Math.random() }}',
	};
	const name = `={{ "changing " + Math.random() }}`;
	const run = await world.import({
		rows,
		columns: mapped(value),
		more: { name },
		options: { chunkSize: 4 },
		retryOnFail: true,
	});
	expect([run.items.length, run.failed.length]).toEqual([10, 0]);
	expect([...world.submissions().values()]).toEqual(Array(9).fill(1));
});

it('lets rows leave as sent when the list cannot be read afterwards, and says what is not known', async () => {
	world.sandbox.faults.add({ method: 'GET', path: /batch-inquiries\/$/, skip: 1, times: 6, status: 500 });
	const away = 'The service returned status 500: The service answers 500';
	const run = () => world.import({ rows: sheet(200), ...named('unread list') });
	const { items, hints } = await run();
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(Array(200).fill('sent'));
	expect(hints).toEqual([
		'200 rows were sent and billed, in 1 batch.',
		`Sent, but the list of batches could not be read afterwards (${away}). Check in the service that no other process sent these rows too. The first batch could not be read (${away}).`,
	]);
	world.sandbox.faults.clear();
	await run();
	expect(world.submissions()).toEqual(externalIds(200));
});
