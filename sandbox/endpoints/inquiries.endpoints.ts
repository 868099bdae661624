import { createInquiry } from '../creation';
import { owned, Raw, readable, type Call, type Endpoint } from '../endpoint';
import type { Inquiry } from '../inquiries';
import { inquiryAnswer, inquiryRow } from '../inquiryAnswers';
import { listInquiries, listShape } from '../inquiryList';
import type { Organization } from '../organizations';
import { listAnswer } from '../pages';
import { pdfReport } from '../pdf';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import * as submission from '../submission';
import { demand } from '../validation';

export const inquiryOf = (service: Service, call: Call): Inquiry =>
	owned(readable(service, service.inquiries.get(call.params.inquiry_id)), call, 'inquiry');

export const inquiryEndpoints: Endpoint[] = [
	{
		method: 'GET',
		path: '/v1/inquiries/',
		authentication: 'inquiry',
		query: listShape,
		list: 'inquiries',
		serve(service, call) {
			if (call.query.search !== undefined && service.switches.listRefused === 'search') {
				throw new Refusal(403, 'search is not open to this caller');
			}
			return listAnswer(service, call, {
				field: service.switches.inquiryListField,
				found(page) {
					const { total, rows } = listInquiries(service, call.organization, call.query, page);
					return { total, rows: rows.map((row) => inquiryRow(service, row)) };
				},
			});
		},
	},
	{
		method: 'POST',
		path: '/v1/inquiries/',
		authentication: 'inquiry',
		body: 'json',
		answers: 'writeAnswer',
		serve(service, { organization, body }) {
			demand(body, submission.inquiry(service.switches), 'body');
			const submitted = body as submission.Submitted;
			const { externalIdRepeated } = service.switches;
			const known = externalIdRepeated === 'another' ? undefined : knownBy(service, organization, submitted);
			if (known && externalIdRepeated === 'refused') throw new Refusal(409, 'An inquiry of this externalId exists');
			const inquiry = known ?? createInquiry(service, organization, submitted);
			service.record({
				kind: 'inquiry',
				id: inquiry.id,
				organizationId: organization.id,
				key: inquiry.externalId,
				count: 1,
				...(known && externalIdRepeated === 'existing' && { duplicate: true }),
			});
			return inquiryAnswer(service, inquiry);
		},
	},
	{
		method: 'GET',
		path: '/v1/inquiries/{inquiry_id}',
		authentication: 'inquiry',
		answers: 'readAnswer',
		serve: (service, call) => inquiryAnswer(service, inquiryOf(service, call)),
	},
	{
		method: 'GET',
		path: '/v1/inquiries/{inquiry_id}/pdf',
		authentication: 'inquiry',
		serve: (service, call) => pdfAnswer(service, inquiryOf(service, call), call.origin),
	},
];

/** "externalId | string, nullable | no": that it is unique, or what happens if it is not, is said nowhere. */
const knownBy = ({ inquiries }: Service, organization: Organization, { externalId }: submission.Submitted) =>
	!externalId ? undefined : inquiries.of(organization.id).find((inquiry) => inquiry.externalId === externalId);

/** "documented response is JSON of unspecified type; the body format is not shown" */
function pdfAnswer({ switches }: Service, inquiry: Inquiry, origin: string): unknown {
	const bytes = pdfReport(inquiry);
	const base64 = bytes.toString('base64');
	switch (switches.pdfForm) {
		case 'bytes':
			return new Raw('application/pdf', bytes);
		case 'base64Text':
			return new Raw('text/plain; charset=utf-8', base64);
		case 'jsonString':
			return base64;
		case 'jsonContent':
			return { fileName: `inquiry-${inquiry.id}.pdf`, contentType: 'application/pdf', content: base64 };
		case 'jsonUrl':
			return { url: `${origin}/files/${inquiry.id}.pdf` };
		case 'json':
			return { inquiryId: inquiry.id, status: inquiry.status, message: 'The report is being generated' };
	}
}
