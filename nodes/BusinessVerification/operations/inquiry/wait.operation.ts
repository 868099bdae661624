import { operation, sendingOptions } from '../../kit/operation';
import { inquiryId, inquiryWaitingOptions } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { inquiryExample } from '../examples';
import { inquiryOutput } from '../../inquiry/record';
import { untilEnded } from '../../inquiry/end';

export const wait = operation({
	name: 'Wait',
	action: 'Wait for inquiry',
	description: 'Wait until inquiries have ended. Any number of items can wait together.',
	fields: { inquiryId, ...outputs, options: sendingOptions(inquiryWaitingOptions) },
	run: async (input, service, _, { json }) => {
		const { inquiryId, options } = input;
		const known = json.id === inquiryId ? json : {};
		const { inquiry, extra } = await untilEnded(service, inquiryId, options, { createdAt: known.createdAt });
		return inquiryOutput(inquiry, input, { extra, submittedName: known.businessName });
	},
	example: inquiryExample,
});
