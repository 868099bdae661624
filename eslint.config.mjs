import { n8nCommunityNodesPlugin as communityNodes } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const house = 'nodes/BusinessVerification';

/** Which folders of the house a folder may look into. Its own is always open to it; everything else is upstairs. */
const ground = ['document'];
/** What a value is, wherever it comes from: read for a form as for a sheet. */
const valued = [...ground, 'values'];
const first = [...valued, 'definition', 'status', 'callback'];
const second = [...first, 'import', 'fields'];
const floors = {
	document: [],
	values: ground,
	definition: valued,
	status: ground,
	callback: ground,
	import: first,
	fields: first,
	agents: [...valued, 'definition'],
	engine: [...first, 'agents', 'credentials'],
	operations: [...second, 'agents'],
	triggers: [...second, 'engine', 'operations', 'credentials'],
};
const pure = ['document', 'values', 'import', 'status', 'callback'];
const folders = [...Object.keys(floors), 'credentials'];

/** n8n's own rule accepts any dev dependency; in a user's n8n those are missing. */
const foreignModule = {
	regex: String.raw`^(?!\.{1,2}(/|$)|n8n-workflow$|zod$|(node:)?crypto$|luxon$|lodash($|/))`,
	message: 'The published package may use n8n-workflow, zod, node:crypto, luxon and lodash only.',
};

function floor(folder, open) {
	const closed = folders.filter((other) => other !== folder && !open.includes(other));
	const patterns = [
		foreignModule,
		{
			regex: `^\\..*/(${closed.join('|')})(/|$)`,
			message: `${folder}/ does not import this: imports run downwards only.`,
		},
		{ regex: String.raw`\.node$`, message: 'Nothing imports a node file.' },
	];
	if (pure.includes(folder)) patterns.push({ regex: '^n8n', message: `${folder}/ knows nothing of n8n.` });
	return {
		files: [`${house}/${folder}/**/*.ts`],
		rules: { 'no-restricted-imports': ['error', { patterns }] },
	};
}

export default defineConfig(
	{ ignores: ['dist/', 'coverage/', '.cache/'] },

	{
		files: ['**/*.{ts,mts,js,mjs,cjs}'],
		extends: [tseslint.configs.recommended],
		rules: {
			eqeqeq: 'error',
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	// What a foreign program answers in a test is looked at, not modelled.
	{ files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
	{ files: ['**/*.{js,cjs}'], rules: { '@typescript-eslint/no-require-imports': 'off' } },

	// What n8n publishes is judged by n8n's scanner: the same rules, the same severity, no way to switch one off inline.
	{
		files: [...published, 'package.json'],
		extends: [communityNodes.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		languageOptions: { parser: tseslint.parser },
		linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
		rules: { 'no-console': 'error' },
	},
	{ files: ['package.json'], rules: n8nNodesBase.configs.community.rules },
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},

	// The rules of the house.
	{
		files: published,
		rules: {
			// As n8n's own configuration has it.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: false }],
			'no-restricted-imports': ['error', { patterns: [foreignModule] }],
			'no-restricted-globals': [
				'error',
				{ name: 'fetch', message: "It bypasses n8n's proxy, egress policy and cancel." },
			],
			'no-restricted-syntax': [
				'error',
				{
					selector:
						"MemberExpression[property.name=/^httpRequest/], MemberExpression[object.property.name='helpers'][property.name=/^request/]",
					message: 'Only engine/connection.ts and credentials/exchange.ts call the HTTP helper.',
				},
			],
		},
	},
	{
		files: [`${house}/engine/connection.ts`, 'credentials/exchange.ts'],
		rules: { 'no-restricted-syntax': 'off' },
	},
	...Object.entries(floors).map(([folder, open]) => floor(folder, open)),
	{
		files: ['credentials/**/*.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						foreignModule,
						{
							regex: '(^zod|/nodes/(?!BusinessVerification/document/routes$))',
							message: 'n8n loads every credential file at its start: keep them light.',
						},
					],
				},
			],
		},
	},
	{
		files: ['sandbox/**/*.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{ regex: '/(nodes|credentials)/', message: 'The sandbox reads the interface document by itself.' },
					],
				},
			],
		},
	},
);
