import { settings } from '../../kit/collections';
import { operation } from '../../kit/operation';
import { batchId, waitingOptions } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { afterBatch, batchOutput, chosenBatch, untilDone } from '../../sheet/batches';
import { get } from './get.operation';

export const wait = operation({
	name: 'Wait',
	action: 'Wait for batch',
	description: 'Wait until every inquiry of a batch finishes',
	forModels:
		'Waits until a batch finishes, up to 45 seconds unless set otherwise, then gives its progress. If it is still running, call again. To read it at once, use Get batch.',
	fields: { batchId, ...outputs, waitingOptions: settings('Waiting Options', waitingOptions) },
	run: async (input, service) => {
		const { batch, extra } = await untilDone(service, await chosenBatch(service, input.batchId), input.waitingOptions);
		service.advise(...afterBatch(batch));
		return batchOutput(batch, input, extra);
	},
	example: { ...get.example, status: 'COMPLETED', completed: 225, isFinal: true, donePercent: 100 },
});
