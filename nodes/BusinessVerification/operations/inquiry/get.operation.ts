import { operation } from '../../kit/operation';
import { inquiry } from '../../document/answers';
import { routes } from '../../document/routes';
import { inquiryId } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { inquiryExample } from '../examples';
import { inquiryOutput } from '../../inquiry/record';

export const get = operation({
	name: 'Get',
	action: 'Get inquiry',
	description: 'Retrieve an inquiry with its status and results',
	endpoint: routes.inquiry,
	fields: { inquiryId, ...outputs },
	request: ({ inquiryId }, own) => ({ ...own({ inquiry_id: inquiryId }), kind: 'read', answer: inquiry }),
	result: (record, input) => inquiryOutput(record, input),
	example: inquiryExample,
});
