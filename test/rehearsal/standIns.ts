import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInstalled } from '../../host/install.mjs';
import { isThisRelease, type Machine, nodeWithNpm } from './machine';
import type { Repository } from './repository';
import { type Action, pins, repositoryOf } from './workflow';

/*
 * What GitHub alone has, and what stands here in its place: the actions, `gh`, and for `npm publish` the identity and the
 * public registry. A stand-in accepts what our workflows say and refuses everything else.
 */

const ROOT = resolve(__dirname, '..', '..');
const PROGRAMS = '/opt/stand-ins';

export interface Scene {
	machine: Machine;
	repository: Repository;
	workspace: string;
	ref: string;
}

interface Played {
	script: string;
	afterwards?(): void;
}

const ACTIONS: Record<string, (scene: Scene, settings: Record<string, string>) => Promise<Played> | Played> = {
	'actions/checkout': ({ machine, repository, workspace, ref }, settings) => {
		accept(settings, []);
		const bundle = '/opt/bundle';
		machine.lend({ from: repository.bundle, to: bundle });
		return {
			script: `git clone --quiet --branch "${ref}" ${bundle}/all .`,
			afterwards: () => lendN8n(machine, workspace),
		};
	},

	'actions/setup-node': async ({ machine }, settings) => {
		accept(settings, ['node-version']);
		const folder = `/opt/hostedtoolcache/node/${settings['node-version']}`;
		machine.lend({ from: await nodeWithNpm(settings['node-version']), to: folder });
		// Behind the programs that stand in.
		machine.path.splice(1, 0, `${folder}/bin`);
		return { script: 'node --version' };
	},
};

export async function playAction({ name, commit, with: settings }: Action, scene: Scene): Promise<Played> {
	const pinned = pins(scene.repository.folder).actions.find(({ action }) => action === repositoryOf(name));
	if (pinned?.commit !== commit) throw new Error(`${name}@${commit} is not in .github/pins.json`);
	const action = ACTIONS[name];
	if (action === undefined) throw new Error(`Nothing stands in for the action ${name}`);
	return action(scene, settings);
}

function accept(settings: Record<string, string>, known: string[]) {
	const unknown = Object.keys(settings).filter((name) => !known.includes(name));
	if (unknown.length > 0) throw new Error(`Unknown settings of an action: ${unknown.join(', ')}`);
}

/** Installing n8n takes minutes and is tried by every fresh clone: here the one of this clone is lent. */
function lendN8n(machine: Machine, workspace: string) {
	if (!isThisRelease() || !isInstalled('newest')) return;
	const from = realpathSync(join(ROOT, 'host', 'newest', 'node_modules'));
	machine.lend({ from, to: `${workspace}/host/newest/node_modules` });
}

/** Programs that are found before the real ones. */
export function standInPrograms(machine: Machine, registry: string) {
	machine.path.unshift(PROGRAMS);
	machine.write(`${PROGRAMS}/npm`, npm(registry), { mode: 0o755 });
	machine.write(`${PROGRAMS}/gh`, GH, { mode: 0o755 });
}

/** Everything but `npm publish` is npm's own. */
const npm = (registry: string) => `#!/bin/bash
PATH=\${PATH//${PROGRAMS.replaceAll('/', '\\/')}:/}
[ "$1" = publish ] || exec npm "$@"
arguments=()
for each in "$@"; do
	if [ "$each" != --provenance ]; then
		arguments+=("$each")
	elif [[ " $RIGHTS " != *' id-token:write '* ]]; then
		echo 'npm error Provenance needs "id-token: write"' >&2
		exit 1
	else
		echo 'Not rehearsed: --provenance, which needs the identity of GitHub'
	fi
done
exec npm "\${arguments[@]}" --provenance=false --registry ${registry} --${registry.replace('http:', '')}/:_authToken=anyone
`;

const GH = `#!/bin/bash
fail() { echo "gh: $*" >&2; exit 1; }
need() { [[ " $RIGHTS " == *" $1:write "* ]] || fail "the job lacks the right '$1: write'"; }
[ -n "\${GH_TOKEN:-}" ] || fail 'GH_TOKEN is not set'
[ -n "\${GH_REPO:-}" ] || git rev-parse --git-dir > /dev/null || fail 'neither GH_REPO nor a repository says which one is meant'
command="$1 $2"
shift 2
plain=()
declare -A option
while [ $# -gt 0 ]; do
	case "$command $1" in
		'release create --verify-tag') option[$1]=yes; shift;;
		'release create --title' | 'release create --notes-file' | 'issue create --title' | 'issue create --body' | 'issue comment --body' | \\
		'issue list --state' | 'issue list --search' | 'issue list --limit' | 'issue list --json' | 'issue list --jq') option[$1]=$2; shift 2;;
		*' --'*) fail "$command has no stand-in for $1";;
		*) plain+=("$1"); shift;;
	esac
done
case "$command" in
	'release create')
		need contents
		[ "\${plain[*]}" = "$GITHUB_REF_NAME" ] || fail "the release is called '\${plain[*]}'"
		[ -s "\${option[--notes-file]}" ] || fail 'the release has no notes';;
	'issue list') need issues; exit 0;;
	'issue create') need issues; [ -n "\${option[--title]}" ] && [ -n "\${option[--body]}" ] || fail 'the issue has no title or no text';;
	'issue comment') need issues;;
	*) fail "$command has no stand-in";;
esac
echo "Not rehearsed: gh $command, which needs GitHub" >&2
`;
