// What n8n's scanner finds in a folder, warnings too, with the rules it comes with and with the newest we have.
// A program of its own: the scanner and its plugins are ES modules, the tests are not.
// Usage: node lint.mjs <folder> <glob>… ; prints a JSON array of findings.

import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const [folder, ...patterns] = process.argv.slice(2);
const parser = { files: ['**/*.{ts,json}'], languageOptions: { parser: tseslint.parser } };
const findings = [];

for (const overrideConfig of [await buildScanConfig(), [n8nCommunityNodesPlugin.configs.recommended, parser].flat()]) {
	const eslint = new ESLint({ cwd: folder, allowInlineConfig: false, overrideConfigFile: true, overrideConfig });
	for (const { filePath, messages } of await eslint.lintFiles(patterns)) {
		for (const { ruleId, message, line } of messages) findings.push(`${filePath}:${line} ${message} (${ruleId})`);
	}
}

process.stdout.write(JSON.stringify([...new Set(findings)].map((finding) => finding.replace(`${folder}/`, ''))));
