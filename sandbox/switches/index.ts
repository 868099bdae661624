import { answerSwitches } from './answers';
import type { Definition } from './definition';
import { lifecycleSwitches } from './lifecycle';
import { listSwitches } from './lists';
import { requestSwitches } from './requests';
import { rowSwitches } from './rows';
import { sellerSwitches, transportSwitches } from './sellers';
import { takingSwitches } from './taking';

/**
 * The points that the interface document leaves open and that a test of the package plays, as switches. These tables
 * are the one place that says what each switch means, what leaves the room for it and how it starts; the type, the
 * checks, the program's flags and the tests all follow from it.
 */
export const switchTable = {
	...requestSwitches,
	...answerSwitches,
	...rowSwitches,
	...lifecycleSwitches,
	...listSwitches,
	...takingSwitches,
	...sellerSwitches,
	...transportSwitches,
} as const;

export type SwitchName = keyof typeof switchTable;
export type Switches = {
	-readonly [K in SwitchName]: (typeof switchTable)[K] extends Definition<infer T> ? T : never;
};

export const switchNames = Object.keys(switchTable) as SwitchName[];

const definitionOf = (name: string): Definition<unknown> | undefined =>
	Object.hasOwn(switchTable, name) ? switchTable[name as SwitchName] : undefined;

/** Says what is wrong with a setting, or nothing. */
export function switchProblem(name: string, value: unknown): string | undefined {
	const definition = definitionOf(name);
	if (!definition) return `there is no switch "${name}"`;
	if (definition.values && !definition.values.includes(value)) {
		return `switch "${name}" takes one of ${definition.values.join(', ')}`;
	}
	if (typeof value !== typeof definition.start || Number.isNaN(value)) {
		return `switch "${name}" takes a ${typeof definition.start}`;
	}
	return undefined;
}

/** A settings object that refuses unknown names and values, so that a misspelt switch cannot make a test pass. */
export function createSwitches(given: Partial<Switches> = {}): Switches {
	const start = Object.fromEntries(switchNames.map((name) => [name, switchTable[name].start]));
	const switches = new Proxy(start, {
		set(target, name, value) {
			const problem = switchProblem(String(name), value);
			if (problem) throw new TypeError(problem);
			target[String(name)] = value;
			return true;
		},
	}) as unknown as Switches;
	return Object.assign(switches, given);
}
