import { operation } from '../../kit/operation';
import { routes } from '../../document/routes';
import { batchId, part, sampleIds } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { afterBatch, batchOutput, chosenBatch, readBatch } from '../../sheet/batches';

export const get = operation({
	name: 'Get',
	action: 'Get batch',
	description: 'Retrieve the progress of a batch',
	endpoint: routes.batch,
	forModels:
		'Reads the progress of a batch: how much of it is done, running, failed. For its businesses, use Get inquiries of batch.',
	asks: ['batchId', 'part'],
	fields: { batchId, part, ...outputs },
	run: async (input, service) => {
		const record = await service.send(readBatch(await chosenBatch(service, input.batchId)));
		service.advise(...afterBatch(record));
		return batchOutput(record, input);
	},
	example: {
		batchName: 'March leads',
		status: 'RUNNING',
		donePercent: 82,
		total: 250,
		completed: 180,
		partialSuccess: 20,
		failed: 5,
		batchId: sampleIds.batch,
		createdAt: '2026-03-02T09:00:00Z',
		isFinal: false,
	},
});
