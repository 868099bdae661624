import type { Resource } from '../../definition/operation';
import { verify } from './verify.operation';

export const license: Resource = { name: 'License', operations: { verify } };
