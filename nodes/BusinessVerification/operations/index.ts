import type { Operation, Resource } from '../kit/operation';
import * as batch from './batch';
import * as inquiry from './inquiry';
import * as license from './license';
import * as sellerSearch from './sellerSearch';
import * as user from './user';

const resource = <O extends Record<string, Operation>>(
	name: string,
	operations: O,
	...opensAt: Array<keyof O & string>
): Resource => ({ name, operations, opensAt });

export const resources: Record<string, Resource> = {
	batch: resource('Batch', batch, 'submit'),
	inquiry: resource('Inquiry', inquiry, 'create'),
	license: resource('License', license, 'verify'),
	// Submit And Wait is hidden from agents, so their menu has Submit as the default.
	sellerSearch: resource('Seller Search', sellerSearch, 'submitAndWait', 'submit'),
	user: resource('User', user, 'getProfile'),
};
