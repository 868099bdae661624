import { Failure, type Service } from '../../nodes/BusinessVerification/kit/service';
import { refuseUnsent, tellDeliveries } from '../../nodes/BusinessVerification/sheet/report';
import { type Delivery, GoodRows, Row } from '../../nodes/BusinessVerification/sheet/rows';
import { strictContext } from '../harness/strictContext';

// What a user reads after an import whose batches had different fates.

const rows = [0, 1, 2, 3].map((place) => new Row(place, { Name: String(place) }));

const sent = (at: number, more: object = {}): Delivery => ({
	batchId: `b-${at}`,
	batchName: `May ${at}`,
	total: 1,
	count: 1,
	rows: [rows[at]],
	reused: false,
	alsoSentAs: [],
	isListed: true,
	warnings: [],
	...more,
});

const unsent = (at: number, submission?: 'unknown'): Delivery => ({
	rows: [rows[at]],
	batchName: `May ${at}`,
	failure: new Failure(`no answer ${at}`, { submission }),
});

function summary(...deliveries: Delivery[]): string[] {
	const remarks: string[] = [];
	tellDeliveries(
		deliveries,
		new GoodRows('May', rows),
		strictContext<Service>({ remark: (text: string) => void remarks.push(text) }),
	);
	return remarks;
}

it('counts the rows of every fate', () => {
	expect(summary(sent(0), sent(1, { reused: true }), unsent(2, 'unknown'), unsent(3))).toEqual([
		'1 row sent in 1 batch, 1 already submitted, 1 not confirmed, 1 not sent.',
	]);
	expect(summary(sent(0), sent(1))).toEqual(['2 rows sent in 2 batches.']);
	expect(summary(unsent(0), unsent(1))).toEqual(['0 rows sent in 0 batches, 2 not sent.']);
	expect(summary(sent(0, { reused: true }))).toEqual(['The row was already submitted. Nothing was sent or billed.']);
	expect(summary()).toEqual([]);
});

/** The error of a run whose batches ended so. */
function refusal(...deliveries: Delivery[]): Failure | undefined {
	try {
		refuseUnsent(deliveries);
		return undefined;
	} catch (error) {
		return error as Failure;
	}
}

test.each([
	['two were refused', [unsent(0), unsent(1)], undefined],
	['the second has no answer', [unsent(0), unsent(1, 'unknown')], 'unknown'],
	['one was sent, one refused', [sent(0), unsent(1)], 'partial'],
	['one was sent, one has no answer', [sent(0), unsent(1, 'unknown')], 'unknown'],
])('the error says what became of the submission where %s', (_what, deliveries, submission) => {
	expect(refusal(...deliveries)?.details.submission).toBe(submission);
});

it('names the first failure, and stays silent where every batch was sent', () => {
	expect(refusal(sent(0), unsent(1), unsent(2))?.message).toBe('Batch with rows 3 to 3: no answer 1');
	expect(refusal(sent(0), sent(1))).toBeUndefined();
});
