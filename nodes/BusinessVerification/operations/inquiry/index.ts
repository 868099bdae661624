import type { Resource } from '../../definition/operation';
import { addFiling } from './addFiling';
import { addLicense } from './addLicense';
import { addPrincipal } from './addPrincipal';
import { check } from './check';
import { create } from './create';
import { downloadPdf } from './downloadPdf';
import { get } from './get';
import { getAll } from './getAll';
import { retryFailed } from './retryFailed';
import { retryProcess } from './retryProcess';
import { wait } from './wait';

export const inquiry: Resource = {
	name: 'Inquiry',
	operations: { addFiling, addLicense, addPrincipal, check, create, downloadPdf, get, getAll, retryFailed, retryProcess, wait },
};
