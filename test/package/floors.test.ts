import { ESLint } from 'eslint';
import { root } from './built';

// Imports run downwards only. The rules live in eslint.config.mjs; here is what they refuse and what they let pass.

const house = 'nodes/BusinessVerification';
const cases: Array<[file: string, code: string, refused: boolean]> = [
	[`${house}/operations/inquiry/x.ts`, "import '../../kit/operation';", false],
	[`${house}/operations/inquiry/x.ts`, "import '../../inquiry/inquiryForm';", false],
	[`${house}/operations/inquiry/x.ts`, "import '../user';", false],
	[`${house}/operations/inquiry/x.ts`, "import '../../watch/fields';", true],
	[`${house}/operations/batch/x.ts`, "export const x = () => import('../../sheet/import');", false],
	[`${house}/engine/x.ts`, "export const x = () => import('../sheet/import');", true],
	[`${house}/engine/request.ts`, "export const x = () => import('../sheet/import');", true],
	[`${house}/operations/x.ts`, 'export const x = (c: { httpRequest(): void }) => c.httpRequest();', true],
	[`${house}/watch/x.ts`, "import '../operations';", true],
	[`${house}/watch/x.ts`, "import '../inquiry/record';", false],
	[`${house}/sheet/x.ts`, "import '../inquiry/newInquiry';", false],
	[`${house}/inquiry/x.ts`, "import '../sheet/row';", true],
	[`${house}/seller/x.ts`, "import '../inquiry/record';", true],
	[`${house}/inquiry/x.ts`, "import '../engine/run';", false],
	[`${house}/engine/x.ts`, "import './request';", false],
	[`${house}/engine/x.ts`, "import '../../../credentials/address';", false],
	[`${house}/engine/x.ts`, "import '../agents/calls';", false],
	[`${house}/engine/x.ts`, "import '../operations';", true],
	[`${house}/engine/x.ts`, "import '../document/routes';", true],
	[`${house}/engine/x.ts`, "import '../document/answers';", false],
	[`${house}/engine/x.ts`, "import '../seller/waking';", true],
	[`${house}/agents/x.ts`, "import '../engine/run';", true],
	[`${house}/agents/x.ts`, "import '../fields/form';", true],
	[`${house}/kit/x.ts`, "import '../fields/form';", true],
	[
		`${house}/kit/x.ts`,
		"import type { INodeProperties } from 'n8n-workflow';\nexport type X = INodeProperties;",
		false,
	],
	[`${house}/kit/x.ts`, "import '../document/routes';", false],
	[`${house}/document/x.ts`, "import '../kit/value';", true],
	[`${house}/document/x.ts`, "import type { INode } from 'n8n-workflow';\nexport type X = INode;", true],
	[`${house}/document/x.ts`, "import { z } from 'zod';\nexport const x = z;", false],
	[`${house}/seller/x.ts`, "import { createHmac } from 'node:crypto';\nexport const x = createHmac;", false],
	[`${house}/fields/x.ts`, "import '../BusinessVerification.node';", true],
	[`${house}/engine/x.ts`, "import axios from 'axios';\nexport const x = axios;", true],
	[`${house}/engine/x.ts`, "import type { ExecuteContext } from 'n8n-core';\nexport type X = ExecuteContext;", true],
	[`${house}/engine/x.ts`, "import 'node:fs';", true],
	['credentials/x.ts', "import { z } from 'zod';\nexport const x = z;", true],
	['credentials/x.ts', "import '../nodes/BusinessVerification/kit/field';", true],
	['sandbox/x.ts', "import '../nodes/BusinessVerification/kit/field';", true],
	['test/contract/rows/x.ts', "import '../../../nodes/BusinessVerification/document/routes';", true],
	['test/contract/samples.ts', "import '../../sandbox';", true],
	['test/contract/fixture.ts', "import type { Sandbox } from '../../sandbox';\nexport type X = Sandbox;", false],
	[
		`${house}/engine/x.ts`,
		'export const x = (c: { helpers: { httpRequest(): void } }) => c.helpers.httpRequest();',
		true,
	],
	[
		`${house}/engine/request.ts`,
		'export const x = (c: { helpers: { httpRequest(): void } }) => c.helpers.httpRequest();',
		false,
	],
	[`${house}/engine/x.ts`, "export const x = () => fetch('https://example.com');", true],
	[`${house}/engine/x.ts`, "// eslint-disable-next-line\nimport 'axios';", true],
];

test('each import is judged by the floor it stands on', async () => {
	const eslint = new ESLint({ cwd: root });
	const judged: boolean[] = [];
	for (const [filePath, code] of cases) {
		const [{ errorCount }] = await eslint.lintText(`${code}\n`, { filePath });
		judged.push(errorCount > 0);
	}
	const verdicts = cases.map(([file, code], index) => [file, code, judged[index]]);
	expect(verdicts).toEqual(cases);
});
