import { operation } from '../../definition/operation';
import { batchId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/options';
import { simple } from '../../fields/output';
import { batchExample } from './example';
import { shaped } from './record';
import { readBatch } from './watching';

export const get = operation({
	name: 'Get',
	action: 'Get batch',
	description: 'Retrieve the progress of a batch',
	endpoint: 'GET /v1/batch-inquiries/{batch_id}',
	fields: { batchId, simple, options: sendingOptions() },
	request: ({ batchId }) => readBatch(batchId),
	result: (batch, { simple }) => shaped(batch, simple),
	example: { input: { batchId: batchExample.batchId }, output: batchExample },
});
