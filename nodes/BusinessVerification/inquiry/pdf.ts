import { parsedBody } from '../../../credentials/responses';
import { entriesIn, isObject, partsRead } from '../document/vocabulary';

/**
 * The API documentation says that a PDF is generated, but that the response is JSON of an unspecified type. So the
 * bytes decide: a PDF, a PDF in base64, or JSON that contains either. Any other response is never guessed.
 * The bytes themselves come first, because reading a PDF as text would damage it. `turn` is n8n's, between reading a large
 * answer and searching it.
 */
export async function pdfIn(bytes: Buffer, turn: () => Promise<void>) {
	if (isPdf(bytes)) return { pdf: bytes };
	const answer = parsedBody(bytes);
	await turn();
	return { pdf: fileIn(answer), answer };
}

/** White space or a byte-order mark may precede the mark. PDF readers accept it within this many bytes. */
const markWithin = 1024;
const mark = '%PDF-';

const isPdf = (bytes: Buffer): boolean => /^[\s\ufeff]*%PDF-/.test(bytes.subarray(0, markWithin).toString('utf8'));

function fileIn(answer: unknown): Buffer | undefined {
	const values = [answer];
	// The list grows while it is read.
	for (const value of values) {
		const pdf = typeof value === 'string' ? pdfInText(value.trim()) : undefined;
		if (pdf !== undefined) return pdf;
		const inside = Array.isArray(value) ? value : isObject(value) ? entriesIn(value).map(([, part]) => part) : [];
		values.push(...inside.slice(0, Math.max(0, partsRead - values.length)));
	}
	return undefined;
}

function pdfInText(text: string): Buffer | undefined {
	if (text.startsWith(mark)) return Buffer.from(text, 'latin1');
	const pdf = Buffer.from(text.replace(/^data:application\/pdf;base64,/, ''), 'base64');
	return isPdf(pdf) ? pdf : undefined;
}
