import * as answers from '../../nodes/BusinessVerification/document/answers';
import * as inquiries from '../../nodes/BusinessVerification/document/inquiries';
import { isObject, requiredOf, snakeCased } from '../../nodes/BusinessVerification/document/vocabulary';
import { isSearchComplete } from '../../nodes/BusinessVerification/document/sellers';

// What the document says of answers, statuses and counts, word for word.

describe('the rows of a list', () => {
	const rows = [{ id: '1' }];

	it.each<[string, unknown]>([
		['a list by itself', rows],
		...['items', 'results', 'data', 'inquiries', 'batches'].map((name, place, usual): [string, unknown] => {
			const later = [...usual.slice(place + 1), 'more'];
			return [
				`${name}, before ${later.join()}`,
				{ ...Object.fromEntries(later.map((one) => [one, [{}]])), [name]: rows },
			];
		}),
		['the first usual name that holds records', { results: rows, items: ['1'] }],
		['the only list there is', { total: 1, whatever: rows }],
	])('are found in %s', (_, answer) => {
		expect(answers.rowsIn(answer)).toEqual(rows);
	});

	it.each([
		['two lists of other names', { one: rows, two: rows }],
		['a list of something else', { items: [1, 2], total: 0 }],
		['a list of ten thousand other things', { items: Array<number>(10_000).fill(1) }],
		['no list, although rows are counted', { total: 1 }],
		['nothing', null],
	])('are not guessed in %s', (_, answer) => {
		expect(answers.rowsIn(answer)).toBeUndefined();
	});

	it('are in the field that was set, and in no other', () => {
		expect(answers.rowsIn({ mine: rows, items: [{ id: '2' }] }, 'mine')).toEqual(rows);
		expect(answers.rowsIn({ items: rows }, 'mine')).toBeUndefined();
		expect(answers.rowsIn({ total: 0, mine: null }, 'mine')).toEqual([]);
	});
});

describe('what an answer needs', () => {
	const read = (schema: { safeParse(answer: unknown): { success: boolean; data?: unknown } }, answer: unknown) => {
		const { success, data } = schema.safeParse(answer);
		return success ? data : 'refused';
	};

	it('an ID, as text; a number is one, blanks around it are not', () => {
		expect(read(answers.createdInquiry, { id: ' i-1 ', more: [1] })).toEqual({ id: 'i-1', more: [1] });
		expect(read(answers.createdInquiry, { id: 7 })).toEqual({ id: '7' });
		for (const id of ['', '  ', null, true, {}]) expect(read(answers.createdInquiry, { id })).toBe('refused');
		for (const answer of [null, 'text', []]) expect(read(answers.createdInquiry, answer)).toBe('refused');
	});

	it('each by its own key', () => {
		expect(read(answers.addedLicense, { licenseId: 'l-1' })).toEqual({ licenseId: 'l-1' });
		expect(read(answers.addedLicense, { id: 'l-1' })).toBe('refused');
		for (const schema of [answers.batch, answers.submittedBatch]) {
			expect(read(schema, { batchId: 3 })).toEqual({ batchId: '3' });
			expect(read(schema, { id: 3 })).toBe('refused');
		}
		for (const schema of [answers.addedPrincipal, answers.processRecord, answers.profile])
			expect([read(schema, { id: 'x' }), read(schema, {})]).toEqual([{ id: 'x' }, 'refused']);
		expect([read(answers.inquiry, { id: 'i', status: 'NEW' }), read(answers.inquiry, { id: 'i' })]).toEqual([
			{ id: 'i', status: 'NEW' },
			'refused',
		]);
		expect(read(answers.apiKeyRecord, { apiKey: 'key' })).toEqual({ apiKey: 'key' });
		const searches = [{ request_id: 'r' }, { request_id: 7 }, {}, { request_id: ' ' }, [], 'r'];
		expect(searches.map((answer) => read(answers.sellerSearch, answer))).toEqual([
			...[{ request_id: 'r' }, { request_id: '7' }],
			...['refused', 'refused', 'refused', 'refused'],
		]);
		expect(read(answers.sellerStatus, { status: 'pending' })).toEqual({ status: 'pending' });
	});

	it('nothing of a body that the document does not show', () => {
		expect([{ a: 1 }, undefined, null, '', 'done', 0].map((answer) => read(answers.anything, answer))).toEqual([
			{ a: 1 },
			{},
			{},
			{},
			{ result: 'done' },
			{ result: 0 },
		]);
	});

	it('payloads of a license: a list, a list of a usual or a set name, or one by itself', () => {
		const payload = { license_id: 'l', disciplinary_actions: [] };
		const all = (answer: unknown, field = '') => read(answers.verifications(field), answer);
		expect([all([payload, payload]), all(payload)]).toEqual([[payload, payload], [payload]]);
		for (const name of ['verifications', 'payloads', 'items', 'results', 'data'])
			expect(all({ total: 2, [name]: [payload, payload] })).toEqual([payload, payload]);
		expect(all({ inquiries: [payload] })).toEqual([{ inquiries: [payload] }]);
		expect(all({ mine: [payload], items: [] }, 'mine')).toEqual([payload]);
		expect(all({ items: [payload] }, 'mine')).toEqual([payload]);
		expect(all({ mine: [payload] })).toEqual([{ mine: [payload] }]);
		expect([all({}), all('text')]).toEqual(['refused', 'refused']);
	});

	it('a lender by its ID', () => {
		expect(answers.lenderIn({ id: 4, name: 'Example' })).toEqual({ id: '4', name: 'Example' });
		expect([answers.lenderIn({ name: 'Example' }), answers.lenderIn(null)]).toEqual([undefined, undefined]);
	});
});

describe('a batch', () => {
	const counts = (planning: number, running: number, completed: number, partialSuccess: number, failed: number) => ({
		...{ planning, running, completed, partialSuccess, failed },
	});

	it.each([
		[{ total: 3, ...counts(3, 0, 0, 0, 0) }, 'PLANNING'],
		[{ total: 3, ...counts(2, 1, 0, 0, 0) }, 'RUNNING'],
		[{ total: 3, ...counts(0, 0, 2, 0, 0) }, 'RUNNING'],
		[{ total: 3, ...counts(0, 0, 3, 0, 0) }, 'COMPLETED'],
		[{ total: 3, ...counts(0, 0, 0, 0, 3) }, 'FAILED'],
		[{ total: 3, ...counts(0, 0, 2, 0, 1) }, 'PARTIAL_SUCCESS'],
		[{ total: 3, ...counts(0, 0, 0, 3, 0) }, 'PARTIAL_SUCCESS'],
		[{ total: 0, ...counts(0, 0, 0, 0, 0) }, 'RUNNING'],
		[{ total: '3', completed: 3 }, 'RUNNING'],
		[{}, 'RUNNING'],
	] as const)('%j comes to %s', (batch, outcome) => {
		expect(answers.outcomeOf(batch)).toBe(outcome);
	});

	it('is done when the finished ones add up to its total', () => {
		expect(answers.endedIn(counts(1, 2, 3, 4, 5))).toBe(12);
		const isDone = (total: number) => answers.isBatchDone({ total, ...counts(1, 2, 3, 4, 5) });
		expect([11, 12, 13].map(isDone)).toEqual([true, true, false]);
		const ids = [{ id: 7, batch_id: 'b', batchId: ' ' }, { id: 7, batch_id: 'b', batchId: 'a' }, { id: 7 }];
		expect(ids.map(answers.batchIdOf)).toEqual(['b', 'a', '7']);
		expect(answers.isBatchDone({ completed: 3 })).toBe(false);
		expect([answers.countOf({ total: 4 }, 'total'), answers.countOf({ total: '4' }, 'total')]).toEqual([4, 0]);
	});
});

describe('an inquiry', () => {
	it('has three final statuses, in any case; an unknown one is not final', () => {
		const statuses = [...'PLANNING RUNNING ENRICHING COMPLETED PARTIAL_SUCCESS FAILED PAUSED'.split(' '), undefined];
		expect(statuses.map(inquiries.isEnd)).toEqual([false, false, false, true, true, true, false, false]);
		expect(statuses.map(inquiries.isKnownStatus)).toEqual([true, true, true, true, true, true, false, false]);
		expect(statuses.map(inquiries.hasFailed)).toEqual([false, false, false, false, false, true, false, false]);
		expect(statuses.map(inquiries.hasFailures)).toEqual([false, false, false, false, true, true, false, false]);
		expect([inquiries.isEnd('completed'), inquiries.hasFailed('failed')]).toEqual([true, true]);
	});
});

it('a list asks for several values with commas, and for what a source found by its name', () => {
	expect(answers.commaSeparated(['a', 'b'])).toBe('a,b');
	expect(answers.predicate('WATCHLISTS', 'CLEAR')).toBe('WATCHLISTS:CLEAR');
	expect(answers.defaultSort).toEqual({ sort_by: 'created_at', sort_order: 'desc' });
});

it('a filing needs its ID and state, and a name has one spelling with underscores', () => {
	expect(requiredOf(inquiries.filingFields)).toEqual(['sosId', 'sosState']);
	expect([snakeCased('licenseSubcategory'), snakeCased('name')]).toEqual(['license_subcategory', 'name']);
	expect([{}, [], null, 'text', undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

it('a seller search has one status that the document names', () => {
	const all = [{ status: 'complete' }, { status: 'COMPLETE' }, { status: 'pending' }, {}];
	expect(all.map(isSearchComplete)).toEqual([true, true, false, false]);
});
