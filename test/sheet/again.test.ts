import {
	anyway,
	asReturned,
	billed,
	externalIds,
	forResults,
	importing,
	post,
	type Row,
	sheet,
	theirs,
	twice,
	useWorld,
	verificationsOf,
	withoutIds,
	World,
	world,
} from './importer';

useWorld();

const statuses = ({ items }: Awaited<ReturnType<World['import']>>) => items.map(({ json }) => json.verificationStatus);

describe('every row comes back, in order', () => {
	it('sends the good rows, returns the bad ones with their problem, and sends those once they are corrected', async () => {
		const run = importing();
		const bad: Row[] = [
			...sheet(6).map((row, index) => (index === 2 ? { ...row, City: '', State: '' } : row)),
			{},
			sheet(1)[0],
		];
		const first = await run(bad);
		expect(first.error).toBeUndefined();
		expect(statuses(first)).toEqual(['sent', 'sent', 'not sent', 'sent', 'sent', 'sent', 'skipped', 'not sent']);
		expect([2, 6, 7].map((index) => first.items[index].json.verificationProblem)).toEqual([
			'City is required; State is required',
			'the row is blank or a header',
			'External ID is the same as in item 1',
		]);
		expect(first.hints).toEqual([
			`5 rows were sent and billed, in 2 batches. Not sent: items 3, 8. Each says why. ${forResults}`,
		]);
		const second = await run(sheet(6));
		expect(world.submissions()).toEqual(externalIds(6));
		expect(statuses(second)[2]).toBe('sent');
	});

	it('is no error if no row can be sent', async () => {
		const { error, items, hints } = await importing()(sheet(1).map((row) => ({ ...row, City: '' })));
		expect([error, items.map(({ json }) => json.verificationProblem)]).toEqual([undefined, ['City is required']]);
		expect([hints, billed()]).toEqual([['Nothing was sent or billed. Not sent: item 1. Each says why.'], 0]);
	});

	it('returns rows of a batch that the service refuses beside the others, also where there is an error output', async () => {
		const run = importing();
		world.sandbox.faults.add({ ...post, bodyContains: 'crm-6', status: 422 });
		const { items, failed, error } = await run(sheet(10), { onError: 'continueErrorOutput' });
		expect([error, failed]).toEqual([undefined, []]);
		expect(statuses({ items } as never)).toEqual([
			...Array(4).fill('sent'),
			...Array(4).fill('not sent'),
			...Array(2).fill('sent'),
		]);
		await run(sheet(10));
		expect(world.submissions()).toEqual(externalIds(10));
	});
});

describe('one mode', () => {
	const edits: Record<string, (rows: Row[]) => Row[]> = {
		sorted: (rows) => [...rows].reverse(),
		'rows on top': (rows) => [...sheet(3, 11), ...rows],
		'rows between': (rows) => [...rows.slice(0, 5), ...sheet(3, 11), ...rows.slice(5)],
		'rows removed': (rows) => rows.filter((_, index) => index % 3 > 0),
		'columns moved': (rows) => rows.map((row) => Object.fromEntries(Object.entries(row).reverse())),
	};
	it.each(Object.keys(edits).flatMap((edit) => [true, false].map((own) => [edit, own] as const)))(
		'%s, own IDs: %s',
		async (edit, own) => {
			const run = importing();
			const plain = (rows: Row[]) => (own ? rows : withoutIds(rows));
			await run(plain(sheet(10)));
			const next = edits[edit](sheet(10));
			const { items, error } = await run(plain(next));
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json['Business Name'])).toEqual(next.map((row) => row['Business Name']));
			expect(billed()).toBe(edit.includes('top') || edit.includes('between') ? 13 : 10);
			expect(twice()).toEqual([]);
		},
	);

	it('sends a corrected row again only without an external ID', async () => {
		for (const plain of [(rows: Row[]) => rows, withoutIds]) {
			world.sandbox.reset();
			const run = importing();
			await run(plain(sheet(5)));
			await run(plain(sheet(5).map((row, index) => (index === 1 ? { ...row, City: 'Salem' } : row))));
			expect(billed()).toBe(plain === withoutIds ? 6 : 5);
		}
	});

	it('finds its rows without IDs where the name of the import has other capitals and accents', async () => {
		const run = importing();
		const rows = withoutIds(sheet(2));
		await run(rows, { more: { name: 'Café leads' } });
		await run([...rows, ...withoutIds(sheet(1, 3))], { more: { name: 'CAFE\u0301 Leads' } });
		expect([billed(), twice()]).toEqual([3, []]);
	});

	it('a run that does not wait returns what is known of the rows that were sent before', async () => {
		const run = importing();
		await run(sheet(5));
		const { items } = await run(sheet(6));
		expect(items.map(({ json }) => [json.verificationStatus, json.inquiryId])).toEqual([
			...Array(5).fill([expect.stringMatching(/^[A-Z_]+$/), expect.stringMatching(/^.{36}$/)]),
			['sent', ''],
		]);
	});
});

it.each(['allButLast', 'allButLastUnsaid', 'none'] as const)(
	'a batch of which the service takes %s',
	async (batchTakes) => {
		world.sandbox.switches.batchTakes = batchTakes;
		const run = importing();
		const first = await run(sheet(3));
		world.sandbox.switches.batchTakes = 'all';
		if (batchTakes === 'none') expect(statuses(first)).not.toContain('sent');
		else {
			expect(statuses(first)).toEqual(['sent', 'sent', 'not sent']);
			expect(first.items[2].json.verificationProblem).toBe('The service did not accept this row of the batch');
		}
		const second = await run(sheet(3));
		expect([second.error, billed(), twice()]).toEqual([undefined, 3, []]);
		expect(verificationsOf(second).map(({ reused }) => reused)).toEqual(
			batchTakes === 'none' ? [false, false, false] : [true, true, false],
		);
	},
);

it('sends the corrected row alone when one bad row of 1,000 is corrected, however the sheet is batched', async () => {
	const run = importing();
	const rows = sheet(1_000).map((row, index) => (index === 9 ? { ...row, City: '' } : row));
	const options = { chunkSize: 250 };
	expect(statuses(await run(rows, { options })).filter((status) => status !== 'sent')).toEqual(['not sent']);
	for (const chunkSize of [250, 100])
		expect((await run(sheet(1_000), { options: { chunkSize } })).error).toBeUndefined();
	expect(world.submissions()).toEqual(externalIds(1_000));
	expect(world.batchSizes()).toEqual([250, 250, 250, 249, 1]);
});

it('sends rows again whose batch was listed and has been deleted at the service since', async () => {
	const run = importing();
	await run(sheet(3));
	world.sandbox.reset();
	expect(verificationsOf(await run(sheet(3))).map(({ reused }) => reused)).toEqual([false, false, false]);
	expect(world.submissions()).toEqual(externalIds(3));
});

describe('rows without external IDs', () => {
	it('asks before it sends nearly all of them again', async () => {
		const importRows = importing();
		const run = (rows: Row[]) => importRows(rows, { options: { chunkSize: 100 } });
		const plain = withoutIds(sheet(300));
		await run(plain);
		const { error } = await run(plain.map((row) => ({ ...row, Zip: '02140' })));
		expect([error?.message, error?.description]).toEqual([
			'Only 0 of the 300 rows without an external ID are among the 300 rows submitted before whose IDs are not in the sheet',
			`Nothing new was sent. For another sheet, use another 'Batch Name'. If each run reads new rows only, give them External IDs. If it is the same sheet, its columns or its mapping changed: change them back. ${anyway}`,
		]);
		expect(billed()).toBe(300);
		// It may grow, and lose most of its rows.
		await run(withoutIds(sheet(900)));
		await run(withoutIds([...sheet(20, 880), ...sheet(20, 901)]));
		expect([billed(), twice()]).toEqual([920, []]);
	});

	it('are new beside those that keep their IDs, but not in place of some that have lost them', async () => {
		const run = importing();
		await run(sheet(60));
		expect((await run([...sheet(30), ...withoutIds(sheet(30, 31))])).error?.message).toBe(
			'Only 0 of the 30 rows without an external ID are among the 30 rows submitted before whose IDs are not in the sheet',
		);
		await run([...sheet(60), ...withoutIds(sheet(25, 61))]);
		expect([billed(), twice()]).toEqual([85, []]);
	});

	it('bill no business again that stands in the sheet twice and is sorted, or gets an ID', async () => {
		const run = importing();
		const [one, two] = withoutIds(sheet(2));
		const [llc, limited] = ['Acme LLC', 'Acme Limited'].map((name) => ({
			...{ ...one, 'Business Name': name, EIN: '12-3456789' },
		}));
		const known = expect.stringMatching(/^[A-Z]+$/) as string;
		await run([llc, two, limited]);
		const sorted = [limited, llc, two];
		expect(statuses(await run(sorted))).toEqual([known, 'not sent', known]);
		expect(statuses(await run(sorted.map((row) => ({ ...row, 'External ID': 'crm-9' })).slice(1, 2)))).toEqual([known]);
		expect(billed()).toBe(2);
	});

	it('count once if accents are written another way, or the column is called otherwise', async () => {
		const run = importing();
		const rows = withoutIds(sheet(2)).map((row) => ({ ...row, City: 'Cañon City' }));
		await run(rows);
		await run(rows.map(({ City, ...row }) => ({ ...row, 'Business City': City.normalize('NFD') })));
		expect(billed()).toBe(2);
	});
});

it('only those without a status are read each time, as in a scheduled workflow: nothing is refused', async () => {
	const importRows = importing();
	const run = (rows: Row[]) => importRows(rows, { options: { chunkSize: 100 } });
	await run(sheet(500));
	for (const rows of [sheet(3, 501), sheet(1, 504), sheet(5, 500)]) expect((await run(rows)).error).toBeUndefined();
	expect(world.submissions()).toEqual(externalIds(504));
});

describe('external IDs', () => {
	const ids = (rows: Row[], of = (row: Row) => row['Business Name']) =>
		rows.map((row) => ({ ...row, 'External ID': `crm ${of(row)}` }));

	it('come later: nothing is billed again, also of a business that is twice in the sheet', async () => {
		const run = importing();
		const [one, two] = withoutIds(sheet(2));
		await run([one, two, one]);
		const { items } = await run(ids([one, two, one]));
		const known = expect.stringMatching(/^[A-Z]+$/) as string;
		expect([billed(), statuses({ items } as never)]).toEqual([2, [known, known, 'not sent']]);
	});

	it('are the same in another Unicode form, or with other blanks', async () => {
		const run = importing();
		const named = (id: string) => sheet(2).map((row, place) => ({ ...row, 'External ID': place === 0 ? id : 'crm-2' }));
		for (const id of ['Café 7', 'Cafe\u0301\u00a07', 'Café  7']) expect((await run(named(id))).error).toBeUndefined();
		expect(billed()).toBe(2);
		// Of these, users may mean two.
		const { error } = await run(named('Ｃａｆé 7'));
		expect(error?.message).toBe(
			"External IDs differ from those of earlier runs: 'Ｃａｆé 7' here, 'Café 7' in the service",
		);
		expect(billed()).toBe(2);
	});

	it('of two businesses are not sent, and neither gets the result of the other', async () => {
		const run = importing();
		const [one, two, three] = sheet(3);
		const shared = [one, { ...two, 'External ID': 'crm-1' }, three];
		await run([one, three]);
		const { items, hints } = await run(shared);
		const reason =
			'External ID is the same in items 1, 2, but the businesses differ, so none is sent or gets an earlier result';
		expect(items.map(({ json }) => [json.verificationStatus, json.verificationProblem, json.inquiryId])).toEqual([
			['not sent', reason, ''],
			['not sent', reason, ''],
			[expect.stringMatching(/^[A-Z]+$/), '', expect.any(String)],
		]);
		expect([billed(), hints]).toEqual([
			2,
			[
				expect.stringMatching(
					`^Nothing was sent or billed\\. 1 row was already submitted under '.+' \\(first on .+\\)\\. ${theirs} Not sent: items 1, 2\\. Each says why\\.$`,
				),
			],
		]);
		const dry = await run(shared.slice(0, 2), { more: { dryRun: true } });
		expect(dry.hints[0]).toMatch(
			/^0 of 2 rows would be sent and billed\. None is matched to the rows submitted before under/,
		);
	});

	const shownOnce = (...ids: string[]) => {
		const items = ids.map((externalId, id) => ({ id, externalId, status: 'RUNNING' }));
		const path = /batch-inquiries\/[^/]+\/inquiries$/;
		world.sandbox.faults.add({ method: 'GET', path, body: { total: items.length, items } });
	};

	it('of others, which a batch shows beside its rows, change nothing', async () => {
		shownOnce('stray', 'crm-1', 'crm-2');
		const { hints } = await importing()(sheet(2));
		expect(hints).toEqual([`2 rows were sent and billed, in 1 batch. ${forResults}`]);
	});

	it('that a batch shows only when it is read again stop nothing', async () => {
		shownOnce('crm-1');
		const { error } = await importing()(sheet(6), { options: { lookUpWait: 1 } });
		expect([error, billed()]).toEqual([undefined, 6]);
	});

	it('that a service changes in some rows are said to be, in these rows', async () => {
		shownOnce('crm-1', 'changed');
		const { items, hints } = await importing()(sheet(2));
		expect(items.map(({ json }) => json.verificationProblem)).toEqual([
			'',
			'The service does not return its external ID, so a later run may bill it again.',
		]);
		expect(hints).toEqual([
			// Not to run it again for the results, which would be billed.
			'2 rows were sent and billed, in 1 batch.',
			`The service changes external IDs: sent 'crm-2', the service returned 'changed'. ${asReturned} ${anyway}`,
		]);
	});
});

it('a batch that was carried out behind a refusal of a gateway is this run, and no other', async () => {
	world.sandbox.faults.add({ ...post, after: true, status: 401 });
	const { items, failed } = await importing()(sheet(6), {
		onError: 'continueErrorOutput',
		options: { concurrency: 1 },
	});
	expect(failed).toEqual([]);
	expect(statuses({ items } as never)).toEqual(Array(6).fill('sent'));
	expect(world.submissions()).toEqual(externalIds(6));
});

it('doubtful rows are named once, in however many tries they were sent', async () => {
	world.sandbox.faults.add({ ...post, skip: 1, status: 403 });
	const rows = sheet(8).map((row, place) => ({
		...row,
		Email: place % 4 === 0 ? 'a@acme.example, b@acme.example' : '',
	}));
	const { error, hints } = await importing()(rows, { retryOnFail: true });
	expect([error, billed()]).toEqual([undefined, 8]);
	expect(hints[1]).toBe(
		"In items 1, 5: 'Email' seems to hold more than one value, or another kind of value. It is not corrected.",
	);
});

it('an error of a later try says what the tries before it have sent', async () => {
	world.sandbox.faults.add({ ...post, skip: 1, status: 403 });
	// The first try reads the list three times.
	world.sandbox.faults.add({ method: 'GET', path: /batch-inquiries\/$/, skip: 3, status: 401, times: Infinity });
	const { error } = await importing()(sheet(8), { retryOnFail: true });
	const [{ id }] = world.sandbox.ledger;
	expect(error?.description).toBe(
		`It was submitted and billed (${id}). Check first that the key is a current one for the service at 'Base URL'. If your provider names another header than Authorization, enter it as 'Header Name' under 'Deployment Settings'. Run the node again in a minute: what was submitted is found, and nothing is billed twice.`,
	);
	expect(error?.context).toEqual({ kind: 'credential', submission: 'accepted' });
});
