import { operation } from '../../definition';
import { batch, routes } from '../../document';
import { batchId } from '../../fields/identifiers';
import { outputs } from '../../fields/output';
import { batchExample } from '../examples';
import { shaped } from './batchRecord';

export const get = operation({
	name: 'Get',
	action: 'Get batch',
	description: 'Retrieve the progress of a batch',
	endpoint: routes.batch,
	fields: { batchId, ...outputs },
	request: ({ batchId }, own) => ({ ...own({ batch_id: batchId }), kind: 'read', answer: batch }),
	result: (record, input) => shaped(record, input),
	example: batchExample,
});
