import { createHash } from 'node:crypto';
import { business, endpoint, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const create = async (fields: object = {}) => (await sandbox.post('/v1/inquiries/', { ...business, ...fields })).data;
const statusOf = async (fields: object) => (await sandbox.post('/v1/inquiries/', fields)).status;

switched(
	'createLicenseKeys',
	async () => [
		await statusOf({
			...business,
			licenses: [{ license_name: 'A', license_id: '1', license_state: 'IL', license_category: 'c' }],
		}),
		await statusOf({
			...business,
			licenses: [{ licenseName: 'A', licenseId: '1', licenseState: 'IL', licenseCategory: 'c' }],
		}),
	],
	[
		['snake', [200, 422]],
		['camel', [422, 200]],
	],
);

switched('echoBusinessName', async () => (await create()).businessName ?? 'absent', [
	[false, 'absent'],
	[true, 'Acme Bakery LLC'],
]);

switched('timestampForm', async () => (await create()).createdAt, [
	['milliseconds', '2024-05-01T12:00:00.000Z'],
	['microseconds', '2024-05-01T12:00:00.000000+00:00'],
	['seconds', '2024-05-01T12:00:00Z'],
	['noZone', '2024-05-01T12:00:00.000'],
]);

describe('the PDF', () => {
	const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
	const finished = async () => {
		const { id } = await create();
		sandbox.it.inquiries.finish(id);
		return id as string;
	};
	const pdf = (id: string, options = {}) => sandbox.get(`/v1/inquiries/${id}/pdf`, options);

	endpoint('GET /files/{file}', 'gives the bytes without a credential', async () => {
		const id = await finished();
		const direct = await pdf(id, { responseType: 'arraybuffer' });
		sandbox.it.switches.pdfForm = 'jsonUrl';
		const { url } = (await pdf(id)).data;
		const linked = await sandbox.get(url, { baseURL: '', headers: {}, responseType: 'arraybuffer' });
		expect(sha256(linked.data)).toBe(sha256(direct.data));
		expect((await sandbox.get('/files/none.pdf')).status).toBe(404);
	});

	switched(
		'pdfForm',
		async () => {
			const { data, headers } = await pdf(await finished(), { responseType: 'text', transformResponse: String });
			const type = String(headers['content-type']).split(';')[0];
			const start = data.startsWith('{') ? Object.keys(JSON.parse(data)).join() : data.slice(0, 5);
			return `${type} ${start}`;
		},
		[
			['bytes', 'application/pdf %PDF-'],
			['base64Text', 'text/plain JVBER'],
			['jsonString', 'application/json "JVBE'],
			['jsonContent', 'application/json fileName,contentType,content'],
			['jsonUrl', 'application/json url'],
			['json', 'application/json inquiryId,status,message'],
		],
	);
});
