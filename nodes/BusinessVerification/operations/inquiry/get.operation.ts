import { operation } from '../../definition';
import { inquiry, routes } from '../../document';
import { inquiryId } from '../../fields/identifiers';
import { outputs } from '../../fields/output';
import { inquiryExample } from '../examples';
import { shaped } from './inquiryRecord';

export const get = operation({
	name: 'Get',
	action: 'Get inquiry',
	description: 'Retrieve an inquiry with its status and results',
	endpoint: routes.inquiry,
	fields: { inquiryId, ...outputs },
	request: ({ inquiryId }, own) => ({ ...own({ inquiry_id: inquiryId }), kind: 'read', answer: inquiry }),
	result: (record, input) => shaped(record, input),
	example: inquiryExample,
});
