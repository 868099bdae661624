/** More addresses for n8n's egress filter to refuse, as in n8n 3: shared address space, and the ways from IPv6 to IPv4. */
const NEWLY_BLOCKED = ['100.64.0.0/10', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'];

/** Settings that make a pinned n8n behave as another one, or as another operator runs it. They win over those of a suite. */
const PROFILES = {
	/**
	 * What n8n 3 makes the rule, on a version 2 that knows it as a choice; and the egress filter, which n8n leaves off by
	 * default. The service of the tests lies on a private address, so it is named as the exception, as an operator would
	 * have to.
	 */
	n8n3: {
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_BLOCKED_IP_RANGES: ['default', ...NEWLY_BLOCKED].join(','),
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
		N8N_RUNNERS_TASK_TIMEOUT: '60',
		N8N_EXPRESSION_ENGINE: 'vm',
		N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(256 * 1024 * 1024),
		N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
		N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION: 'false',
		N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'workflowsFromSameOwner',
	},
	/** The newer expression engine, made only where an expression is evaluated. */
	lazyEngine: { N8N_EXPRESSION_ENGINE: 'vm', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
} satisfies Record<string, Record<string, string>>;

export type ProfileName = keyof typeof PROFILES;

export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[];

let chosen: ProfileName | undefined;

/** For every n8n that this run starts. */
export function useProfile(name: ProfileName) {
	chosen = name;
}

export const chosenProfile = () => chosen;

export const profileSettings = (): Record<string, string> => (chosen === undefined ? {} : PROFILES[chosen]);
