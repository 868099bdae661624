import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { AxiosRequestConfig } from 'axios';
import { call, sideBySide } from './calls';
import { type Receiver, SECRET } from './receiver';

const GOOD_EVERY = 25;
const HEAVY_EVERY = 50;

type Dice = (below: number) => number;

interface Shot extends AxiosRequestConfig {
	url: string;
	/** Any of them; all but 'replayed unchanged' are refusals. */
	expected: Answer[];
	/** Announces more than it sends and hangs up. */
	isCutOff?: true;
}

/** A status, or why there was none. */
type Answer = number | string;

export interface AttackResult {
	seed: number;
	calls: number;
	good: string[];
	/** Answers by kind of call and status. */
	answers: Record<string, number>;
	unexpected: string[];
}

/** Calls that must start nothing, with good ones in between. */
export async function attack(
	target: Receiver,
	other: Receiver,
	calls: number,
	seed = Date.now() % 1e9,
): Promise<AttackResult> {
	const dice = diceFrom(seed);
	const result: AttackResult = { seed, calls, good: ['served'], answers: {}, unexpected: [] };
	const served = target.sign({ ref: 'served' });
	const note = (kind: string, status: Answer, expected: Answer[]) => {
		const key = `${kind}: ${status}`;
		result.answers[key] = (result.answers[key] ?? 0) + 1;
		if (!expected.includes(status)) result.unexpected.push(key);
	};
	note('good', (await call(served, report('served'))).status, [200]);

	const kinds = Object.entries({ ...forgeries(target, other, served, dice), ...misuses(target, served, dice) });
	const heavy = oversized(target);
	await sideBySide(
		8,
		Array.from({ length: calls }, (_, index) => index),
		async (index) => {
			if (index % GOOD_EVERY === 0) {
				const ref = `good-${index}`;
				result.good.push(ref);
				note('good', (await call(target.sign({ ref }), report(ref))).status, [200]);
			}
			if (index % HEAVY_EVERY === HEAVY_EVERY - 1) {
				const { expected, ...shot } = heavy(index);
				return note('oversized', await statusOf(shot), expected);
			}
			const [kind, make] = kinds[index % kinds.length];
			const { expected, ...shot } = make();
			note(kind, await statusOf({ data: report(`attack-${index}`), ...shot }), expected);
		},
	);
	return result;
}

const report = (id: string) => ({ status: 'complete', request_id: id, seller_id: `seller of ${id}` });

/** n8n may close the connection under a body that it refuses to read. */
async function statusOf({ url, isCutOff, ...more }: Omit<Shot, 'expected'>): Promise<Answer> {
	try {
		if (isCutOff) return await cutOff(url);
		return (await call(url, undefined, more)).status;
	} catch (error) {
		return (error as { code?: string }).code ?? 'no answer';
	}
}

function forgeries(target: Receiver, other: Receiver, served: string, dice: Dice): Record<string, () => Shot> {
	const refused = (url: string): Shot => ({ url, expected: [401] });
	const withProof = (proof: string) => refused(`${target.url}?proof=${proof}`);
	const good = () => proofOf(target.sign({ ref: 'r' }));
	const changed = (part: number, value: string) =>
		good()
			.split('.')
			.map((own, index) => (index === part ? value : own))
			.join('.');
	return {
		'no signature': () => refused(target.url),
		'empty signature': () => withProof(''),
		'signed with another secret': () => refused(target.sign({ secret: `${SECRET} ` })),
		'signed for another trigger': () => withProof(proofOf(other.sign())),
		'one character changed': () => {
			const proof = good();
			const at = dice(proof.length);
			return withProof(proof.slice(0, at) + (proof[at] === 'x' ? 'y' : 'x') + proof.slice(at + 1));
		},
		truncated: () => withProof(good().slice(0, dice(80))),
		lengthened: () => withProof(`${good()}A`),
		'another version': () => withProof(changed(0, '2')),
		'another nonce': () => withProof(changed(1, randomBytes(16).toString('base64url'))),
		'a later issue': () => withProof(changed(2, String(Date.now() + 1000))),
		'a later expiry': () => withProof(changed(3, String(Date.now() + 1e9))),
		'another reference': () => withProof(changed(4, Buffer.from('"mine"').toString('base64url'))),
		'random signature': () => withProof(changed(5, randomBytes(32).toString('base64url'))),
		expired: () => refused(target.sign({ issuedAt: Date.now() - 2000, expiresAt: Date.now() - 1000 })),
		'used for another request': () => refused(served),
		'used for another request, in the path': () => refused(`${target.url}/${proofOf(served)}`),
		'percent-encoded': () => {
			const proof = good();
			const at = dice(proof.length);
			return withProof(`${proof.slice(0, at)}%${proof.charCodeAt(at).toString(16)}${proof.slice(at + 1)}`);
		},
		'percent-encoded in the path': () => refused(`${target.url}/${good().replaceAll('.', '%2e')}`),
		'another alphabet': () => withProof(changed(5, encodeURIComponent(randomBytes(31).toString('base64')))),
		padded: () => withProof(`${good()}%3D`),
		'with a space': () => withProof(`${good()}%20`),
		'upper case': () => withProof(good().toUpperCase()),
		'given twice': () => withProof(`${good()}&proof=${good()}`),
		'as a list': () => refused(`${target.url}?proof[]=${good()}`),
		'as an object': () => refused(`${target.url}?proof[x]=${good()}`),
		'in query and path': () => refused(`${target.url}/${good()}?proof=${good()}`),
		'under another name': () => refused(`${target.url}?Proof=${good()}`),
		'in the body': () => ({ ...refused(target.url), data: { proof: good(), request_id: 'x' } }),
		'in a header': () => ({ ...refused(target.url), headers: { proof: good() } }),
		'with a prototype': () => refused(`${target.url}?__proto__[proof]=${good()}`),
	};
}

/** Good signatures, used in a way that must start nothing. */
function misuses(target: Receiver, served: string, dice: Dice): Record<string, () => Shot> {
	const json = { 'content-type': 'application/json' };
	const body = (data: unknown, headers: Record<string, string>, expected: number[]): Shot => ({
		url: target.sign(),
		data,
		headers,
		expected,
	});
	const asIs = (data: string | Buffer) => data;
	return {
		'wrong method': () => ({ url: target.sign(), method: ['GET', 'PUT', 'PATCH', 'DELETE'][dice(4)], expected: [404] }),
		HEAD: () => ({ url: target.sign(), method: 'HEAD', data: undefined, expected: [404] }),
		'deeper path': () => ({ url: `${target.sign({ placement: 'path' })}/more`, expected: [404] }),
		'shorter path': () => ({ url: target.sign().replace(/seller-report-[^?]*/, ''), expected: [404] }),
		'malformed JSON': () => ({ ...body('{"request_id": "x"', json, [422]), transformRequest: asIs }),
		'not the encoding it says': () =>
			body(Buffer.from('no gzip'), { ...json, 'content-encoding': 'gzip' }, [400, 422, 500]),
		'empty body': () => body('', json, [422]),
		'empty object': () => body({}, json, [422]),
		'empty list': () => body([], json, [422]),
		null: () => ({ ...body('null', json, [422]), transformRequest: asIs }),
		bytes: () => body(Buffer.from([0xff, 0xfe, 0, 1, 2]), { 'content-type': 'application/octet-stream' }, [422]),
		'nested without end': () => ({
			...body(`${'['.repeat(5000)}${']'.repeat(5000)}`, json, [422]),
			transformRequest: asIs,
		}),
		'cut off': () => ({ url: target.sign(), isCutOff: true, expected: ['no answer'] }),
		'replayed unchanged': () => ({ url: served, data: report('served'), expected: [200] }),
	};
}

/**
 * n8n may answer a large call before it has read it. On a connection that it keeps it goes on reading, so the answer always
 * arrives; one that it closes takes the answer along. No other call uses these connections.
 */
const httpAgent = new Agent({ keepAlive: true });

/** One over the trigger's own limit, one over n8n's, which answers as it likes. */
function oversized(target: Receiver): (index: number) => Shot {
	const megabytes = (count: number) => ({ request_id: 'large', filler: 'x'.repeat(count * 1024 * 1024) });
	const [large, larger] = [megabytes(9), megabytes(17)];
	return (index) =>
		Math.floor(index / HEAVY_EVERY) % 2 === 0
			? { url: target.sign(), data: large, httpAgent, expected: [413] }
			: { url: target.sign(), data: larger, httpAgent, expected: [413, 500] };
}

function cutOff(url: string): Promise<Answer> {
	return new Promise((resolve) => {
		const headers = { 'content-type': 'application/json', 'content-length': 1000 };
		const half = request(url, { method: 'POST', headers }, (response) => resolve(response.statusCode!));
		half.on('error', () => resolve('no answer'));
		half.write('{"request_id": "half', () => half.destroy());
	});
}

const proofOf = (url: string) => new URL(url).searchParams.get('proof')!;

/** The same shots again for the same seed. */
function diceFrom(seed: number): Dice {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state % below;
	};
}
