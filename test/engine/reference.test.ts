/** What is read without n8n is what n8n makes of it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';

/** n8n evaluates in an isolate, which it has for newer versions of Node; in all others the same code runs in another machine. */
const isolated = Number(process.versions.modules) >= 137 ? 'vm' : 'quickjs';

it('the same value of the same type by either engine, whatever an item holds and however it is written', () => {
	const program = join(__dirname, 'reference', 'compare.ts');
	const runs = { legacy: 2_000, [isolated]: 600 };
	const given = Object.entries(runs).map(([engine, count]) => `${engine}:${count}`);
	const said = execFileSync(process.execPath, ['--import', 'tsx', program, ...given], { encoding: 'utf8' });
	const told = said.match(/^\{"active".*$/gm)!.map((line) => JSON.parse(line) as { active: string; taken: number });
	expect(told.map(({ active }) => active)).toEqual(Object.keys(runs));
	for (const { active, taken } of told) expect(taken).toBeGreaterThan(runs[active] / 5);
});

it('no property of the node asks n8n to convert what it has read', () => {
	expect(JSON.stringify(new BusinessVerification().description.properties)).not.toMatch(/validateType|extractValue/);
});
