import { operation } from '../../definition/operation';
import { inquiryId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/options';
import { outputFields, simple } from '../../fields/output';
import { inquiryWaitingOptions } from '../../fields/waiting';
import { inquiryExample } from './example';
import { shaped } from './record';
import { untilEnded } from './watching';

export const wait = operation({
	name: 'Wait',
	action: 'Wait for inquiry',
	description: 'Wait until inquiries have ended; any number of items is watched together through list pages',
	fields: { inquiryId, simple, options: sendingOptions({ ...inquiryWaitingOptions, outputFields }) },
	run: async ({ inquiryId, simple, options }, service, _, { json }) => {
		const known = json.id === inquiryId ? { createdAt: json.createdAt } : {};
		const { inquiry, extra } = await untilEnded(service, inquiryId, options, known);
		return shaped(inquiry, { simple, outputFields: options.outputFields }, extra);
	},
	example: { input: { inquiryId: inquiryExample.id }, output: inquiryExample },
});
