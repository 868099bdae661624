import type { Subject } from './subject';

/** Where n8n says it, or who was told so. */
export const SOURCES = {
	guidelines:
		'[verification guidelines](https://docs.n8n.io/connect/create-nodes/build-your-node/reference/verification-guidelines)',
	ux: '[UX guidelines](https://docs.n8n.io/connect/create-nodes/build-your-node/reference/ux-guidelines)',
	submission: '[submission](https://docs.n8n.io/connect/create-nodes/deploy-your-node/submit-community-nodes)',
	scanner: '`@n8n/scan-community-package`',
	plugin: '`@n8n/eslint-plugin-community-nodes`',
	template: '`@n8n/node-cli` template',
	agentcore28: '[aws/n8n-nodes-agentcore 28](https://github.com/aws/n8n-nodes-agentcore/issues/28)',
	agentcore29: '[aws/n8n-nodes-agentcore 29](https://github.com/aws/n8n-nodes-agentcore/issues/29)',
	agentcore30: '[aws/n8n-nodes-agentcore 30](https://github.com/aws/n8n-nodes-agentcore/issues/30)',
	agentcore49: '[aws/n8n-nodes-agentcore 49](https://github.com/aws/n8n-nodes-agentcore/pull/49)',
	agentcore61: '[aws/n8n-nodes-agentcore 61](https://github.com/aws/n8n-nodes-agentcore/pull/61)',
	agentcore55: '[aws/n8n-nodes-agentcore 55](https://github.com/aws/n8n-nodes-agentcore/pull/55)',
	elevenlabs29: '[elevenlabs/elevenlabs-n8n 29](https://github.com/elevenlabs/elevenlabs-n8n/issues/29)',
	firecrawl49: '[firecrawl/n8n-nodes-firecrawl 49](https://github.com/firecrawl/n8n-nodes-firecrawl/pull/49)',
	resend60: '[resend/n8n-nodes-resend 60](https://github.com/resend/n8n-nodes-resend/pull/60)',
	resend122: '[resend/n8n-nodes-resend 122](https://github.com/resend/n8n-nodes-resend/pull/122)',
	synadia2: '[synadia-labs/n8n-nodes-synadia 2](https://github.com/synadia-labs/n8n-nodes-synadia/pull/2)',
	imap139: '[umanamente/n8n-nodes-imap 139](https://github.com/umanamente/n8n-nodes-imap/issues/139)',
	you46: '[youdotcom-oss/dx-toolkit 46](https://github.com/youdotcom-oss/dx-toolkit/pull/46)',
	you49: '[youdotcom-oss/dx-toolkit 49](https://github.com/youdotcom-oss/dx-toolkit/pull/49)',
	mem6685: '[mem0ai/mem0 6685](https://github.com/mem0ai/mem0/pull/6685)',
	hindsight1491: '[vectorize-io/hindsight 1491](https://github.com/vectorize-io/hindsight/pull/1491)',
	unsiloed18: '[Unsiloed-AI/cookbook 18](https://github.com/Unsiloed-AI/cookbook/pull/18)',
	openwa675: '[rmyndharis/OpenWA 675](https://github.com/rmyndharis/OpenWA/issues/675)',
	tracira: '[deepidealab/n8n-nodes-tracira](https://github.com/deepidealab/n8n-nodes-tracira#version-history)',
	codex: '[codex files](https://docs.n8n.io/connect/create-nodes/build-your-node/reference/codex-files)',
	lifecycle: '[n8n-io/n8n 28778](https://github.com/n8n-io/n8n/pull/28778)',
	docs4381: '[n8n-io/n8n-docs 4381](https://github.com/n8n-io/n8n-docs/pull/4381)',
};

export interface Finding {
	/** What must hold, in the words of the list and of `npm run review`. */
	holds: string;
	from: Array<keyof typeof SOURCES>;
	/** A suite or a test that shows more than the check here. */
	more?: string;
	/** What is wrong; nothing when it holds. */
	check(subject: Subject): string[] | Promise<string[]>;
}

/** A problem unless it is so. */
export const unless = (isSo: boolean, problem: string): string[] => (isSo ? [] : [problem]);

/** Files that contain what they should not. */
export const containing = (files: Record<string, string>, pattern: RegExp): string[] =>
	Object.entries(files).flatMap(([file, text]) => {
		const [found] = pattern.exec(text) ?? [];
		return found === undefined ? [] : [`${file}: ${found}`];
	});

export const only = (files: Record<string, string>, ending: string): Record<string, string> =>
	Object.fromEntries(Object.entries(files).filter(([file]) => file.endsWith(ending)));
