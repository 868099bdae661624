/** A test for each line of a table below its head. Two spaces begin a new cell, which is an argument of the test. */
export const eachLine = (table: string) => {
	const [, ...lines] = table.trim().split('\n');
	return it.each(lines.map((line) => line.trim().split(/ {2,}/)));
};
