import type { Resource } from '../../definition/operation';
import { getResult } from './getResult';
import { getStatus } from './getStatus';
import { submit } from './submit';
import { submitAndWait } from './submitAndWait';

export const sellerSearch: Resource = { name: 'Seller Search', operations: { getResult, getStatus, submit, submitAndWait } };
