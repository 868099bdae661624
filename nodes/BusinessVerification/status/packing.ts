import type { End, Tracked } from './memory';

/**
 * Thousands of entries travel in n8n's static data, so they are text in creation order: the time since the entry
 * before in base 36, a capital letter for the status, marks, and the id (a UUID shortened to 22 characters).
 */

const letter = (index: number) => String.fromCharCode(65 + Math.max(0, index));
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function packTracked(tracked: ReadonlyMap<string, Tracked>, statuses: string[]): string {
	let before = 0;
	return [...tracked]
		.sort(([, a], [, b]) => a.createdAt - b.createdAt)
		.map(([id, { createdAt, status, doubtful, missing }]) => {
			const step = (createdAt - before).toString(36);
			before = createdAt;
			const marks = `${doubtful ? '!' : ''}${missing ? '?' : ''}`;
			return `${step}${letter(statuses.indexOf(status))}${marks}${shorten(id)}`;
		})
		.join('');
}

export function unpackTracked(text: string, statuses: string[]): Map<string, Tracked> {
	const tracked = new Map<string, Tracked>();
	let createdAt = 0;
	for (const [, step, code, marks, id] of text.matchAll(/(-?[0-9a-z]+)([A-Z])([!?]*)(~[^~]*~|[\w-]{22})/g)) {
		createdAt += parseInt(step, 36);
		const status = statuses[code.charCodeAt(0) - 65] ?? '';
		tracked.set(lengthen(id), {
			createdAt,
			status,
			...(marks.includes('!') ? { doubtful: true } : {}),
			...(marks.includes('?') ? { missing: true } : {}),
		});
	}
	return tracked;
}

export function packEnds(ended: ReadonlyMap<string, End>, statuses: string[]): string {
	let before = 0;
	return [...ended]
		.sort(([, a], [, b]) => a.stamp - b.stamp)
		.map(([fingerprint, { stamp, status }]) => {
			const step = (stamp - before).toString(36);
			before = stamp;
			return `${step}${letter(statuses.indexOf(status))}${fingerprint}`;
		})
		.join('');
}

export function unpackEnds(text: string, statuses: string[]): Map<string, End> {
	const ended = new Map<string, End>();
	let stamp = 0;
	for (const [, step, code, fingerprint] of text.matchAll(/(-?[0-9a-z]+)([A-Z])([0-9a-z]{8})/g)) {
		stamp += parseInt(step, 36);
		ended.set(fingerprint, { stamp, status: statuses[code.charCodeAt(0) - 65] ?? '' });
	}
	return ended;
}

const shorten = (id: string) =>
	uuid.test(id)
		? Buffer.from(id.replace(/-/g, ''), 'hex').toString('base64url')
		: `~${encodeURIComponent(id).replace(/~/g, '%7E')}~`;

function lengthen(short: string): string {
	if (short.startsWith('~')) return decodeURIComponent(short.slice(1, -1));
	const hex = Buffer.from(short, 'base64url').toString('hex');
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
