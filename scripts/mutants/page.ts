import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, root } from './list';

/** What the last run of each room came to, a JSON line for each, and the page that shows it. */

const store = 'docs/development/mutants.jsonl';
const page = 'docs/development/tests.md';

export interface Outcome {
	room: string;
	seeds: number[];
	day: string;
	/** All mutants of the room; of its texts none is tried unless `--texts` asks for them. */
	inRoom: number;
	tried: number;
	died: number;
	/** Of those that died: the tests let them live, the compiler refused them. */
	refused: number;
	/** Of those that died: the tests did not end. */
	hung: number;
	survivors: Survivor[];
}

export type Survivor = Pick<Mutant, 'file' | 'code' | 'becomes'> & { text: string; why?: string };

/** At least nine of ten have to die, and no more than one of ten may be called equivalent. */
export const isGood = ({ tried, died, survivors }: Outcome): boolean =>
	died >= 0.9 * tried && survivors.filter(({ why }) => why !== undefined).length <= 0.1 * tried;

const read = (path: string) => readFileSync(join(root, path), 'utf8');

export const recorded = (): Outcome[] =>
	existsSync(join(root, store))
		? read(store)
				.split('\n')
				.filter((line) => line !== '')
				.map((line) => JSON.parse(line) as Outcome)
		: [];

export function record(outcomes: Outcome[]): void {
	const byRoom = new Map([...recorded(), ...outcomes].map((outcome) => [outcome.room, outcome]));
	const all = [...byRoom.values()].sort((a, b) => a.room.localeCompare(b.room));
	writeFileSync(join(root, store), all.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''));
	writeFileSync(join(root, page), filled(read(page), all));
}

export const isPageCurrent = (): boolean => read(page) === filled(read(page), recorded());

/** The page with the table and the survivors between its marks. */
export const filled = (text: string, outcomes: Outcome[]): string =>
	text.replace(/(<!-- mutants -->\n)[^]*?(<!-- end -->)/, (_, begin: string, end: string) =>
		[`${begin}`, table(outcomes), '', ...survivorsOf(outcomes), end].join('\n'),
	);

const table = (outcomes: Outcome[]) => {
	if (outcomes.length === 0) return 'Not run yet.';
	return [
		'| room | mutants | tried | died | by the compiler | survived | called equivalent | died |',
		'|---|---|---|---|---|---|---|---|',
		...outcomes.map((outcome) => {
			const { room, inRoom, tried, died, refused, survivors } = outcome;
			const equivalent = survivors.filter(({ why }) => why !== undefined).length;
			const share = `${Math.round((100 * died) / tried)} %`;
			const cells = [room, inRoom, tried, died, refused, survivors.length, equivalent];
			return `| ${[...cells, isGood(outcome) ? share : `**${share}**`].join(' | ')} |`;
		}),
		'',
		`Seeds and days: ${outcomes.map(({ room, seeds, day }) => `${room} ${seeds.join('+')} (${day})`).join(', ')}.`,
	].join('\n');
};

const code = (text: string) => `\`${text.replace(/\s+/g, ' ').replace(/`/g, "'").replace(/\|/g, '\\|')}\``;
const short = (text: string) => (text.length > 80 ? `${text.slice(0, 77)}...` : text);

function survivorsOf(outcomes: Outcome[]): string[] {
	const survivors = outcomes.flatMap((outcome) => outcome.survivors);
	if (survivors.length === 0) return [];
	return [
		'| survivor | becomes | why it is called equivalent |',
		'|---|---|---|',
		...survivors.map(
			({ file, code: was, becomes, why }) =>
				`| ${file.replace('nodes/BusinessVerification/', '')}: ${code(short(was))} | ${code(short(becomes))} | ${why?.replace(/\|/g, '\\|') ?? '**a test is missing**'} |`,
		),
		'',
	];
}
