/** What is read without n8n is what n8n makes of it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';

/** n8n evaluates in an isolate, which it has for newer versions of Node; in all others the same code runs in another machine. */
const isolated = Number(process.versions.modules) >= 137 ? 'vm' : 'quickjs';

it.each([
	['legacy', 2_000],
	[isolated, 600],
])('by %s the same value of the same type, whatever an item holds and however it is written', (engine, runs) => {
	const program = join(__dirname, 'reference', 'compare.ts');
	const told = execFileSync(process.execPath, ['--import', 'tsx', program, engine, String(runs)], { encoding: 'utf8' });
	const { active, taken } = JSON.parse(told.trim().split('\n').pop()!) as { active: string; taken: number };
	expect(active).toBe(engine);
	expect(taken).toBeGreaterThan(runs / 5);
});

it('no property of the node asks n8n to convert what it has read', () => {
	expect(JSON.stringify(new BusinessVerification().description.properties)).not.toMatch(/validateType|extractValue/);
});
