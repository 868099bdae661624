import type { Resource } from '../../definition/operation';
import { getResult } from './getResult.operation';
import { getStatus } from './getStatus.operation';
import { submit } from './submit.operation';
import { submitAndWait } from './submitAndWait.operation';

export const sellerSearch: Resource = {
	name: 'Seller Search',
	operations: { getResult, getStatus, submit, submitAndWait },
};
