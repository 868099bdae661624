import { pause } from '../callbacks/calls';
import type { World } from '../suite';

/** n8n hands a poll's events over within this time after the poll's last request. */
const handOverMs = 60;
/** Only what hangs takes so long. */
const longestPollMs = 300_000;

/** Kills n8n at a random moment after the requests of the poll that sees the change, and starts it again. */
export async function killAtHandOver({ n8n, sandbox }: World, change: () => void) {
	const { requests } = await sandbox();
	change();
	const begun = requests.total;
	const isList = ({ path, status }: (typeof requests)[number]) => status === 200 && path === '/v1/inquiries/';
	const isActive = ({ query }: (typeof requests)[number]) => String(query.status ?? '').startsWith('PLANNING');
	// A poll reads the unfinished, the new, and then what is not among the unfinished any more.
	const seen = () => {
		const lists = requests.slice(-Math.max(1, requests.total - begun)).filter(isList);
		const first = lists.findIndex(isActive);
		return first >= 0 && lists.length - first >= 3;
	};
	const until = Date.now() + longestPollMs;
	while (!seen()) {
		if (Date.now() > until) throw new Error('no poll has looked at the change');
		await pause(1);
	}
	await pause(Math.random() * handOverMs);
	await n8n.kill();
	await n8n.launch();
}
