import { operation } from '../../definition/operation';
import { inquiryId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/options';
import { outputFields, simple } from '../../fields/output';
import { inquiryExample } from './example';
import { shaped } from './record';
import { readInquiry } from './watching';

export const get = operation({
	name: 'Get',
	action: 'Get inquiry',
	description: 'Retrieve an inquiry with its status and results',
	endpoint: 'GET /v1/inquiries/{inquiry_id}',
	fields: { inquiryId, simple, options: sendingOptions({ outputFields }) },
	request: ({ inquiryId }) => readInquiry(inquiryId),
	result: (inquiry, { simple, options }) => shaped(inquiry, { simple, outputFields: options.outputFields }),
	example: { input: { inquiryId: inquiryExample.id }, output: inquiryExample },
});
