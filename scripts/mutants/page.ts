import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, root } from './list';

/** What the last run of each room came to, and the page that shows it. */

const store = 'docs/development/mutants.json';
const page = 'docs/development/tests.md';

export interface Outcome {
	seed: number;
	day: string;
	inRoom: number;
	noticed: number;
	refused: number;
	hung: number;
	survivors: Array<Pick<Mutant, 'file' | 'line' | 'code' | 'becomes'>>;
}

/** Tests were written for the survivors of these seeds: a figure of one of them would be a training score. */
interface Room {
	used: number[];
	last?: Outcome;
}

type Rooms = Record<string, Room>;

/** Of those that were noticed by a test or by none. */
export const shareOf = ({ noticed, survivors }: Outcome): number => noticed / (noticed + survivors.length);
export const isGood = (outcome: Outcome): boolean => shareOf(outcome) >= 0.9;

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const recorded = (): Rooms => JSON.parse(read(store));

export const isUsed = (room: string, seed: number): boolean => recorded()[room]?.used.includes(seed) ?? false;

export function record(room: string, outcome: Outcome): void {
	const rooms = recorded();
	const used = [...(rooms[room]?.used ?? []), outcome.seed];
	const all = Object.entries({ ...rooms, [room]: { used, last: outcome } }).sort(([a], [b]) => a.localeCompare(b));
	writeFileSync(join(root, store), `${JSON.stringify(Object.fromEntries(all), null, '\t')}\n`);
	writeFileSync(join(root, page), filled(read(page), Object.fromEntries(all)));
}

export const isPageCurrent = (): boolean => read(page) === filled(read(page), recorded());

/** The page with the table between its marks. */
export const filled = (text: string, rooms: Rooms): string =>
	text.replace(/(<!-- mutants -->\n)[^]*?(<!-- end -->)/, (_, begin: string, end: string) =>
		[begin, ...table(rooms), '', end].join('\n'),
	);

const table = (rooms: Rooms): string[] => [
	'| room | mutants | noticed by a test | survived | share | refused by the compiler | hung | seed | day |',
	'|---|---|---|---|---|---|---|---|---|',
	...Object.entries(rooms).map(([room, { last }]) => {
		if (last === undefined) return `| ${room} | | | | not recorded | | | | |`;
		const { inRoom, noticed, survivors, refused, hung, seed, day } = last;
		const share = `${Math.round(100 * shareOf(last))} %`;
		const cells = [room, inRoom, noticed, survivors.length, isGood(last) ? share : `**${share}**`];
		return `| ${[...cells, refused, hung, seed, day].join(' | ')} |`;
	}),
];
