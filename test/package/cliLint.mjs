// What the lint configuration of n8n's own command line finds, warnings too. Comments in the code switch nothing off.
// Usage: node cliLint.mjs <file or folder>… ; prints a JSON array of findings.

import { config } from '@n8n/node-cli/eslint';
import { ESLint } from 'eslint';

const eslint = new ESLint({ allowInlineConfig: false, overrideConfigFile: true, overrideConfig: config });
const results = await eslint.lintFiles(process.argv.slice(2));
const findings = results.flatMap(({ filePath, messages }) =>
	messages.map(({ line, message, ruleId }) => `${filePath}:${line} ${message} (${ruleId})`),
);
process.stdout.write(JSON.stringify(findings));
