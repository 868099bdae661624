import { pause } from '../callbacks/calls';
import type { World } from '../suite';

/** n8n hands a poll's events over within this time after the poll's last request. */
const handOverMs = 60;

/** Kills n8n at a random moment after the requests of the poll that sees the change, and starts it again. */
export async function killAtHandOver({ n8n, sandbox }: World, change: () => void) {
	const { requests } = await sandbox();
	change();
	const begun = requests.total;
	const ends = ({ query, status }: (typeof requests)[number]) =>
		status === 200 && String(query.status ?? '').startsWith('COMPLETED');
	// A poll reads the unfinished, the new, the ended ones it looks for, and last a page of the sweep.
	const seen = () => requests.slice(-Math.max(1, requests.total - begun)).filter(ends).length >= 2;
	while (!seen()) await pause(1);
	await pause(Math.random() * handOverMs);
	await n8n.kill();
	await n8n.launch();
}
