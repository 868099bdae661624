import { optional, text } from '../../definition/field';
import { FileOutput, operation } from '../../definition/operation';
import { routes } from '../../document/routes';
import { inquiryId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/options';
import { pdfIn } from './pdf';
import { isFinal } from './record';
import { readInquiry } from './watching';

export const downloadPdf = operation({
	name: 'Download PDF',
	action: 'Download PDF of inquiry',
	description: 'Download the PDF report of an inquiry as a file',
	endpoint: routes.inquiryPdf,
	fields: {
		inquiryId,
		outputDataField: text('Output Data Field Name', {
			default: 'data',
			description: 'Name of the output field that will hold the file',
		}),
		options: sendingOptions({
			fileName: optional(
				text('File Name', {
					description: "Name of the file; the inquiry's ID unless given",
					placeholder: 'e.g. report.pdf',
				}),
			),
		}),
	},
	run: async ({ inquiryId, outputDataField, options }, service, own) => {
		const inquiry = await service.send(readInquiry(inquiryId));
		if (!isFinal(inquiry))
			service.remark(`Inquiry ${inquiryId} has not ended (${inquiry.status}): its report may be incomplete.`);
		const { bytes, contentType } = await service.download({ ...own({ inquiry_id: inquiryId }), kind: 'read' });
		const about = { inquiryId, isFinal: isFinal(inquiry) };
		const found = pdfIn(bytes);
		if ('pdf' in found) {
			const fileName = options.fileName ?? `inquiry-${inquiryId}.pdf`;
			const json = { ...about, fileName, mimeType: 'application/pdf', fileSize: found.pdf.length };
			return new FileOutput(json, { bytes: found.pdf, fileName, mimeType: 'application/pdf', field: outputDataField });
		}
		return { ...about, contentType, answer: found.answer };
	},
	example: {
		input: { inquiryId: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d', outputDataField: 'data' },
		output: {
			inquiryId: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
			isFinal: true,
			fileName: 'inquiry-3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d.pdf',
			mimeType: 'application/pdf',
			fileSize: 48213,
		},
	},
});
