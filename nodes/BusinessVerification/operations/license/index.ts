import type { Resource } from '../../definition/operation';
import { verify } from './verify';

export const license: Resource = { name: 'License', operations: { verify } };
