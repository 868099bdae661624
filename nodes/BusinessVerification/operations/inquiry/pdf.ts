/**
 * The document says that a PDF is generated and that the answer is JSON of unspecified type. So the bytes decide: a PDF
 * itself, its base64 text, or JSON that holds either at any depth. Anything else is passed on as it came, never guessed.
 */
export function pdfIn(bytes: Buffer): { pdf: Buffer } | { answer: unknown } {
	if (isPdf(bytes)) return { pdf: bytes };
	const answer = parsed(bytes.toString('utf8').trim());
	for (const text of textsIn(answer)) {
		const pdf = decoded(text);
		if (pdf !== undefined) return { pdf };
	}
	return { answer };
}

/** Readers of PDF let white space and a byte order mark stand before the header, and so do services. */
const isPdf = (bytes: Buffer) => /^(\xef\xbb\xbf)?\s*%PDF-/.test(bytes.subarray(0, 1024).toString('latin1'));

function* textsIn(value: unknown): Generator<string> {
	if (typeof value === 'string') yield value;
	else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

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
