/*
 * Reads the names of n8n's releases, one a line, and prints as JSON the image tags that the weekly workflow tests: the
 * newest of version 2, and of version 3 as soon as there is one, be it a beta.
 */
import { readFileSync } from 'node:fs';

const MAJORS = [2, 3];

function newestImages(names) {
	const versions = names.flatMap((name) => {
		const [, version, ...numbers] = /^n8n@((\d+)\.(\d+)\.(\d+)(?:-[\w.]+)?)$/.exec(name) ?? [];
		return version === undefined ? [] : [{ version, numbers: numbers.map(Number) }];
	});
	const newer = (a, b) => b.numbers.map((each, index) => each - a.numbers[index]).find((each) => each !== 0) ?? 0;
	return MAJORS.flatMap((major) => {
		const [newest] = versions.filter(({ numbers }) => numbers[0] === major).sort(newer);
		return newest === undefined ? [] : [newest.version];
	});
}

console.log(JSON.stringify(newestImages(readFileSync(0, 'utf8').split('\n'))));
