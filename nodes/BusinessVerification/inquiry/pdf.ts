import { jsonParse } from 'n8n-workflow';

type PdfAnswer = { kind: 'pdf'; pdf: Buffer } | { kind: 'other'; answer: unknown };

/**
 * The API documentation says that a PDF is generated, but that the response is JSON of an unspecified type. So the
 * bytes decide: a PDF, a PDF in base64, or JSON that contains either. Any other response
 * is returned unchanged, never guessed.
 */
export function pdfIn(bytes: Buffer): PdfAnswer {
	// Checked first, because reading a PDF as text would damage it.
	if (isPdf(bytes)) return { kind: 'pdf', pdf: bytes };
	const text = bytes.toString('utf8').trim();
	const answer = jsonParse<unknown>(text, { fallbackValue: text });
	const pdf = fileIn(answer);
	return pdf === undefined ? { kind: 'other', answer } : { kind: 'pdf', pdf };
}

/** White space or a byte-order mark may precede the mark. PDF readers accept it within this many bytes. */
const markWithin = 1024;
const mark = '%PDF-';

const isPdf = (bytes: Buffer): boolean => /^[\s\ufeff]*%PDF-/.test(bytes.subarray(0, markWithin).toString('utf8'));

/** A list of a hundred thousand values holds no file. */
const mostValues = 1000;

function fileIn(answer: unknown): Buffer | undefined {
	const values = [answer];
	// The list grows while it is read.
	for (const value of values) {
		const pdf = typeof value === 'string' ? pdfInText(value.trim()) : undefined;
		if (pdf !== undefined) return pdf;
		const room = Math.max(0, mostValues - values.length);
		if (typeof value === 'object' && value !== null) values.push(...Object.values(value).slice(0, room));
	}
	return undefined;
}

function pdfInText(text: string): Buffer | undefined {
	if (text.startsWith(mark)) return Buffer.from(text, 'latin1');
	const pdf = Buffer.from(text.replace(/^data:application\/pdf;base64,/, ''), 'base64');
	return isPdf(pdf) ? pdf : undefined;
}
