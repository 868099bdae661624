import type { Resource } from '../../definition/operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getInquiries } from './getInquiries.operation';
import { submit } from './submit.operation';
import { wait } from './wait.operation';

export const batch: Resource = { name: 'Batch', operations: { get, getAll, getInquiries, submit, wait } };
