import { n8nCommunityNodesPlugin as communityNodes } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const house = 'nodes/BusinessVerification';

/** The floors, from the ground up. A folder may look into every floor below its own, and into what `beside` says. */
const floors = [
	['document'],
	['kit'],
	['fields', 'agents'],
	['engine'],
	['inquiry', 'sheet', 'seller'],
	['operations', 'watch'],
];
const beside = {
	sheet: ['inquiry'],
	engine: ['credentials'],
	inquiry: ['credentials'],
	seller: ['credentials'],
	operations: ['credentials'],
	watch: ['credentials'],
};
/** What the interface document says has no n8n in it, and a poll is decided without it. */
const pure = ['document'];
const folders = [...floors.flat(), 'credentials'];

/** n8n's own rule accepts any dev dependency; in a user's n8n those are missing. */
const foreignModule = {
	regex: String.raw`^(?!\.{1,2}(/|$)|n8n-workflow$|zod$|node:crypto$|luxon$)`,
	message: 'The published package may use n8n-workflow, zod, node:crypto and luxon only.',
};

const helperCall = {
	selector:
		"MemberExpression[property.name=/^httpRequest/], MemberExpression[object.property.name='helpers'][property.name=/^request/]",
	message: 'Only engine/request.ts and credentials/profileTest.ts call the HTTP helper.',
};

/** `no-restricted-imports` does not see these, so a room on a lower floor could reach up by one. */
const lateImport = {
	selector: 'ImportExpression',
	message: 'Only an operation loads a room when it runs.',
};

function floor(folder, below) {
	const open = [folder, ...below, ...(beside[folder] ?? [])];
	const closed = folders.filter((other) => !open.includes(other));
	const patterns = [
		foreignModule,
		{
			regex: `^\\..*/(${closed.join('|')})(/|$)`,
			message: `${folder}/ does not import this: imports run downwards only.`,
		},
		{ regex: String.raw`\.node$`, message: 'Nothing imports a node file.' },
	];
	if (folder === 'engine') patterns.push({ regex: 'document/routes$', message: 'The engine names no endpoint.' });
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
			'no-restricted-syntax': ['error', helperCall, lateImport],
		},
	},
	{
		files: [`${house}/engine/request.ts`, 'credentials/profileTest.ts'],
		rules: { 'no-restricted-syntax': ['error', lateImport] },
	},
	{ files: [`${house}/operations/**/*.ts`], rules: { 'no-restricted-syntax': ['error', helperCall] } },
	...floors.flatMap((rooms, height) => rooms.map((room) => floor(room, floors.slice(0, height).flat()))),
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
		files: ['test/**/*.ts'],
		ignores: ['test/harness/seed.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{ patterns: [{ regex: '^fast-check$', message: 'test/harness/seed.ts has it, with the seed.' }] },
			],
		},
	},
	// The second reader of the interface document: the third one and the product must not confirm its mistakes.
	{
		files: ['test/contract/rows/**/*.ts', 'test/contract/samples.ts', 'test/contract/fixture.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: '/nodes/|/credentials/',
							message: 'The rows of the contract read the interface document by themselves.',
						},
						{
							regex: '/sandbox(/|$)',
							message: 'The rows take from the mock service what it says on the wire.',
							allowTypeImports: true,
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
