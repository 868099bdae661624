// `npm run lint`: spelling, and phrases that read as translated, in everything that people read.
// Usage: node scripts/words.mjs [glob…]; without a glob, everything.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const everything = [
	'**/*.md',
	'examples/*.json',
	'credentials/**/*.ts',
	'nodes/**/*.ts',
	'scripts/**/*.ts',
	'test/**/*.test.ts',
];

/** Each has been replaced by a plain sentence once, and must not return. Line breaks count as spaces. */
const phrases = [
	'A point leads into',
	'Ended well',
	'Every run orders again',
	'Make one by chance',
	'Of several ends',
	'The document does not print',
	'Two records stand for',
	'What zod makes is dear',
	'What the operator',
	'another one than at the last poll',
	'becomes older',
	'both secrets with a space between them',
	'brings up an imitation',
	'cannot be told',
	'come back with their ends',
	'could be recognised',
	'could be recognized',
	'could not do its work',
	'decides what it makes of it',
	'in a row did not get through',
	'gave another one a name of its own',
	'hear of',
	'in the service already',
	'is found instead of created again',
	'is no state of the United States',
	'knows no such record',
	'look again',
	'lose first what does not identify them',
	'no machine of that name',
	'no way leads there',
	'nobody can say which rows',
	'nobody knows any more',
	'nothing yet that this trigger could show',
	'of its own accord',
	'orders again',
	'outcome unknown',
	'put out',
	'puts out',
	'set up differently from usual',
	"the service's document",
	'waits without end',
	'whatever stops n8n',
	'with the service already',
];
/** Whole words, which an American dictionary knows. */
const words = ['anew', 'imitated', 'imitation', 'imitates'];

/** In tests, people read the titles. */
const title = /^\s*(?:test|it|describe)(?:\.\w+)*(?:\(.*\))?\(\s*(['"`]).*?\1/gm;

const files = process.argv.length === 2 ? everything : process.argv.slice(2);
const spelling = spawnSync('npx', ['cspell', '--no-progress', '--no-summary', ...files], { stdio: 'inherit' });

const paths = files.map((glob) => `:(glob)${glob}`);
const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths], {
	encoding: 'utf8',
});
const pattern = new RegExp(
	[...phrases, ...words.map((word) => `\\b${word}\\b`)].join('|').replaceAll(' ', '(?:\\s|\\*|//)+'),
	'gi',
);
const read = stdout.split('\n').filter(Boolean);
if (read.length === 0) throw new Error('No file to read');
let found = 0;
for (const file of read) {
	const text = readFileSync(file, 'utf8');
	const places = file.endsWith('.test.ts') ? [...text.matchAll(title)] : [{ 0: text, index: 0 }];
	for (const { 0: part, index: start } of places)
		for (const { 0: phrase, index } of part.matchAll(pattern)) {
			found += 1;
			const line = text.slice(0, start + index).split('\n').length;
			console.log(`${file}:${line} says '${phrase.replace(/\s+/g, ' ')}'`);
		}
}
process.exitCode = spelling.status === 0 && found === 0 ? 0 : 1;
