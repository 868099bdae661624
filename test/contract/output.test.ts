/** What comes out is what the service said, whole and in one order. Two items or more. */
import { createServer } from 'node:http';
import { type Sandbox, startSandbox } from '../../sandbox';
import { pdfIn } from '../../nodes/BusinessVerification/operations/inquiry/pdf';
import { runNode } from '../inProcess';

describe('a list', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(() => sandbox.close());

	it('has one order, all of it or a part: the newest first', async () => {
		const run = (parameters: object, items: object[] = [{}]) =>
			runNode({
				parameters: { resource: 'inquiry', ...parameters } as never,
				credential: { baseUrl: sandbox.url, apiKey: sandbox.organisation.apiKey },
				items: items as never,
			});
		const business = { businessName: '={{ $json.name }}', businessCity: 'Springfield', businessState: 'IL' };
		for (const name of ['A', 'B', 'C', 'D']) await run({ operation: 'create', ...business }, [{ name }]);
		const names = async (parameters: object) =>
			(await run({ operation: 'getAll', simple: false, ...parameters })).items.map(({ json }) => json.id);
		const newestFirst = await names({ limit: 10 });
		expect(newestFirst).toHaveLength(4);
		expect(await names({ returnAll: true })).toEqual(newestFirst);
		const oldestFirst = await names({ returnAll: true, sort: { sort_order: 'asc' } });
		expect(oldestFirst).toEqual([...newestFirst].reverse());
	});
});

describe('a PDF', () => {
	const pdf = Buffer.from('255044462d312e340a25e2e3cfd30a0a00ff80', 'hex');
	const base64 = pdf.toString('base64');

	it.each<[string, Buffer]>([
		['as it is', pdf],
		['after a line feed', Buffer.concat([Buffer.from('\r\n'), pdf])],
		['after a byte order mark', Buffer.concat([Buffer.from('efbbbf', 'hex'), pdf])],
	])('%s passes byte by byte', (_, bytes) => {
		expect(pdfIn(bytes)).toEqual({ pdf: bytes });
	});

	it.each<[string, unknown]>([
		['in a text', base64],
		['in a field', { content: base64 }],
		['one level deeper', { file: { content: base64 } }],
		['in a list', { files: [{ name: 'report.pdf' }, { data: `data:application/pdf;base64,${base64}` }] }],
	])('%s is found', (_, answer) => {
		expect(pdfIn(Buffer.from(JSON.stringify(answer)))).toEqual({ pdf });
	});

	it('that is none is passed on as it came', () => {
		const answer = { url: 'https://example.com/report.pdf', note: 'mentions %PDF-1.4' };
		expect(pdfIn(Buffer.from(JSON.stringify(answer)))).toEqual({ answer });
	});

	it('costs one request for each inquiry and leaves no remarks', async () => {
		const asked: string[] = [];
		const server = createServer((request, response) => {
			asked.push(`${request.method} ${request.url}`);
			response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf);
		});
		await new Promise<void>((ready) => server.listen(21002, '127.0.0.1', ready));
		const { items, hints } = await runNode({
			parameters: { resource: 'inquiry', operation: 'downloadPdf', inquiryId: '={{ $json.id }}' },
			credential: { baseUrl: 'http://127.0.0.1:21002', apiKey: 'key' },
			items: [{ id: 'a' }, { id: 'b' }],
		});
		server.close();
		expect(asked.sort()).toEqual(['GET /v1/inquiries/a/pdf', 'GET /v1/inquiries/b/pdf']);
		expect(items.map(({ binary }) => binary?.data.data)).toEqual([base64, base64]);
		expect(hints).toEqual([]);
	});
});
