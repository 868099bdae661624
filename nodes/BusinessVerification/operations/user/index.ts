import type { Resource } from '../../definition/operation';
import { acceptTerms } from './acceptTerms.operation';
import { getApiKey } from './getApiKey.operation';
import { getProfile } from './getProfile.operation';

export const user: Resource = { name: 'User', operations: { acceptTerms, getApiKey, getProfile } };
