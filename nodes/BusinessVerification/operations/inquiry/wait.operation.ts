import { operation, sendingOptions } from '../../definition';
import { inquiryId } from '../../fields/identifiers';
import { outputs } from '../../fields/output';
import { inquiryWaitingOptions } from '../../fields/waitingOptions';
import { inquiryExample } from '../examples';
import { shaped } from './inquiryRecord';
import { untilEnded } from './inquiryEnd';

export const wait = operation({
	name: 'Wait',
	action: 'Wait for inquiry',
	description: 'Wait until inquiries have ended. Any number of items can wait together.',
	fields: { inquiryId, ...outputs, options: sendingOptions(inquiryWaitingOptions) },
	run: async (input, service, _, { json }) => {
		const { inquiryId, options } = input;
		const known = json.id === inquiryId ? json : {};
		const { inquiry, extra } = await untilEnded(service, inquiryId, options, { createdAt: known.createdAt });
		return shaped(inquiry, input, { extra, submittedName: known.businessName });
	},
	example: inquiryExample,
});
