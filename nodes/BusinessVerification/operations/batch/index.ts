import type { Resource } from '../../definition/operation';
import { get } from './get';
import { getAll } from './getAll';
import { getInquiries } from './getInquiries';
import { submit } from './submit';
import { wait } from './wait';

export const batch: Resource = { name: 'Batch', operations: { get, getAll, getInquiries, submit, wait } };
