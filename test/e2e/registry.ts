import { execFile, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { installTool, withoutProjectSettings } from '../../host/install.mjs';
import { freePort } from './n8n';
import { repack } from './package';
import { serve } from './server';

/** An npm registry on this machine. It knows nothing but what is published to it. */
export class Registry {
	private constructor(
		readonly url: string,
		private readonly folder: string,
		private readonly child: ChildProcess,
	) {}

	static async start(): Promise<Registry> {
		const program = await installTool('registry', 'verdaccio/bin/verdaccio');
		const folder = mkdtempSync(join(tmpdir(), 'registry-'));
		const config = join(folder, 'config.yaml');
		writeFileSync(config, JSON.stringify(settings(folder)));
		const address = `127.0.0.1:${await freePort()}`;
		const url = `http://${address}`;
		const answers = () =>
			fetch(`${url}/-/ping`).then(
				({ ok }) => ok,
				() => false,
			);
		const command = [process.execPath, program, '--listen', address, '--config', config];
		return new Registry(url, folder, await serve(command, folder, answers));
	}

	/**
	 * What n8n has to run with so that its installer asks this registry. It names the public one in every call, and takes
	 * another one only with a licence: so the npm that it finds is the usual one with the address exchanged.
	 */
	env(path: string) {
		const tools = join(this.folder, 'tools');
		mkdirSync(tools);
		const lines = [
			'#!/bin/sh',
			'for each in "$@"; do',
			'  shift',
			`  case "$each" in --registry=*) each="--registry=${this.url}";; esac`,
			'  set -- "$@" "$each"',
			'done',
			`PATH="${path}" exec npm "$@"`,
		];
		writeFileSync(join(tools, 'npm'), `${lines.join('\n')}\n`, { mode: 0o755 });
		return { PATH: `${tools}${delimiter}${path}`, npm_config_registry: this.url };
	}

	/** Publishes a tarball, as it is or under another version. */
	async publish(tarball: string, version?: string) {
		const file = version === undefined ? tarball : repack(tarball, version, this.folder);
		// Anyone may publish here, but npm does not try without a token.
		const token = `--${this.url.replace('http:', '')}/:_authToken=anyone`;
		const args = ['publish', file, '--ignore-scripts', '--provenance=false', '--registry', this.url, token];
		// Not awaited by standing still: the service of the test answers meanwhile.
		await promisify(execFile)('npm', args, { cwd: this.folder, env: withoutProjectSettings() });
	}

	async close() {
		this.child.kill();
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

const settings = (folder: string) => ({
	storage: join(folder, 'storage'),
	auth: { htpasswd: { file: join(folder, 'users') } },
	uplinks: {},
	packages: { '**': { access: '$all', publish: '$all' } },
	log: { type: 'stdout', format: 'pretty', level: 'warn' },
});
