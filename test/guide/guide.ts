import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(__dirname, '../..');

/** One change that the guide asks for: some code, and where it goes. */
export interface Step {
	name: string;
	path: string;
	/** The line it goes below or stands in for; a new file without one. */
	line?: string;
	isInstead: boolean;
	code: string;
}

/** The steps of a section of CONTRIBUTING.md: `path`, the line they follow, and the code block below that. */
export function stepsOfGuide(section: string): Step[] {
	const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
	const [, guide] = new RegExp(`\\n## ${section}\\n([\\s\\S]*?)\\n## `).exec(page)!;
	const place = /(?:In|New file)\s`([^`]+)`(?:,\s(below|instead\sof)\s`([^`]+)`)?:\n\n```\w+\n([\s\S]*?)```\n/g;
	return [...guide.matchAll(place)].map(([, path, where, line, code]) => ({
		name: `${where ?? 'new'} ${line ?? ''} in ${basename(path)}`,
		...{ path, line, code },
		isInstead: where?.startsWith('instead') === true,
	}));
}

const ofMachine = ['node_modules', '.git', '.cache', 'dist'];

/**
 * A copy of the tree, with the same packages. One for each suite: the compiler, which takes longest, then looks at what has
 * changed since it was asked last.
 */
export class Copy {
	readonly folder = mkdtempSync(join(tmpdir(), 'guide-'));

	constructor() {
		cpSync(root, this.folder, { recursive: true, filter: (path) => !ofMachine.includes(basename(path)) });
		symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
		this.git('init', '--quiet');
		this.git('add', '--all', ':!node_modules');
		this.git('-c', 'user.name=A', '-c', 'user.email=a@acme.com', 'commit', '--quiet', '--message=x');
	}

	/** As it was, and these steps followed. */
	restart(steps: Step[]): this {
		this.git('reset', '--quiet', '--hard');
		this.git('clean', '--quiet', '--force', '-d', '--exclude=node_modules');
		for (const step of steps) this.follow(step);
		return this;
	}

	remove(): void {
		rmSync(this.folder, { recursive: true });
	}

	private git(...args: string[]): void {
		execFileSync('git', args, { cwd: this.folder });
	}

	private follow({ path, line, isInstead, code }: Step): void {
		const file = join(this.folder, path);
		if (line === undefined) return writeFileSync(file, code);
		const lines = readFileSync(file, 'utf8').split('\n');
		const at = lines.findIndex((one) => one.includes(line));
		if (at < 0) throw new Error(`${path} has no line with '${line}'`);
		lines.splice(isInstead ? at : at + 1, isInstead ? 1 : 0, code.trimEnd());
		writeFileSync(file, lines.join('\n'));
	}

	/** What the command said, where it failed. */
	run(command: string, ...given: string[]): string | undefined {
		const file = join(this.folder, 'node_modules', '.bin', command);
		const env = { ...process.env, JEST_WORKER_ID: undefined, NODE_OPTIONS: '' };
		const { status, stdout, stderr } = spawnSync(file, given, { cwd: this.folder, encoding: 'utf8', env });
		return status === 0 ? undefined : `${stdout}\n${stderr}`;
	}
}

export const prepared = (copy: Copy): string | undefined =>
	copy.run('tsc', '--noEmit', '-p', 'tsconfig.check.json') ?? copy.run('tsx', 'scripts/document.ts');

const fastTests = ['jest', '--config', 'jest.fast.config.js', '--maxWorkers=2'] as const;

/** What these suites say. */
export const problemsIn = (copy: Copy, ...suites: string[]): string | undefined =>
	prepared(copy) ?? copy.run(...fastTests, ...suites);

/** What the compiler and every fast test say. */
export const allProblemsOf = (copy: Copy): string | undefined => prepared(copy) ?? copy.run(...fastTests);

/** What the compiler says, the tests that make a case of each operation, and those of what is generated. */
export const problemsOf = (copy: Copy): string | undefined =>
	prepared(copy) ??
	copy.run(
		...fastTests,
		...['-t', String.raw`^(?!.*\b(inquiry|batch|user|license|sellerSearch)[. ](?!cancel)\w+)`],
		...['test/contract/(rows|marks|operations)', 'test/agents/(texts|answers)', 'test/engine/neverTwice'],
		...['test/document/answers', 'test/sandbox/coverage', 'test/docs/generated', 'test/saved', 'test/package/house'],
	);
