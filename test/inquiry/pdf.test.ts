import { pdfIn } from '../../nodes/BusinessVerification/inquiry/pdf';

// The form of the answer is open: the bytes of the file come out as they went in.

/** Bytes that no text encoding survives. */
const file = Buffer.concat([
	Buffer.from('%PDF-1.7\n'),
	Buffer.from([0x00, 0xff, 0xfe, 0xe9, 0x80, 0x0a]),
	Buffer.from('%%EOF'),
]);
const base64 = file.toString('base64');
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

const found: Array<[form: string, bytes: Buffer]> = [
	['the file itself', file],
	['base64', Buffer.from(base64)],
	['base64 in lines', Buffer.from(base64.replace(/(.{8})/g, '$1\r\n'))],
	['JSON text', json(base64)],
	['a data URL in JSON', json({ pdf: `data:application/pdf;base64,${base64}` })],
	['JSON, one level down', json({ content: base64 })],
	['JSON, two levels down', json({ file: { name: 'report.pdf', content: base64 } })],
	['JSON, six levels down', json({ a: { b: { c: { d: { e: { pages: 3, content: base64 } } } } } })],
	['JSON, in a list', json([{ name: 'report.pdf', content: base64 }])],
	['JSON with the bytes as text', json({ file: { content: file.toString('latin1') } })],
];

test.each(found)('%s', async (_, bytes) => {
	expect((await pdfIn(bytes, async () => {})).pdf).toEqual(file);
});

test.each([
	['a line feed', Buffer.from('\n')],
	['a byte-order mark', Buffer.from([0xef, 0xbb, 0xbf])],
	['blank lines', Buffer.from(' \r\n\r\n')],
])('%s before the file stays, and the file is whole', async (_, before) => {
	const bytes = Buffer.concat([before, file]);
	expect(await pdfIn(bytes, async () => {})).toEqual({ pdf: bytes });
});

test.each([
	['a link', { url: 'https://files.example.com/report.pdf' }],
	['a text that mentions PDF', 'see %PDF- for details'],
	['a record without a file', { pages: 3, isReady: false, file: null }],
	['nothing', null],
])('%s is no file', async (_, answer) => {
	expect((await pdfIn(json(answer), async () => {})).pdf).toBeUndefined();
});
