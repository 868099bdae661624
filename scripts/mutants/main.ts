import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy } from './copy';
import equivalent from './equivalent.json';
import { type Fate, Fates } from './fates';
import { type Mutant, mutantsOf, root, rooms, sample } from './list';
import { isGood, type Outcome, record, type Survivor } from './page';

/**
 * `npm run mutants -- <room> …` changes the code of a room in one place at a time and runs the tests nearest to it: where
 * they stay green, nobody would notice that defect. Options: --seed N,…, --count N (for each seed), --nearest N (suites for each mutant),
 * --minutes N (what is left is done by the next run), --texts (what people read in place of code), --record (into
 * docs/development/tests.md).
 */
const SIDE_BY_SIDE = 2;

/** Another seed each day, so that tests are not written for the mutants of one. */
const today = Math.floor(Date.now() / 86_400_000);
let seeds = [today];
const settings = { count: 40, nearest: 12, minutes: Infinity };
const fates = new Fates();

async function main(args: string[]): Promise<void> {
	const asked: string[] = [];
	for (let place = 0; place < args.length; place++) {
		const name = args[place].replace(/^--/, '') as keyof typeof settings;
		if (args[place] === '--seed') seeds = args[++place].split(',').map(Number);
		else if (args[place].startsWith('--') && name in settings) settings[name] = Number(args[++place]);
		else if (!args[place].startsWith('--')) asked.push(args[place]);
	}
	if (asked.length === 0 || asked.some((room) => !rooms.includes(room))) {
		console.error(
			`Usage: npm run mutants -- <room> … [--seed N] [--count N] [--texts] [--record]\nRooms: ${rooms.join(', ')}`,
		);
		process.exitCode = 2;
		return;
	}
	const copies = Array.from({ length: SIDE_BY_SIDE }, (_, place) => new Copy(place));
	try {
		const outcomes: Outcome[] = [];
		for (const room of asked) outcomes.push(await tried(room, copies, args.includes('--texts')));
		if (args.includes('--record')) record(outcomes);
		process.exitCode = outcomes.every(isGood) ? 0 : 1;
	} finally {
		for (const copy of copies) copy.remove();
	}
}

async function tried(room: string, copies: Copy[], areTexts: boolean): Promise<Outcome> {
	const { count, nearest, minutes } = settings;
	const all = await mutantsOf(room);
	const samples = seeds.map((seed) => sample(areTexts ? all.texts : all.code, count, seed));
	const mutants = [...new Set(samples.flat())];
	const waiting = mutants.filter((mutant) => fates.of(mutant, copies[0]) === undefined);
	const survivors = new Set(mutants.filter((mutant) => fates.of(mutant, copies[0]) === 'survived'));
	const begun = Date.now();
	const work = async (copy: Copy) => {
		while (waiting.length > 0) {
			if (Date.now() - begun > minutes * 60_000) return;
			const mutant = waiting.shift()!;
			if ((await fates.find(copy, mutant, room, nearest)) !== 'survived') continue;
			survivors.add(mutant);
		}
	};
	await Promise.all(copies.map(work));
	for (const survivor of survivors) console.log(shown(survivor));
	if (waiting.length > 0) throw new Error(`${room}: ${waiting.length} mutants are left, run it again to go on`);
	if (fates.red.size > 0) console.log(`Left out, because they fail without any mutant: ${[...fates.red].join(', ')}`);
	const having = (fate: Fate) => mutants.filter((mutant) => fates.of(mutant, copies[0]) === fate).length;
	const outcome: Outcome = {
		room,
		seeds,
		day: new Date().toISOString().slice(0, 10),
		inRoom: all.code.length,
		tried: mutants.length,
		died: mutants.length - survivors.size,
		refused: having('refused'),
		hung: having('hung'),
		survivors: mutants.filter((mutant) => survivors.has(mutant)).map(known),
	};
	console.log(JSON.stringify({ ...outcome, survivors: undefined }));
	return outcome;
}

const shown = ({ file, line, code, becomes }: Mutant) => `survived: ${file}:${line}\n    ${code}\n  → ${becomes}`;

function known({ file, line, code, becomes }: Mutant): Survivor {
	const text = readFileSync(join(root, file), 'utf8').split('\n')[line - 1].trim();
	const found = (equivalent as Survivor[]).find(
		(each) => each.file === file && each.text === text && each.code === code && each.becomes === becomes,
	);
	return { file, text, code, becomes, why: found?.why };
}

void main(process.argv.slice(2));
