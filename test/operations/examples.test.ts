/** The examples of the docs, played: their input leads to an output like the one they show. */
import { sandbox, useSandbox } from '../harness/sandbox';
import { resources } from '../../nodes/BusinessVerification/operations';
import { exampleInput } from '../../scripts/exampleInput';
import { runCall } from '../contract/call';
import { cases } from '../contract/cases';
import { twoWorlds } from '../contract/fixture';

useSandbox();

const leavesOf = (value: unknown): unknown[] =>
	typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];

/** Runs an operation with the input of its example. IDs that the mock service does not have are replaced by those of a world. */
async function played(operation: string, row: (typeof cases)[0][1]) {
	const [resource, name] = operation.split('.');
	const definition = resources[resource].operations[name];
	const { parameters, items = [{}] } = row.minimal;
	const ofWorld = Object.entries(parameters).filter(([, value]) => JSON.stringify(value).includes('$json.'));
	const own = Object.entries(exampleInput(definition)).filter(([key]) => !ofWorld.some(([id]) => id === key));
	const [world] = await twoWorlds(sandbox);
	const result = await runCall(sandbox, operation, [{ ...world, ...items[0] }], {
		parameters: { ...parameters, ...Object.fromEntries(own) },
		credential: row.credential,
	});
	expect(result.error).toBeUndefined();
	return { example: definition.example, output: result.items[0].json, entered: leavesOf(Object.fromEntries(own)) };
}

/** The names in a payload are open, and a report arrives after the execution has slept. */
const unlike = ['license.verify', 'sellerSearch.submitAndWait'];

it.each(cases.filter(([operation]) => !unlike.includes(operation)))('%s', async (operation, row) => {
	const { example, output, entered } = await played(operation, row);
	expect(Object.keys(example).filter((key) => !(key in output))).toEqual([]);
	// Numbers and times of the mock service are others, but what was entered comes out as the example shows it.
	const texts = Object.keys(example).filter((key) => typeof example[key] === 'string' && example[key] !== '');
	const shown = texts.filter((key) => entered.includes(example[key]) || entered.includes(output[key]));
	expect(Object.fromEntries(shown.map((key) => [key, output[key]]))).toEqual(
		Object.fromEntries(shown.map((key) => [key, example[key]])),
	);
});
