import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { packedPackage } from '../e2e/package';

export const root = resolve(__dirname, '..', '..');

export interface NodeType {
	name: string;
	displayName: string;
	group: string[];
	polling?: true;
	subtitle?: string;
	usableAsTool?: unknown;
	inputs: unknown;
	iconUrl?: { light?: string; dark?: string };
	codex?: object;
	credentials?: Array<{ name: string }>;
	properties: Property[];
}

export interface Property {
	name: string;
	displayName: string;
	default?: unknown;
	type?: string;
	options?: Property[];
	values?: Property[];
	typeOptions?: { password?: boolean };
	description?: string;
	required?: boolean;
	displayOptions?: { show?: Record<string, Array<string | number | boolean>> };
}

export interface CredentialType {
	name: string;
	extends?: string[];
	test?: unknown;
	iconUrl?: { light?: string; dark?: string };
	properties: Property[];
}

/** What a reviewer looks at: the repository, and the tarball that would be published. */
export interface Subject {
	manifest: Record<string, any>;
	read(file: string): string;
	has(file: string): boolean;
	/** TypeScript and JSON below nodes/ and credentials/, by path. */
	sources: Record<string, string>;
	/** The unpacked tarball, and its files by path. */
	package: string;
	packed: Record<string, string>;
	nodes: NodeType[];
	credentials: CredentialType[];
}

export function reviewed(): Subject {
	const folder = mkdtempSync(join(tmpdir(), 'review-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	execFileSync('tar', ['-xzf', packedPackage(), '-C', folder]);
	const unpacked = join(folder, 'package');
	const packed = textsBelow(unpacked);
	const read = (file: string) => readFileSync(join(root, file), 'utf8');
	return {
		manifest: JSON.parse(read('package.json')),
		read,
		has: (file) => existsSync(join(root, file)),
		sources: { ...textsBelow(root, 'nodes'), ...textsBelow(root, 'credentials') },
		package: unpacked,
		packed,
		nodes: JSON.parse(packed['dist/types/nodes.json']),
		credentials: JSON.parse(packed['dist/types/credentials.json']),
	};
}

function textsBelow(folder: string, part = '.'): Record<string, string> {
	const entries = readdirSync(join(folder, part), { recursive: true, withFileTypes: true });
	return Object.fromEntries(
		entries
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name))
			.map((file) => [relative(folder, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
	);
}

/** A property and all that lie below it. */
export const everyProperty = (properties: Property[]): Property[] =>
	properties.flatMap((each) => [each, ...everyProperty([...(each.options ?? []), ...(each.values ?? [])])]);
