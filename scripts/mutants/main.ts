import { parseArgs } from 'node:util';
import { Copy } from './copy';
import { Fates } from './fates';
import { mutantsOf, rooms, sample } from './list';
import { isGood, isUsed, record, shareOf } from './page';

/**
 * `npm run mutants -- <room> …` changes the code of a room in one place at a time and runs the tests nearest to it: where
 * they stay green, nobody would notice that defect. Options: --seed N, --count N, --nearest N (suites for each mutant),
 * --minutes N (the same command with the seed goes on), --record (into docs/development/tests.md).
 */
const SIDE_BY_SIDE = 2;

const usage = `Usage: npm run mutants -- <room> … [--seed N] [--count N] [--nearest N] [--minutes N] [--record]
Rooms: ${rooms.join(', ')}`;

async function main(): Promise<void> {
	const number = (given: string) => ({ type: 'string', default: given }) as const;
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			seed: number(String(Math.floor(Math.random() * 2 ** 31))),
			count: number('40'),
			nearest: number('12'),
			minutes: number('Infinity'),
			record: { type: 'boolean', default: false },
		},
	});
	const [seed, count, nearest, minutes] = [values.seed, values.count, values.nearest, values.minutes].map(Number);
	const used = positionals.filter((room) => values.record && isUsed(room, seed));
	if (positionals.length === 0 || positionals.some((room) => !rooms.includes(room))) return refuse(usage);
	if (used.length > 0)
		return refuse(
			`Seed ${seed} was recorded before for ${used.join(', ')}, so tests may be written for it: take a new one.`,
		);
	const copies = Array.from({ length: SIDE_BY_SIDE }, (_, place) => new Copy(place));
	try {
		const ends = Date.now() + minutes * 60_000;
		for (const room of positionals) {
			const isDone = await tryRoom(room, copies, { seed, count, nearest, ends, isRecorded: values.record });
			if (!isDone) process.exitCode = 1;
		}
	} finally {
		for (const copy of copies) copy.remove();
	}
}

function refuse(why: string): void {
	console.error(why);
	process.exitCode = 2;
}

interface Wish {
	seed: number;
	count: number;
	nearest: number;
	ends: number;
	isRecorded: boolean;
}

/** Whether the room was tried to the end, and nine of ten mutants were noticed. */
async function tryRoom(
	room: string,
	copies: Copy[],
	{ seed, count, nearest, ends, isRecorded }: Wish,
): Promise<boolean> {
	const fates = new Fates(copies[0].sources);
	const all = await mutantsOf(room);
	const mutants = sample(all, count, seed);
	const waiting = mutants.filter((mutant) => fates.of(mutant) === undefined);
	const work = async (copy: Copy) => {
		while (waiting.length > 0 && Date.now() < ends) await fates.find(copy, waiting.shift()!, room, nearest);
	};
	await Promise.all(copies.map(work));
	const having = (fate: string) => mutants.filter((mutant) => fates.of(mutant) === fate);
	for (const { file, line, code, becomes } of having('survived'))
		console.log(`${file}:${line}: ${short(code)} → ${short(becomes)}`);
	if (fates.red.size > 0) console.log(`Left out, because they fail without any mutant: ${[...fates.red].join(', ')}`);
	const outcome = {
		...{ seed, day: new Date().toISOString().slice(0, 10), inRoom: all.length, noticed: having('noticed').length },
		...{ refused: having('refused').length, hung: having('hung').length },
		survivors: having('survived').map(({ file, line, code, becomes }) => ({ file, line, code, becomes })),
	};
	const { noticed, survivors, refused, hung } = outcome;
	console.log(
		`${room}, seed ${seed}: ${noticed} of ${noticed + survivors.length} noticed (${Math.round(100 * shareOf(outcome))} %); ${refused} refused by the compiler, ${hung} hung`,
	);
	if (waiting.length > 0) {
		console.log(`${room}: ${waiting.length} mutants are left. --seed ${seed} goes on with them.`);
		return false;
	}
	if (isRecorded) record(room, outcome);
	return isGood(outcome);
}

const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 80);

void main();
