import type { Resource } from '../../definition/operation';
import { acceptTerms } from './acceptTerms';
import { getApiKey } from './getApiKey';
import { getProfile } from './getProfile';

export const user: Resource = { name: 'User', operations: { acceptTerms, getApiKey, getProfile } };
