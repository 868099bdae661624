import { jsonParse } from 'n8n-workflow';
import type { Json } from '../kit/service';

/**
 * The document says that a PDF is generated and that the answer is JSON of unspecified type. So the bytes decide: a PDF
 * itself, its base64 text, or JSON that holds either, at the path that is given or anywhere. Anything else is passed on
 * as it came, never guessed.
 */
export function pdfIn(bytes: Buffer, path?: string): { pdf: Buffer } | { answer: unknown } {
	// Read as text, a PDF would be damaged for good.
	if (isPdf(bytes)) return { pdf: bytes };
	const text = bytes.toString('utf8').trim();
	const answer = jsonParse<unknown>(text, { fallbackValue: text });
	const pdf = fileIn(path === undefined ? answer : at(answer, path), deepest);
	return pdf === undefined ? { answer } : { pdf };
}

const at = (answer: unknown, path: string): unknown =>
	path.split('.').reduce((value, key) => (value as Json | null | undefined)?.[key], answer);

/** Below the answer itself: `{ "data": { "file": { "content": … } } }`. */
const deepest = 4;
/** White space or a byte-order mark may stand before the mark of a PDF; its readers accept it this far in. */
const markWithin = 1024;
const mark = '%PDF-';

const isPdf = (bytes: Buffer): boolean => /^[\s\ufeff]*%PDF-/.test(bytes.subarray(0, markWithin).toString('utf8'));

function fileIn(value: unknown, levels: number): Buffer | undefined {
	if (typeof value === 'string') return decoded(value.trim());
	if (typeof value !== 'object' || value === null || levels === 0) return undefined;
	for (const inner of Object.values(value)) {
		const pdf = fileIn(inner, levels - 1);
		if (pdf !== undefined) return pdf;
	}
	return undefined;
}

function decoded(text: string): Buffer | undefined {
	if (text.startsWith(mark)) return Buffer.from(text, 'latin1');
	const pdf = Buffer.from(text.replace(/^data:application\/pdf;base64,/, ''), 'base64');
	return isPdf(pdf) ? pdf : undefined;
}
