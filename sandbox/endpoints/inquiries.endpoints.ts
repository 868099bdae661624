import { inquirySources } from '../billing';
import { createInquiry, demandPermission } from '../creation';
import { owned, Raw, type Call, type Endpoint } from '../endpoint';
import { hasEnded, type Inquiry } from '../inquiries';
import { inquiryAnswer, inquiryRow } from '../inquiryAnswers';
import { listInquiries, listShape } from '../inquiryList';
import { pdfReport } from '../pdf';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import { stale } from '../stale';
import * as submission from '../submission';
import { demand } from '../validation';

export const inquiryOf = (service: Service, call: Call): Inquiry =>
	owned(service.inquiries.get(call.params.inquiry_id), call, 'inquiry');

export const inquiryEndpoints: Endpoint[] = [
	{
		method: 'GET',
		path: '/v1/inquiries/',
		authentication: 'inquiry',
		query: listShape,
		serve: (service, call) =>
			stale(service, call, () => {
				const { rows, ...page } = listInquiries(service, call.organisation, call.query);
				return { ...page, [service.switches.inquiryListField]: rows.map((row) => inquiryRow(service, row)) };
			}),
	},
	{
		method: 'POST',
		path: '/v1/inquiries/',
		authentication: 'inquiry',
		body: 'json',
		serve(service, { organisation, body }) {
			demand(body, submission.inquiry(service.switches), 'body');
			demandPermission(service, organisation, 1);
			const inquiry = createInquiry(service, organisation, body as submission.Submitted);
			service.record({
				kind: 'inquiry',
				id: inquiry.id,
				organisationId: organisation.id,
				key: inquiry.externalId,
				sources: inquirySources(inquiry.submitted, organisation.billable),
				count: 1,
			});
			return inquiryAnswer(service, inquiry);
		},
	},
	{
		method: 'GET',
		path: '/v1/inquiries/{inquiry_id}',
		authentication: 'inquiry',
		serve: (service, call) => inquiryAnswer(service, inquiryOf(service, call)),
	},
	{
		method: 'GET',
		path: '/v1/inquiries/{inquiry_id}/pdf',
		authentication: 'inquiry',
		serve(service, call) {
			const inquiry = inquiryOf(service, call);
			if (service.switches.pdfBeforeCompletion === 'refused' && !hasEnded(inquiry)) {
				throw new Refusal(409, 'The inquiry has not ended, so there is no PDF report yet');
			}
			return pdfAnswer(service, inquiry, call.origin);
		},
	},
	{
		// Where the switch pdfForm is jsonUrl: a link that needs no credential, as storage services give them.
		method: 'GET',
		path: '/files/{file}',
		authentication: 'none',
		serve(service, { params }) {
			const inquiry = service.inquiries.get(params.file.replace(/\.pdf$/, ''));
			if (!inquiry) throw new Refusal(404, 'There is no such file');
			return new Raw('application/pdf', pdfReport(inquiry));
		},
	},
];

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
