import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../nodes/BusinessVerification/kit/operation';
import { exampleInput } from './exampleInput';

const root = join(__dirname, '..');

const triggers = {
	businessVerificationTrigger: {
		watch: 'inquiry',
		triggerOn: ['finished', 'attention'],
		filters: { tags: 'priority' },
	},
	businessVerificationSellerTrigger: { callbackAuthentication: 'signedUrl' },
};

/**
 * Parameters of each operation and each trigger as the users of this version have them in their workflows; resource and
 * operation are the key. Once the version is released the file stays as it is, and every later version has to understand it.
 */
export function savedWorkflows(resources: Record<string, Resource>): Record<string, string> {
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	// A release candidate saves what its release does.
	const [release] = version.split('-');
	if (isReleased(release)) return {};
	const operations = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([operation, definition]) => [`${resource}.${operation}`, exampleInput(definition)]),
	);
	const saved = { operations: Object.fromEntries(operations), triggers };
	return { [`test/saved/${release}.json`]: `${JSON.stringify(saved, undefined, 2)}\n` };
}

/** The changelog gives a released version its date. */
export const isReleased = (version: string, changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) =>
	changelog.split('\n').some((line) => line.startsWith(`## ${version} - 2`));
