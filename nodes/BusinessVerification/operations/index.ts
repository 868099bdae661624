import type { Resource } from '../definition/operation';
import { batch } from './batch';
import { inquiry } from './inquiry';
import { license } from './license';
import { sellerSearch } from './sellerSearch';
import { user } from './user';

export const resources: Record<string, Resource> = { batch, inquiry, license, sellerSearch, user };
