export function hindrances(release: {
	manifest: object;
	changelog: string;
	tag: string;
	npm: string;
	hasSavedWorkflows: boolean;
}): string[];
