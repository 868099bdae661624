import type { Operation, Resource } from '../kit/operation';
import { get as getBatch } from './batch/get.operation';
import { getAll as getBatches } from './batch/getAll.operation';
import { getInquiries } from './batch/getInquiries.operation';
import { submit as submitBatch } from './batch/submit.operation';
import { wait as waitForBatch } from './batch/wait.operation';
import { addFiling } from './inquiry/addFiling.operation';
import { addLicense } from './inquiry/addLicense.operation';
import { addPrincipal } from './inquiry/addPrincipal.operation';
import { check } from './inquiry/check.operation';
import { create } from './inquiry/create.operation';
import { downloadPdf } from './inquiry/downloadPdf.operation';
import { get } from './inquiry/get.operation';
import { getAll } from './inquiry/getAll.operation';
import { retryFailed } from './inquiry/retryFailed.operation';
import { retryProcess } from './inquiry/retryProcess.operation';
import { wait } from './inquiry/wait.operation';
import { verify } from './license/verify.operation';
import { getResult } from './sellerSearch/getResult.operation';
import { getStatus } from './sellerSearch/getStatus.operation';
import { submit } from './sellerSearch/submit.operation';
import { submitAndWait } from './sellerSearch/submitAndWait.operation';
import { acceptTerms } from './user/acceptTerms.operation';
import { getApiKey } from './user/getApiKey.operation';
import { getProfile } from './user/getProfile.operation';

const resource = <O extends Record<string, Operation>>(
	name: string,
	operations: O,
	...opensAt: Array<keyof O & string>
): Resource => ({ name, operations, opensAt });

/** The key of an operation is its saved value, and the name of its file. */
export const resources: Record<string, Resource> = {
	batch: resource(
		'Batch',
		{ get: getBatch, getAll: getBatches, getInquiries, submit: submitBatch, wait: waitForBatch },
		'submit',
	),
	inquiry: resource(
		'Inquiry',
		{ addFiling, addLicense, addPrincipal, check, create, downloadPdf, get, getAll, retryFailed, retryProcess, wait },
		'create',
	),
	license: resource('License', { verify }, 'verify'),
	// Submit And Wait is hidden from agents, so their menu has Submit as the default.
	sellerSearch: resource('Seller Search', { getResult, getStatus, submit, submitAndWait }, 'submitAndWait', 'submit'),
	user: resource('User', { acceptTerms, getApiKey, getProfile }, 'getProfile'),
};
