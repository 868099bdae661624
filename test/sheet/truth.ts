import { Failure } from '../../nodes/BusinessVerification/kit/service';
import type { Outcome } from '../../nodes/BusinessVerification/kit/operation';
import { keyOf, type Model, type Row, type Said } from './model';

/** What a run says of its rows that is not so: of what was paid that it was not sent, or the other way round. */
export function untruths(result: Outcome[] | Failure, sheet: readonly Row[], model: Model, said: Said): string[] {
	const isBilled = (one: Row) => model.billed.has(keyOf(one));
	const untrue = said.remarks.flatMap((remark) => untrueCounts(remark, sheet, model));
	if (result instanceof Failure) {
		const { description = '', submission } = result.details;
		const deniesAll = /Nothing was sent|so nothing was sent/.test(`${result.message} ${description}`);
		if (deniesAll && said.taken > 0) untrue.push('"Nothing was sent" is said of rows that were');
		if (submission === 'accepted' && said.taken === 0) untrue.push('rows that were not sent are said to be accepted');
		const [, claimed = '0'] = /(\d+) of \d+ batches were submitted/.exec(description) ?? [];
		if (Number(claimed) > model.batches.length) untrue.push('more batches are said to be submitted than were');
		return untrue;
	}
	for (const outcome of result) {
		const one = sheet[outcome.items[0]];
		if ('output' in outcome) {
			const { warnings = [] } = outcome.output.verification as { warnings?: string[] };
			const isWarnedOf =
				model.dropped.has(keyOf(one)) && warnings.some((text) => text.includes('To see which are missing'));
			if (!isBilled(one) && !isWarnedOf) untrue.push('a row that was not sent is said to be');
		} else {
			const { submission } = outcome.failure.details;
			if (submission === undefined && isBilled(one)) untrue.push('a row that was paid is said not to be sent');
			if (submission === 'accepted' && !isBilled(one)) untrue.push('a row that was not sent is said to be accepted');
		}
	}
	return untrue;
}

/** `12 rows sent in 1 batch, 4 already submitted, 3 not sent.` */
function untrueCounts(remark: string, sheet: readonly Row[], model: Model): string[] {
	const count = (pattern: RegExp) => Number(pattern.exec(remark)?.[1] ?? 0);
	const billed = sheet.filter((one) => model.billed.has(keyOf(one))).length;
	const claimed = count(/^(\d+) rows? sent in/) + count(/(\d+) already submitted/);
	return [
		...(claimed > billed + model.dropped.size ? ['more rows are remarked as sent than are'] : []),
		...(count(/(\d+) not sent/) > sheet.length - billed ? ['paid rows are remarked as not sent'] : []),
	];
}
