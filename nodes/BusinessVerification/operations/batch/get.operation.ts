import { operation } from '../../kit/operation';
import { batch } from '../../document/answers';
import { routes } from '../../document/routes';
import { batchId } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { batchExample } from '../examples';
import { batchOutput } from '../../sheet/batches';

export const get = operation({
	name: 'Get',
	action: 'Get batch',
	description: 'Retrieve the progress of a batch',
	endpoint: routes.batch,
	fields: { batchId, ...outputs },
	request: ({ batchId }, own) => ({ ...own({ batch_id: batchId }), kind: 'read', answer: batch }),
	result: (record, input) => batchOutput(record, input),
	example: batchExample,
});
