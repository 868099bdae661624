import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Mutant, root } from './list';

const TEST_WITHIN_MS = 20_000;
const RUN_WITHIN_MS = 300_000;
/** A loop without end keeps the process from its timers. A busy machine does so for seconds only. */
const BEAT_WITHIN_MS = 45_000;

interface Reported {
	failed?: string;
	isTooLate?: boolean;
}

interface Run {
	ended: 'green' | 'red' | 'hung';
	/** The first suite that failed. */
	killer?: string;
	/** It failed by its time limit. */
	isTooLate?: boolean;
}

/** A copy of the sources in which one thing at a time is changed. */
export class Copy {
	/** A print of the sources and the tests. */
	readonly sources: string;
	private readonly folder: string;
	private readonly result: string;
	private readonly beat: string;

	/** At the same place each time, because jest keeps what it compiled by the path. */
	constructor(place: number) {
		this.folder = join(root, '.cache', 'mutants', String(place));
		this.result = join(this.folder, '.cache', 'result.json');
		this.beat = join(this.folder, '.cache', 'beat');
		this.remove();
		const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
		const print = createHash('sha256');
		for (const file of listed.split('\n').filter((file) => file !== '' && !file.includes('node_modules'))) {
			mkdirSync(join(this.folder, dirname(file)), { recursive: true });
			const content = readFileSync(join(root, file));
			writeFileSync(join(this.folder, file), content);
			if (!/^docs\/|\.md$/.test(file)) print.update(file).update(content);
		}
		this.sources = print.digest('base64url');
		mkdirSync(dirname(this.result), { recursive: true });
		symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
	}

	async changed<T>({ file, from, to, becomes }: Mutant, act: () => T | Promise<T>): Promise<T> {
		const path = join(this.folder, file);
		const text = readFileSync(path, 'utf8');
		writeFileSync(path, text.slice(0, from) + becomes + text.slice(to));
		try {
			return await act();
		} finally {
			writeFileSync(path, text);
		}
	}

	/** What the compiler refuses gets no further than `npm run lint`. */
	async compiles(): Promise<boolean> {
		const tsc = join(root, 'node_modules/typescript/bin/tsc');
		const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.check.json'], { cwd: this.folder, stdio: 'ignore' });
		return (await new Promise((resolve) => child.on('exit', resolve))) === 0;
	}

	/** Runs suites in the order given until a test fails. */
	async run(suites: string[]): Promise<Run> {
		rmSync(this.result, { force: true });
		rmSync(this.beat, { force: true });
		const args = [
			join(root, 'node_modules/jest/bin/jest.js'),
			...['--ci', '--silent', '--runInBand', '--bail=1', `--testTimeout=${TEST_WITHIN_MS}`],
			...['--reporters', join(__dirname, 'reporter.cjs'), '--testSequencer', join(__dirname, 'sequencer.cjs')],
			...['--runTestsByPath', ...suites],
		];
		const env = {
			...process.env,
			MUTANTS_SUITES: suites.join(','),
			MUTANTS_RESULT: this.result,
			MUTANTS_BEAT: this.beat,
		};
		const child = spawn(process.execPath, args, { cwd: this.folder, env, stdio: 'ignore' });
		const begun = Date.now();
		const watch = setInterval(() => {
			const lastBeat = existsSync(this.beat) ? statSync(this.beat).mtimeMs : begun;
			if (Date.now() - lastBeat > BEAT_WITHIN_MS || Date.now() - begun > RUN_WITHIN_MS) child.kill('SIGKILL');
		}, 1000);
		const code = await new Promise((resolve) => child.on('exit', resolve));
		clearInterval(watch);
		if (code === null) return { ended: 'hung' };
		if (code === 0) return { ended: 'green' };
		const { failed, isTooLate }: Reported = existsSync(this.result)
			? JSON.parse(readFileSync(this.result, 'utf8'))
			: {};
		const killer = failed === undefined ? suites[0] : relative(this.folder, failed).replaceAll('\\', '/');
		return { ended: 'red', killer, isTooLate };
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}
