import type { Resource } from '../kit/operation';
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

/**
 * The key of an operation is its saved value, and the name of its file. A resource opens at the first one that is
 * offered: Submit And Wait is hidden from agents, whose menu opens at Submit.
 */
export const resources: Record<string, Resource> = {
	batch: {
		name: 'Batch',
		operations: { submit: submitBatch, get: getBatch, getAll: getBatches, getInquiries, wait: waitForBatch },
	},
	inquiry: {
		name: 'Inquiry',
		operations: {
			create,
			check,
			wait,
			get,
			getAll,
			downloadPdf,
			addPrincipal,
			addLicense,
			addFiling,
			retryProcess,
			retryFailed,
		},
	},
	license: { name: 'License', operations: { verify } },
	sellerSearch: { name: 'Seller Search', operations: { submitAndWait, submit, getResult, getStatus } },
	user: { name: 'User', operations: { getProfile, acceptTerms, getApiKey } },
};
