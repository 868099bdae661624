import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { BusinessVerificationSellerTrigger } from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import { BusinessVerificationTrigger } from '../../nodes/BusinessVerification/BusinessVerificationTrigger.node';
import { chosenIn } from '../../nodes/BusinessVerification/kit/operation';
import { resources } from '../../nodes/BusinessVerification/operations';
import { isReleased } from '../../scripts/savedWorkflows';

// What users of each version have in their workflows; `npm run e2e -- install` runs it across an update.

const folder = __dirname;
const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
const triggers = [new BusinessVerificationTrigger(), new BusinessVerificationSellerTrigger()];

/** n8n keeps of what was saved only what the description has and shows. */
function understood(description: INodeTypeDescription, parameters: INodeParameters) {
	const node = { typeVersion: 1 };
	const kept = NodeHelpers.getNodeParameters(description.properties, parameters, true, false, node, description);
	expect(kept).toMatchObject(parameters);
}

describe.each(readdirSync(folder).filter((file) => file.endsWith('.json')))('workflows of %s', (file) => {
	const saved = JSON.parse(readFileSync(join(folder, file), 'utf8'));

	test.each(Object.entries<INodeParameters>(saved.operations))('%s is understood', (place, parameters) => {
		const [resource, operation] = place.split('.');
		understood(new BusinessVerification().description, { resource, operation, ...parameters });
	});

	test.each(Object.entries<INodeParameters>(saved.triggers))('%s is understood', (name, parameters) => {
		understood(triggers.find(({ description }) => description.name === name)!.description, parameters);
	});
});

test('those of this version are there, with every operation and every trigger', () => {
	// A candidate has those of its release.
	const saved = JSON.parse(readFileSync(join(folder, `${version.split('-')[0]}.json`), 'utf8'));
	const operations = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => `${resource}.${operation}`),
	);
	expect(Object.keys(saved.operations).sort()).toEqual(operations.sort());
	expect(Object.keys(saved.triggers).sort()).toEqual(triggers.map(({ description }) => description.name).sort());
});

test('a node that was saved with the first resource, which n8n leaves out, is one of inquiries', () => {
	expect(chosenIn({ parameters: { operation: 'get' } }).resource).toBe('inquiry');
});

test('a version is released when the changelog gives it a date', () => {
	const changelog = '## 0.2.0 - Unreleased\n\n## 0.1.0 - 2026-12-01\n';
	expect([isReleased('0.2.0', changelog), isReleased('0.1.0', changelog), isReleased('0.3.0', changelog)]).toEqual([
		false,
		true,
		false,
	]);
});
