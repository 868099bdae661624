import type { Sandbox, Submission, SubmissionKind } from '../../sandbox';
import type { RunResult } from '../harness/inProcess';

/**
 * What a user may rely on in any world, judged from outside: by the service's ledger and by what the node put out.
 * Each broken promise is one sentence.
 */
export interface Asked {
	/** What the operation submits; reads submit nothing. */
	kind?: SubmissionKind;
	/** Most submissions that were asked for. */
	most: number;
	/** What performs a request more often than it was sent. */
	performed?: number;
	/** The service said that it refused what it took. */
	believed?: boolean;
}

export function broken(
	sandbox: Sandbox,
	{ kind, most, performed = 1, believed = false }: Asked,
	result: RunResult,
): string[] {
	const { ledger } = sandbox;
	const paid = ledger.filter((entry) => entry.kind === kind && !entry.duplicate && entry.count > 0);
	const outputs = [...result.items, ...result.failed].map(({ json }) => JSON.stringify(json));
	if (result.error) outputs.push(told(result.error));
	const more = /Not confirmed \((\d+)\)/.exec(outputs.at(-1) ?? '');
	const open = outputs.filter((text) => /"submission":"(unknown|accepted)"/.test(text)).length + Number(more?.[1] ?? 0);
	const ours = result.items.map(({ json }) => JSON.stringify(json));
	const problems: string[] = [];

	if (paid.length > most * performed) problems.push(`${paid.length} submissions instead of ${most}`);
	const others = ledger.filter((entry) => entry.kind !== kind);
	if (others.length > 0) problems.push(`submitted ${others[0].kind}, which nobody asked for`);

	const silent = paid.filter((entry) => !outputs.some((text) => names(text, entry)));
	const proof = namedByAnswer(kind) ? ours.length : 0;
	// The client is told of one of what a proxy performed twice.
	const untold = performed > 1 ? most : 0;
	if (!believed && silent.length > open + proof + untold) {
		problems.push(`${silent.length} paid, named by no output, and ${open} outputs say that something is open`);
	}
	// A row of a sheet returns also if it was not sent, and says so.
	const isNotSent = (text: string) => text.includes('"verificationStatus":"not sent"');
	const untrue = ours.filter((text) => isNotSent(text) && paid.some((entry) => names(text, entry)));
	if (!believed && untrue.length > 0) problems.push(`paid, and called not sent: ${untrue[0].slice(0, 160)}`);
	const unproven = ours.filter(
		(text) =>
			kind !== undefined &&
			!/"(submission|reused)":/.test(text) &&
			!isNotSent(text) &&
			!ledger.some((entry) => names(text, entry)),
	);
	// An order may be of several licenses, each with a payload.
	const payloads = paid.reduce((sum, { count }) => sum + count, 0);
	if (unproven.length > (namedByAnswer(kind) ? payloads : 0)) {
		problems.push(`success without proof: ${unproven[0].slice(0, 160)}`);
	}
	const babble = outputs.find((text) =>
		/\bundefined\b|\[object |Cannot (read|destructure|convert)|is not (a function|iterable|valid JSON)/.test(text),
	);
	if (babble !== undefined) problems.push(`says: ${babble.slice(0, 240)}`);
	return problems;
}

/** The document prints no ID of a verification payload: that there is one is all the proof. */
const namedByAnswer = (kind?: SubmissionKind) => kind === 'licenseVerification';

/** By its ID; where the printed answer has none, by what the caller calls it. */
function names(text: string, { kind, id, key }: Submission): boolean {
	if (text.includes(id)) return true;
	return kind === 'license' && key !== null && text.includes(key.split(' | ')[0]);
}

const told = ({ message, description, context }: NonNullable<RunResult['error']>) =>
	JSON.stringify({ message, description, submission: context?.submission, parameter: context?.parameter });
