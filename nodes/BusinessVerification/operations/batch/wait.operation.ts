import { operation, sendingOptions } from '../../definition';
import { batchId } from '../../fields/identifiers';
import { outputs } from '../../fields/output';
import { waitingOptions } from '../../fields/waitingOptions';
import { batchExample } from '../examples';
import { shaped } from './batchRecord';
import { untilDone } from './batchEnd';

export const wait = operation({
	name: 'Wait',
	action: 'Wait for batch',
	description: 'Wait until every inquiry of a batch has ended',
	fields: { batchId, ...outputs, options: sendingOptions(waitingOptions) },
	run: async (input, service) => {
		const { batch, extra } = await untilDone(service, input.batchId, input.options);
		return shaped(batch, input, extra);
	},
	example: { ...batchExample, status: 'COMPLETED', completed: 225, isFinal: true, donePercent: 100 },
});
