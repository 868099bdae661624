import { operation, sendingOptions } from '../../kit/operation';
import { batchId, waitingOptions } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { batchExample } from '../examples';
import { batchOutput, untilDone } from '../../sheet/batches';

export const wait = operation({
	name: 'Wait',
	action: 'Wait for batch',
	description: 'Wait until every inquiry of a batch has ended',
	fields: { batchId, ...outputs, options: sendingOptions(waitingOptions) },
	run: async (input, service) => {
		const { batch, extra } = await untilDone(service, input.batchId, input.options);
		return batchOutput(batch, input, extra);
	},
	example: { ...batchExample, status: 'COMPLETED', completed: 225, isFinal: true, donePercent: 100 },
});
