/**
 * Each operation under everything that the interface document leaves open. Each combination of open points is one way
 * the service may turn out to be, with the settings that a user then makes; any two ways of any two points meet in one.
 * Whichever it is, the operation returns what its row of the contract says.
 */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';
import { type Row, withItems } from './call';
import { cases, varied } from './cases';
import { filled, twoWorlds } from './fixture';
import { openPoints } from './openPoints';
import { pairsIn, pairsOf, pairwise } from './pairwise';

const names = Object.keys(openPoints);
const factors = names.map((name) => openPoints[name].length);
const combinations = pairwise(factors);

useSandbox();

it('lets every two ways meet', () => {
	const met = new Set(combinations.flatMap(pairsIn));
	expect(pairsOf(factors).filter((pair) => !met.has(pair))).toEqual([]);
});

/** The process remembers the names of batches. */
let runs = 0;

async function expectRow(operation: string, row: Row, combination: number[]): Promise<void> {
	const chosen = names.map((name, factor) => openPoints[name][combination[factor]]);
	const worlds = await twoWorlds(sandbox);
	for (const { switches } of chosen) Object.assign(sandbox.switches, switches);
	const credential: ICredentialDataDecryptedObject = { baseUrl: sandbox.url };
	for (const way of chosen) Object.assign(credential, way.credential?.(sandbox));
	const { alone } = row;
	// Two open points of a license concern fields that its least call leaves out.
	const call = row.submits === 'licenseVerification' ? row.full : row.minimal;
	const parameters = row.varies === 'name' ? varied(row, `Name ${++runs}`) : call.parameters;
	const items = withItems(alone ? [worlds[0]] : worlds, call);
	const [resource, name] = operation.split('.');
	const {
		error,
		failed,
		items: outputs,
	} = await runNode({
		parameters: {
			authentication: chosen.find(({ authentication }) => authentication)?.authentication ?? 'apiKey',
			resource,
			operation: name,
			...parameters,
		},
		credential,
		items,
		onError: 'continueErrorOutput',
	});
	expect(error).toBeUndefined();
	expect(failed.map(({ json }) => json.error)).toEqual([]);
	const instead = Object.assign({}, ...chosen.map((way) => way.instead?.[operation])) as object;
	const compared = call.output.map((output) =>
		Object.fromEntries(Object.entries({ ...output, ...instead }).filter(([, value]) => value !== undefined)),
	);
	const expected = items.flatMap((world, item) =>
		compared.map((output) => ({ pairedItem: { item }, json: filled(output, world) })),
	);
	expect(outputs).toMatchObject(expected);
}

describe.each(cases)('%s', (operation, row) => {
	it.each(combinations.map((combination, number) => [number + 1, combination] as const))(
		'returns what its row says under combination %i',
		(_, combination) => expectRow(operation, row, combination),
	);
});
