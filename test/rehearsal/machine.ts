import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statfsSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { withoutProjectSettings } from '../../host/install.mjs';
import { step } from '../../host/step.mjs';

/*
 * A machine like the one that GitHub gives to a job: a Debian of its own, empty but for what GitHub's image has too, with
 * an ordinary user who may use sudo. It is a layer over a file system that is made once and kept beside other caches of
 * this user. A step runs in namespaces of its own, so that nothing it starts or mounts outlives it. The network is ours.
 */

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-business-verification');
export const RELEASE = 'bookworm';
const PACKAGES = 'ca-certificates,curl,g++,git,make,procps,python3,sudo,xz-utils'.split(',');
/** A job fills about one gigabyte, three if it installs n8n. */
const PLENTY = 6e9;
const RUNNER = { name: 'runner', id: 1001 };
export const HOME = `/home/${RUNNER.name}`;

/** On GitHub's image, too large to install here, and not needed by what is rehearsed: there to be found only. */
const ALSO_ON_THE_IMAGE = ['/usr/bin/google-chrome', '/usr/lib/postgresql/16/bin/initdb'];

export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const DEBIANS_SOURCES = '/etc/apt/sources.list.d/debian.sources';

const SET_UP = [
	`chroot "$1" useradd --uid ${RUNNER.id} --create-home --shell /bin/bash ${RUNNER.name}`,
	`echo '${RUNNER.name} ALL=(ALL) NOPASSWD:ALL' > "$1/etc/sudoers.d/${RUNNER.name}"`,
	// No package starts a service.
	`printf '#!/bin/sh\\nexit 101\\n' > "$1/usr/sbin/policy-rc.d" && chmod +x "$1/usr/sbin/policy-rc.d"`,
	...ALSO_ON_THE_IMAGE.map(
		(file) => `install -D -m 755 /dev/null "$1${file}" && printf '#!/bin/sh\\nexit 1\\n' > "$1${file}"`,
	),
];

/** How this machine reaches Debian's archive, without what it runs on the occasion. */
function aptSettings() {
	const folder = '/etc/apt/apt.conf.d';
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.map((file) => join(folder, file))
		.filter((file) => /^\s*Acquire::/m.test(readFileSync(file, 'utf8')) && !/Invoke/.test(readFileSync(file, 'utf8')));
}

async function debian() {
	const line = [
		'--variant=minbase',
		`--include=${PACKAGES.join()}`,
		...aptSettings().map((file) => `--aptopt=${file}`),
		...SET_UP.map((hook) => `--customize-hook=${hook}`),
		RELEASE,
	];
	const folder = join(CACHE, `${RELEASE}-${createHash('sha256').update(line.join()).digest('hex').slice(0, 12)}`);
	if (existsSync(folder)) return folder;
	mkdirSync(CACHE, { recursive: true });
	const unfinished = mkdtempSync(`${folder}-`);
	const sources = isThisRelease() && existsSync(DEBIANS_SOURCES) ? [DEBIANS_SOURCES] : [];
	try {
		await step(`making a Debian ${RELEASE}`, 'mmdebstrap', [...line, unfinished, ...sources]);
		renameSync(unfinished, folder);
	} catch (error) {
		rmSync(unfinished, { recursive: true, force: true });
		if (!existsSync(folder)) throw error;
	}
	return folder;
}

/** What was compiled on this machine then runs in the other one. */
export const isThisRelease = () =>
	existsSync('/etc/os-release') && readFileSync('/etc/os-release', 'utf8').includes(`VERSION_CODENAME=${RELEASE}\n`);

/** A Node with the npm that it comes with, as a folder to mount. */
export async function nodeWithNpm(major: string) {
	const folder = join(CACHE, `node-${major}`);
	if (existsSync(folder)) return folder;
	mkdirSync(CACHE, { recursive: true });
	const unfinished = mkdtempSync(`${folder}-`);
	const packages = [`node-linux-${process.arch}@${major}`, `npm@${Number(major) < 24 ? 10 : 11}`];
	const install = ['install', '--prefix', unfinished, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
	await step(`fetching Node ${major}`, 'npm', [...install, ...packages], { env: withoutProjectSettings() });
	mkdirSync(join(unfinished, 'bin'));
	symlinkSync(`../node_modules/node-linux-${process.arch}/bin/node`, join(unfinished, 'bin', 'node'));
	for (const program of ['npm', 'npx'])
		symlinkSync(`../node_modules/npm/bin/${program}-cli.js`, join(unfinished, 'bin', program));
	chmodSync(unfinished, 0o755);
	if (existsSync(folder)) rmSync(unfinished, { recursive: true });
	else renameSync(unfinished, folder);
	return folder;
}

/** Mounts the layers and what is lent, and runs a command as the user. The shell stays: something has to reap. */
const ENTER = `
set -eu
root=$1 layers=$2 upper=$3 work=$4; shift 4
mount -t overlay overlay -o "lowerdir=$layers,upperdir=$upper,workdir=$work" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
	touch "$root/dev/$device"
	mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"
hostname localhost
while [ "$1" != -- ]; do
	mkdir -p "$root$2"
	mount --bind "$1" "$root$2"
	[ "$3" = rw ] || mount -o remount,bind,ro "$root$2"
	shift 3
done
shift
chroot --userspec=${RUNNER.name}:${RUNNER.name} --groups=${RUNNER.name} "$root" /usr/bin/env -i "$@"
`;

/** Where its layer is: in memory if there is plenty, because removing a hundred thousand files from a disk takes minutes. */
function roomForLayers() {
	const inMemory = '/dev/shm';
	if (!existsSync(inMemory)) return CACHE;
	const { bavail, bsize } = statfsSync(inMemory);
	return Math.min(bavail * bsize, process.availableMemory()) > PLENTY ? inMemory : CACHE;
}

interface Lent {
	from: string;
	to: string;
	writable?: true;
}

export class Machine {
	readonly env: Record<string, string>;
	/** Folders of programs, the first one found first. */
	readonly path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'.split(':');
	private readonly lent: Lent[] = [];
	private scripts = 0;

	private constructor(
		private readonly base: string,
		private readonly folder: string,
	) {
		this.env = {
			HOME,
			USER: RUNNER.name,
			LANG: 'C.UTF-8',
			NODE_EXTRA_CA_CERTS: CERTIFICATES,
			...Object.fromEntries(
				Object.entries(process.env).flatMap(([name, value = '']) =>
					/^(https?|no)_proxy$/i.test(name) ? [[name, value]] : [],
				),
			),
		};
	}

	static async start(npmSettings: string): Promise<Machine> {
		const base = await debian();
		const machine = new Machine(base, mkdtempSync(join(roomForLayers(), 'rehearsal-')));
		machines.add(machine);
		for (const part of ['root', 'upper', 'work']) mkdirSync(join(machine.folder, part), { mode: 0o755 });
		const npmCache = join(CACHE, 'npm');
		mkdirSync(npmCache, { recursive: true });
		chownSync(npmCache, RUNNER.id, RUNNER.id);
		machine.lend({ from: npmCache, to: `${HOME}/.npm`, writable: true });
		machine.write(`${HOME}/.npmrc`, npmSettings);
		for (const file of ['/etc/resolv.conf', '/etc/hosts', CERTIFICATES])
			if (existsSync(file)) machine.write(file, readFileSync(file, 'utf8'), { owner: 0 });
		return machine;
	}

	/** A file of its layer. Between two commands nothing is mounted, so it may be written and read from outside. */
	write(file: string, text: string, { mode = 0o644, owner = RUNNER.id } = {}) {
		this.makeFolder(dirname(file));
		writeFileSync(this.pathOf(file), text, { mode });
		chownSync(this.pathOf(file), owner, owner);
	}

	makeFolder(folder: string) {
		if (existsSync(this.pathOf(folder))) return;
		this.makeFolder(dirname(folder));
		const owner = folder === HOME || folder.startsWith(`${HOME}/`) ? RUNNER.id : 0;
		mkdirSync(this.pathOf(folder), { mode: 0o755 });
		chownSync(this.pathOf(folder), owner, owner);
	}

	pathOf(file: string) {
		return join(this.folder, 'upper', file);
	}

	lend(each: Lent) {
		this.lent.push(each);
	}

	/** Runs a script as GitHub does, in a workspace; resolves with what it said and its exit code. */
	async run(script: string, workspace: string, env: Record<string, string>, withinMs: number) {
		const file = `${HOME}/steps/${++this.scripts}.sh`;
		this.write(file, script);
		const settings = { ...this.env, ...env, PATH: this.path.join(':') };
		const child = spawn(
			'unshare',
			[
				...['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--mount-proc'],
				...['bash', '-c', ENTER, 'enter'],
				...['root', '', 'upper', 'work'].map((part) => (part === '' ? this.base : join(this.folder, part))),
				...this.lent.flatMap(({ from, to, writable }) => [from, to, writable ? 'rw' : 'ro']),
				'--',
				...['-C', workspace],
				...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
				...['bash', '-e', file],
			],
			{ stdio: ['ignore', 'pipe', 'pipe'] },
		);
		alive.add(child);
		let output = '';
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
		const limit = setTimeout(() => {
			output += `\nended after ${withinMs / 60_000} minutes\n`;
			child.kill('SIGKILL');
		}, withinMs);
		const code = await new Promise<number | null>((resolve) => {
			child.on('error', ({ message }) => {
				output += message;
				resolve(1);
			});
			child.on('close', resolve);
		});
		clearTimeout(limit);
		alive.delete(child);
		return { code, output };
	}

	end() {
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
		machines.delete(this);
	}
}

const alive = new Set<ChildProcess>();
const machines = new Set<Machine>();

process.on('exit', () => {
	for (const child of alive) child.kill('SIGKILL');
	for (const machine of machines) machine.end();
});
