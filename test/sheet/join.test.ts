import fc from '../harness/seed';
import { inquiryIn } from '../../nodes/BusinessVerification/inquiry/record';
import { joinItems } from '../../nodes/BusinessVerification/sheet/results';

const item = (businessName: string, externalId?: string, businessCity = 'Springfield') => ({
	businessName,
	businessCity,
	businessState: 'IL',
	...(externalId === undefined ? {} : { externalId }),
});
type Item = Parameters<typeof joinItems>[0][number];

/** Each result with the row that it is of. */
function joinRows(rows: Array<{ row: number; item: Item }>, inquiries: Parameters<typeof joinItems>[1]) {
	const { joined, unmatched } = joinItems(
		rows.map(({ item }) => item),
		inquiries,
	);
	return { rows: joined.map((result, place) => ({ row: rows[place].row, ...result })), unmatched };
}

const vague = 'nothing in the response distinguishes this row; give every row an external ID';

test('by external ID, whatever the order of the service', () => {
	const rows = [
		{ row: 4, item: item('Acme', 'b') },
		{ row: 9, item: item('Acme', 'a') },
		{ row: 11, item: item('Acme', 'c') },
	];
	const [a, b] = [
		{ id: '1', externalId: 'a' },
		{ id: '2', externalId: 'b' },
	];
	expect(joinRows(rows, [a, b])).toEqual({
		rows: [
			{ row: 4, inquiry: b, joinedBy: 'externalId' },
			{ row: 9, inquiry: a, joinedBy: 'externalId' },
			{ row: 11, notJoinable: 'no inquiry of the batch has its external ID' },
		],
		unmatched: [],
	});
});

test('an external ID the service has twice is joined to neither', () => {
	const twice = [
		{ id: '1', externalId: 'a' },
		{ id: '2', externalId: 'a' },
	];
	expect(
		joinRows(
			[
				{ row: 1, item: item('Acme', 'a') },
				{ row: 2, item: item('Best') },
			],
			twice,
		),
	).toEqual({
		rows: [
			{ row: 1, notJoinable: '2 inquiries of the batch have its external ID' },
			{ row: 2, notJoinable: vague },
		],
		unmatched: twice,
	});
});

test('by an external ID in another spelling, where it identifies one row and one inquiry', () => {
	const rows = ['A-7', '007', 'b', 'B', 'c'].map((externalId, place) => ({
		row: place + 1,
		item: item('Acme', externalId),
	}));
	const inquiries = [
		{ id: '1', externalId: 'a-7' },
		{ id: '2', externalId: 7 },
		inquiryIn({ id: '3', external_id: 'B ' }),
		{ id: '4', externalId: 'C' },
		{ id: '5', externalId: ' c' },
	];
	const none = 'no inquiry of the batch has its external ID';
	expect(joinRows(rows, inquiries)).toEqual({
		rows: [
			{ row: 1, inquiry: inquiries[0], joinedBy: 'externalId' },
			{ row: 2, inquiry: inquiries[1], joinedBy: 'externalId' },
			{ row: 3, notJoinable: none },
			{ row: 4, notJoinable: none },
			{ row: 5, notJoinable: '2 inquiries of the batch have its external ID' },
		],
		unmatched: inquiries.slice(2),
	});
});

test('by the business the service returns, as far as it distinguishes rows', () => {
	const rows = [
		{ row: 1, item: item('Acme') },
		{ row: 2, item: item('Best') },
		{ row: 3, item: item('Best', undefined, 'Chicago') },
		{ row: 4, item: item('Café') },
	];
	const names = [
		{ id: '1', businessName: 'CAFÉ' },
		{ id: '2', businessName: 'Best' },
		{ id: '3', businessName: 'acme ' },
		{ id: '4', businessName: 'Best' },
	];
	expect(joinRows(rows, names)).toEqual({
		rows: [
			{ row: 1, inquiry: names[2], joinedBy: 'business' },
			{ row: 2, notJoinable: vague },
			{ row: 3, notJoinable: vague },
			{ row: 4, inquiry: names[0], joinedBy: 'business' },
		],
		unmatched: [names[1], names[3]],
	});

	const full = [
		{ id: '1', businessName: 'Best', businessCity: 'Chicago', businessState: 'IL' },
		{ id: '2', businessName: 'Best', businessCity: 'Springfield', businessState: 'IL' },
	];
	expect(joinRows(rows.slice(1, 3), full).rows).toEqual([
		{ row: 2, inquiry: full[1], joinedBy: 'business' },
		{ row: 3, inquiry: full[0], joinedBy: 'business' },
	]);
});

test('a row joined by its external ID does not keep another of the same name from being joined', () => {
	const inquiries = [
		{ id: '1', externalId: 'a' },
		{ id: '2', businessName: 'Acme' },
	];
	expect(
		joinRows(
			[
				{ row: 1, item: item('Acme', 'a') },
				{ row: 2, item: item('Acme') },
			],
			inquiries,
		).rows,
	).toEqual([
		{ row: 1, inquiry: inquiries[0], joinedBy: 'externalId' },
		{ row: 2, inquiry: inquiries[1], joinedBy: 'business' },
	]);
});

test('one row and one inquiry belong together unless they contradict each other', () => {
	expect(joinRows([{ row: 8, item: item('Acme', 'a') }], [{ id: '1' }]).rows).toEqual([
		{ row: 8, inquiry: { id: '1' }, joinedBy: 'onlyRow' },
	]);
	expect(joinRows([{ row: 8, item: item('Acme', 'a') }], [{ id: '1', externalId: 'z' }])).toEqual({
		rows: [{ row: 8, notJoinable: 'no inquiry of the batch has its external ID' }],
		unmatched: [{ id: '1', externalId: 'z' }],
	});
});

test('says plainly when nothing can be joined', () => {
	const rows = [
		{ row: 1, item: item('Acme', 'a') },
		{ row: 2, item: item('Best', 'b') },
	];
	expect(joinRows(rows, [{ id: '1' }, { id: '2' }]).rows).toEqual([
		{
			row: 1,
			notJoinable: 'nothing in the response distinguishes this row, not even its external ID',
		},
		{
			row: 2,
			notJoinable: 'nothing in the response distinguishes this row, not even its external ID',
		},
	]);
	expect(joinRows(rows, []).rows[0]).toEqual({ row: 1, notJoinable: 'the batch lists no inquiries' });
});

test('every row once and in order, every inquiry once, never a wrong pair', () => {
	const truth = fc.record({
		name: fc.constantFrom('Acme', 'Best', 'Café'),
		externalId: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined }),
		shows: fc.constantFrom<string[]>([], ['externalId'], ['businessName'], ['externalId', 'businessName']),
	});
	fc.assert(
		fc.property(
			fc
				.uniqueArray(truth, { maxLength: 8, selector: ({ externalId }) => externalId ?? {} })
				.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list.map((_, index) => index)))),
			([list, listed]) => {
				const rows = list.map(({ name, externalId }, index) => ({ row: index + 1, item: item(name, externalId) }));
				const inquiries = listed.map((index) => ({
					of: index + 1,
					...Object.fromEntries(Object.entries(rows[index].item).filter(([key]) => list[index].shows.includes(key))),
				}));
				const joined = joinRows(rows, inquiries);
				expect(joined.rows.map(({ row }) => row)).toEqual(rows.map(({ row }) => row));
				const used = joined.rows.flatMap((row) => ('inquiry' in row ? [row.inquiry] : []));
				expect([...used, ...joined.unmatched].map(({ of }) => of).sort()).toEqual(inquiries.map(({ of }) => of).sort());
				for (const row of joined.rows) if ('inquiry' in row) expect(row.inquiry.of).toBe(row.row);
			},
		),
	);
});
