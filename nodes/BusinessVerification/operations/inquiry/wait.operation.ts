import { operation, sendingOptions } from '../../kit/operation';
import { inquiryId, inquiryWaitingOptions } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { inquiryExample } from '../examples';
import { inquiryOutput } from '../../inquiry/record';
import { untilEnded } from '../../inquiry/end';
import type { Json } from '../../kit/service';

export const wait = operation({
	name: 'Wait',
	action: 'Wait for inquiry',
	description: 'Wait until inquiries have ended. Any number of items can wait together.',
	fields: { inquiryId, ...outputs, options: sendingOptions(inquiryWaitingOptions) },
	run: async (input, service, _, { json }) => {
		const { inquiryId, options } = input;
		// A record of the service, as an operation before this one put it out.
		const { id, createdAt, businessName }: Json = json.id === inquiryId && 'status' in json ? json : {};
		const { inquiry, extra } = await untilEnded(service, inquiryId, options, { id, createdAt });
		return inquiryOutput(inquiry, input, { extra, submittedName: businessName });
	},
	example: inquiryExample,
});
