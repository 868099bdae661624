/**
 * The document says that a PDF is generated and that the answer is JSON of unspecified type. So the bytes decide: a PDF
 * itself, its base64 text, or JSON that holds either. Anything else is passed on as it came, never guessed.
 */
export function pdfIn(bytes: Buffer): { pdf: Buffer } | { answer: unknown } {
	if (isPdf(bytes)) return { pdf: bytes };
	const text = bytes.toString('utf8').trim();
	const answer = parsed(text);
	const candidates = typeof answer === 'object' && answer !== null ? Object.values(answer) : [answer];
	for (const candidate of candidates) {
		const pdf = typeof candidate === 'string' ? decoded(candidate) : undefined;
		if (pdf !== undefined) return { pdf };
	}
	return { answer };
}

const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).toString('latin1') === '%PDF-';

function decoded(text: string): Buffer | undefined {
	if (text.startsWith('%PDF-')) return Buffer.from(text, 'latin1');
	const base64 = text.replace(/^data:application\/pdf;base64,/, '').replace(/\s/g, '');
	// "%PDF-" in base64; anything else is not worth decoding.
	if (!base64.startsWith('JVBERi0')) return undefined;
	return Buffer.from(base64, 'base64');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
