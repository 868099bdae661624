import type { Resource } from '../../definition/operation';
import { addFiling } from './addFiling.operation';
import { addLicense } from './addLicense.operation';
import { addPrincipal } from './addPrincipal.operation';
import { check } from './check.operation';
import { create } from './create.operation';
import { downloadPdf } from './downloadPdf.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { retryFailed } from './retryFailed.operation';
import { retryProcess } from './retryProcess.operation';
import { wait } from './wait.operation';

export const inquiry: Resource = {
	name: 'Inquiry',
	operations: {
		addFiling,
		addLicense,
		addPrincipal,
		check,
		create,
		downloadPdf,
		get,
		getAll,
		retryFailed,
		retryProcess,
		wait,
	},
};
