import { Failure } from '../../nodes/BusinessVerification/kit/service';
import type { Outcome } from '../../nodes/BusinessVerification/kit/operation';
import { keyOf, type Model, type Row, type Said } from './model';

/** What is read of the texts for people, because no field of the output says it. */
const claims = {
	rows: /(\d+) of \d+ rows were submitted/,
	sent: /([\d,]+) rows? (?:was|were) sent and billed/,
	alreadySubmitted: /([\d,]+) rows? (?:was|were) already submitted/,
	notSent: /Not sent: (?:item|row)s? ([^.]+)\./,
};

const read = new Set<string>();

/** Undefined if the text does not claim it. */
function claimed(claim: keyof typeof claims, text: string): string | undefined {
	const match = claims[claim].exec(text);
	if (match !== null) read.add(claim);
	return match?.[1];
}

/** A text that has changed would be read no more, and nothing would be checked of it: then its claim is here. */
export const neverRead = (): string[] => Object.keys(claims).filter((claim) => !read.has(claim));

/** What a run says of its rows that is not so: of what was paid that it was not sent, or the other way round. */
export function untruths(result: Outcome[] | Failure, sheet: readonly Row[], model: Model, said: Said): string[] {
	const isBilled = (one: Row) => model.billed.has(keyOf(one));
	const untrue = said.remarks.flatMap((remark) => untrueCounts(remark, sheet, model));
	if (result instanceof Failure) {
		const { description = '', submission } = result.details;
		if (submission === 'accepted' && said.taken === 0) untrue.push('rows that were not sent are said to be accepted');
		if (Number(claimed('rows', description) ?? 0) > sheet.filter(isBilled).length)
			untrue.push('more rows are said to be submitted than were');
		return untrue;
	}
	for (const outcome of result) {
		const one = sheet[outcome.item];
		if ('output' in outcome) {
			const { verificationStatus: status, verificationProblem: problem } = outcome.output;
			const isDenied = status === 'not sent' || status === 'skipped';
			const other = model.otherNameOf(one);
			if (status === 'RUNNING' && other !== undefined && !String(problem).includes(`'${String(other)}'`))
				untrue.push('a result of another business is not said to be its');
			if (isDenied && isBilled(one)) untrue.push('a row that was paid comes back as not sent');
			if (!isDenied && status !== 'not confirmed' && !isBilled(one))
				untrue.push('a row that was not sent is said to be');
		} else {
			const { submission } = outcome.failure.details;
			if (submission === undefined && isBilled(one)) untrue.push('a row that was paid is said not to be sent');
			if (submission === 'accepted' && !isBilled(one)) untrue.push('a row that was not sent is said to be accepted');
		}
	}
	return untrue;
}

/** `12 rows were sent and billed, in 1 batch. 4 rows were already submitted under 'May'. Not sent: items 1, 2, 3.` */
function untrueCounts(remark: string, sheet: readonly Row[], model: Model): string[] {
	const count = (claim: keyof typeof claims) => Number(claimed(claim, remark) ?? 0);
	const billed = sheet.filter((one) => model.billed.has(keyOf(one))).length;
	const submitted = count('sent') + count('alreadySubmitted');
	const unsent = (claimed('notSent', remark)?.match(/\d+/g) ?? []).length;
	return [
		...(submitted > billed + model.dropped.size ? ['more rows are remarked as sent than are'] : []),
		...(unsent > sheet.length - billed ? ['paid rows are remarked as not sent'] : []),
	];
}
