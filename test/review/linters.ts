import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, type Subject } from './subject';

/** A program of its own: the linters and their plugins are ES modules. Under jest's environment some rules are others. */
function run(program: string, ...args: string[]): string[] {
	const { NODE_ENV: _environment, ...env } = process.env;
	const output = execFileSync(process.execPath, [join(root, program), ...args], { cwd: root, env, encoding: 'utf8' });
	return JSON.parse(output);
}

export const scannerOnSources = (subject: Subject): string[] => {
	const copy = join(subject.package, '..', 'sources');
	mkdirSync(copy);
	for (const part of ['package.json', 'nodes', 'credentials', 'icons'])
		cpSync(join(root, part), join(copy, part), { recursive: true });
	return run('test/package/lint.mjs', copy, 'package.json', '{nodes,credentials}/**/*.{js,ts,json}');
};

export const scannerOnTarball = (subject: Subject): string[] =>
	run('test/package/lint.mjs', subject.package, 'package.json', '**/*.js');

export const cliConfiguration = (): string[] => run('test/review/cliLint.mjs', 'nodes', 'credentials', 'package.json');

export const workflowFiles = (): string[] =>
	readdirSync(join(root, '.github/workflows')).map((file) => `.github/workflows/${file}`);

export const actionlint = (...files: string[]): string[] => run('test/review/workflowLint.mjs', ...files);
