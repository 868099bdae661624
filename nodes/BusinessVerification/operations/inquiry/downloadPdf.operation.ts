import { FileOutput, operation, sendingOptions } from '../../kit/operation';
import { optionalText, text } from '../../kit/field';
import { routes } from '../../document/routes';
import { inquiryId, sampleIds } from '../../fields/shared';
import { chosenId } from '../../inquiry/found';
import { pdfIn } from '../../inquiry/pdf';
import { externalIdOf, isInquiry } from '../../inquiry/record';

export const downloadPdf = operation({
	name: 'Download PDF',
	action: 'Download PDF of inquiry',
	description:
		"Download the PDF report of an inquiry, which may be incomplete while the inquiry is running. If the service returns no file, 'answer' has its response.",
	endpoint: routes.inquiryPdf,
	forModels: 'Makes the PDF report of an inquiry, a file for people. To read results yourself, use Get inquiry.',
	asks: ['inquiryId'],
	fields: {
		inquiryId,
		outputDataField: text('Output Data Field Name', {
			placeholder: 'e.g. data',
			default: 'data',
			description: 'Name of the output field that will hold the file',
		}),
		options: sendingOptions({
			fileName: optionalText('File Name', {
				description:
					'Name of the file. If empty, it contains the external ID if it is known, or the ID of the inquiry.',
				placeholder: 'e.g. report.pdf',
			}),
		}),
	},
	run: async ({ inquiryId: chosen, outputDataField, options }, service, own, { json }) => {
		const inquiryId = await chosenId(service, chosen);
		const bytes = await service.download({ ...own({ inquiry_id: inquiryId }), kind: 'read' });
		const { pdf, answer } = await pdfIn(bytes, () => service.pause(1));
		if (pdf === undefined) {
			service.remark(
				"The response of the service has no PDF, so there is no file. The response is in 'answer'. The inquiry may still be running.",
			);
			return { inquiryId, answer };
		}
		const externalId = 'externalId' in chosen ? chosen.externalId : isInquiry(json, inquiryId) && externalIdOf(json);
		const fileName = options.fileName ?? `inquiry-${inFileName(externalId || inquiryId)}.pdf`;
		const record = { inquiryId, fileName, mimeType: 'application/pdf', fileSize: pdf.length };
		service.advise(
			`A model is not given files. Where the execution keeps the output of this tool, the file is in the field '${outputDataField}'; elsewhere a workflow downloads it with 'Download PDF'.`,
		);
		return new FileOutput(record, { bytes: pdf, fileName, mimeType: 'application/pdf', field: outputDataField });
	},
	example: {
		inquiryId: sampleIds.inquiry,
		fileName: `inquiry-${sampleIds.inquiry}.pdf`,
		mimeType: 'application/pdf',
		fileSize: 48213,
	},
});

/** Without what file systems refuse. */
const inFileName = (text: string) => text.slice(0, 100).replace(/[\\/:*?"<>|\p{Cc}]/gu, '_');
