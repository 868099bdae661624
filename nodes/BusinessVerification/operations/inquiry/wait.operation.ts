import { settings } from '../../kit/collections';
import { operation } from '../../kit/operation';
import { inquiryId, inquiryWaitingOptions } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { chosenId } from '../../inquiry/found';
import { inquiryOutput, isInquiry, nameIn, sayNext } from '../../inquiry/record';
import { untilFinished } from '../../inquiry/completion';
import { get } from './get.operation';

export const wait = operation({
	name: 'Wait',
	action: 'Wait for inquiry',
	description: 'Wait until inquiries finish. Any number of items can wait together.',
	forModels:
		'Waits until an inquiry finishes, up to 45 seconds unless set otherwise, then gives its status. If it is still running, call again. To read it at once, use Get inquiry.',
	fields: { inquiryId, ...outputs, waitingOptions: settings('Waiting Options', inquiryWaitingOptions) },
	run: async (input, service, _, { json }) => {
		const { waitingOptions } = input;
		const inquiryId = await chosenId(service, input.inquiryId);
		const isFound = 'externalId' in input.inquiryId || isInquiry(json, inquiryId);
		const known = isFound ? { id: inquiryId } : {};
		const { inquiry, extra } = await untilFinished(service, inquiryId, waitingOptions, known);
		sayNext(service, inquiry);
		return inquiryOutput(inquiry, input, { extra, submittedName: nameIn(json, inquiryId) });
	},
	example: get.example,
});
