import { root, run } from './built';

// Imports run downwards only. The rules live in eslint.config.mjs; here is what they refuse and what they let pass.

const house = 'nodes/BusinessVerification';
const cases: Array<[file: string, code: string, refused: boolean]> = [
	[`${house}/operations/inquiry/x.ts`, "import '../../definition/operation';", false],
	[`${house}/operations/inquiry/x.ts`, "import '../../fields/business';", false],
	[`${house}/operations/inquiry/x.ts`, "import '../user';", false],
	[`${house}/operations/inquiry/x.ts`, "import '../../engine/request';", true],
	[`${house}/engine/x.ts`, "import './request';", false],
	[`${house}/engine/x.ts`, "import '../../../credentials/address';", false],
	[`${house}/engine/x.ts`, "import '../operations';", true],
	[`${house}/engine/x.ts`, "import '../fields/business';", true],
	[`${house}/definition/x.ts`, "import '../engine/run';", true],
	[
		`${house}/definition/x.ts`,
		"import type { INodeProperties } from 'n8n-workflow';\nexport type X = INodeProperties;",
		false,
	],
	[`${house}/status/x.ts`, "import '../callback/signing';", true],
	[`${house}/status/x.ts`, "import type { INode } from 'n8n-workflow';\nexport type X = INode;", true],
	[`${house}/import/x.ts`, "import { z } from 'zod';\nexport const x = z;", false],
	[`${house}/import/x.ts`, "export * from 'n8n-workflow';", true],
	[`${house}/callback/x.ts`, "import { createHmac } from 'node:crypto';\nexport const x = createHmac;", false],
	[`${house}/fields/x.ts`, "import '../BusinessVerification.node';", true],
	[`${house}/engine/x.ts`, "import axios from 'axios';\nexport const x = axios;", true],
	[`${house}/engine/x.ts`, "import type { ExecuteContext } from 'n8n-core';\nexport type X = ExecuteContext;", true],
	[`${house}/engine/x.ts`, "import 'node:fs';", true],
	['credentials/x.ts', "import { z } from 'zod';\nexport const x = z;", true],
	['credentials/x.ts', "import '../nodes/BusinessVerification/definition/field';", true],
	['sandbox/x.ts', "import '../nodes/BusinessVerification/definition/field';", true],
	[
		`${house}/engine/x.ts`,
		'export const x = (c: { helpers: { httpRequest(): void } }) => c.helpers.httpRequest();',
		true,
	],
	[
		`${house}/engine/connection.ts`,
		'export const x = (c: { helpers: { httpRequest(): void } }) => c.helpers.httpRequest();',
		false,
	],
	[`${house}/engine/x.ts`, "export const x = () => fetch('https://example.com');", true],
	[`${house}/engine/x.ts`, "// eslint-disable-next-line\nimport 'axios';", true],
];

const program = `
	import { ESLint } from 'eslint';
	const eslint = new ESLint();
	const refused = [];
	for (const [filePath, code] of JSON.parse(process.argv[1])) {
		const [{ errorCount }] = await eslint.lintText(code + '\\n', { filePath });
		refused.push(errorCount > 0);
	}
	process.stdout.write(JSON.stringify(refused));
`;

test('each import is judged by the floor it stands on', () => {
	const judged: boolean[] = JSON.parse(
		run(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(cases)], root),
	);
	const verdicts = cases.map(([file, code], index) => [file, code, judged[index]]);
	expect(verdicts).toEqual(cases);
}, 60_000);
