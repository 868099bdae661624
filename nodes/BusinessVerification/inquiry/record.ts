import type { Json, Service } from '../kit/service';
import { few, present } from '../kit/objects';
import { inView, type Outputs, type View } from '../fields/outputs';
import { entriesIn, isObject, momentOf, partsRead, pollingSeconds, timeText } from '../document/vocabulary';
import { isEnd, isKnownStatus, hasFailed, hasFailures } from '../document/inquiries';

/**
 * The API documentation does not show which key of a list row has the ID of the inquiry, nor whether the inquiry is
 * nested in the row. So names that can only mean the inquiry come first, and `id` of the row comes last.
 */
export function inquiryIdOf(row: Json): string | undefined {
	const inner = isObject(row.inquiry) ? row.inquiry : {};
	return [row.inquiryId, row.inquiry_id, inner.inquiryId, inner.inquiry_id, inner.id, row.id].map(asId).find(Boolean);
}

const asId = (value: unknown) => (typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '');

/** The inquiry of a row, nested or not, with its ID and its external ID under the names in the API documentation. */
export function inquiryIn(row: Json): Json & { id: string | undefined } {
	const inquiry: Json = isObject(row.inquiry) ? { ...row, ...row.inquiry } : { ...row };
	if ('external_id' in inquiry) inquiry.externalId ??= inquiry.external_id;
	return Object.assign(inquiry, { id: inquiryIdOf(row) });
}

/** As text, because a service may store it as a number. Undefined if the inquiry has none. */
export const externalIdOf = ({ externalId }: Json): string | undefined => asId(externalId) || undefined;

/** Whether an input item is the inquiry, as an earlier operation returned it. Other records may carry the ID, too. */
export const isInquiry = (item: Json, id: string): boolean => item.id === id && 'status' in item;

/** The name that the inquiry was submitted with, if the input item is the inquiry: a service may not return it. */
export const nameIn = (item: Json, id: string): unknown => (isInquiry(item, id) ? item.businessName : undefined);

/** The names that a service shows, although the inquiry in the API documentation has none. */
export const namesIn = ({ businessName, business_name, businessDba }: Json): string[] =>
	[businessName, business_name, businessDba].filter(isFilled);

/** Such as `2026-03-02 09:00 UTC`, or what the service wrote instead of a time. */
export function createdSaid({ createdAt }: Json): string {
	const moment = momentOf(String(createdAt));
	return Number.isNaN(moment)
		? String(createdAt ?? 'unknown date')
		: `${timeText(moment).slice(0, 16).replace('T', ' ')} UTC`;
}

/** Whether the inquiry shows its result, which a list row may lack. */
export const isWhole = (inquiry: Json): boolean =>
	['scorecardScore', 'processStatuses', 'businesses'].every((name) => name in inquiry);

export const isFinal = ({ status }: Json) => isEnd(status);

/** `statusKnown` is added only if false: a status that the API documentation does not list is not final. */
export const withFinality = (inquiry: Json): Json => ({
	isFinal: isFinal(inquiry),
	...(!isKnownStatus(inquiry.status) && { statusKnown: false }),
});

/** Facts that the record lacks: how the inquiry was made, and the name it was submitted with. */
interface Besides {
	extra?: Json;
	submittedName?: unknown;
}

/** A field that the inquiry does not have is left out, so that a good result has no empty ones. */
const inquiryView = ({ extra, submittedName }: Besides): View => ({
	id: 'id',
	raw: (inquiry) => ({ ...inquiry, ...withFinality(inquiry), ...extra }),
	simplified: (inquiry) => {
		const businessName = namesIn(inquiry)[0] ?? submittedName;
		const { enteredName, reused, problem, ...others } = extra ?? {};
		return present({
			// The editor's table has the columns of the first item, in its order.
			businessName: businessName ?? (enteredName === undefined ? undefined : null),
			enteredName,
			status: inquiry.status,
			scorecardScore: inquiry.scorecardScore,
			reused,
			problem,
			summary: summaryOf(inquiry, businessName),
			failedProcesses: failedIn(inquiry).map(processNamed).join(', ') || undefined,
			externalId: inquiry.externalId ?? undefined,
			...withFinality(inquiry),
			id: inquiry.id,
			createdAt: inquiry.createdAt,
			completedAt: inquiry.completedAt,
			...others,
		});
	},
});

export const inquiryOutput = (row: Json, outputs: Outputs, besides: Besides = {}): Json =>
	inView(inquiryIn(row), outputs, inquiryView(besides));

/** Sentences for a message or a CRM field: only facts from the response, and no result before there is one. */
function summaryOf(inquiry: Json, businessName?: unknown): string {
	const { status, scorecardScore, businesses, externalId, id } = inquiry;
	const named = isFilled(externalId) ? `External ID ${externalId}` : `Inquiry ${String(id ?? '')}`.trim();
	const name = isFilled(businessName) ? onOneLine(businessName) : named;
	if (!isFinal(inquiry)) return `${name}: ${isFilled(status) ? `not finished yet (${status})` : 'status unknown'}.`;
	const score = Number.isFinite(scorecardScore) ? `, score ${scorecardScore} (provider scale)` : '';
	const sentences = [`${name}: ${String(status)}${score}`];
	if (hasFailed(status) && !(Array.isArray(businesses) && businesses.length > 0))
		sentences.push('This says nothing about the business');
	else if (Array.isArray(businesses)) sentences.push(found(businesses));
	const failed = failedChecks(inquiry);
	if (failed !== undefined) sentences.push(failed);
	return sentences.map((sentence) => `${sentence}.`).join(' ');
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

export function onOneLine(text: string): string {
	const line = text.trim().replace(/\s+/g, ' ');
	return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

/** With the names that were found, which are not the submitted one, if each entry has one. */
function found(businesses: unknown[]): string {
	const number = businesses.length;
	if (number === 0) return 'No businesses listed';
	const names = businesses
		.slice(0, partsRead)
		.map((one) => (isObject(one) ? nameKeys.map((key) => one[key]).find(isFilled) : undefined));
	const listed = names.length === number && names.every(isFilled) ? `: ${few(names.map(onOneLine), ', ', 3)}` : '';
	return `${number === 1 ? '1 business' : `${number} businesses`} found${listed}`;
}

/** The API documentation does not show the shape of `businesses`. Without one of these, only their number is told. */
const nameKeys = ['name', 'businessName', 'business_name', 'legalName', 'legal_name'];

/** How many checks failed, and which. Absent if none did, or if the record does not show its checks. */
export function failedChecks(inquiry: Json): string | undefined {
	const names = failedIn(inquiry).map(({ name }) => name);
	if (names.length === 0) return undefined;
	const all = processesIn(inquiry).length;
	return `${names.length} of ${all === 1 ? '1 check' : `${all} checks`} failed: ${few(names)}`;
}

interface Process {
	name: string;
	/** The ID for a retry, if the response has it. */
	taskId?: string;
	status: string;
}

/**
 * The API documentation leaves the shape of `processStatuses` open. A list of records with a status is read, and a map
 * from names or task IDs to records or statuses. Any other shape is ignored.
 */
function processesIn({ processStatuses }: Json): Process[] {
	if (Array.isArray(processStatuses))
		return allOrNone(processStatuses.slice(0, partsRead).map((entry) => processIn(entry)));
	if (!isObject(processStatuses) || 'status' in processStatuses) return [];
	return allOrNone(entriesIn(processStatuses).map(([name, entry]) => processIn(entry, name)));
}

const allOrNone = (processes: Array<Process | undefined>): Process[] =>
	processes.includes(undefined) ? [] : (processes as Process[]);

function processIn(entry: unknown, key?: string): Process | undefined {
	if (isFilled(entry) && key !== undefined) return { name: key, status: entry };
	if (!isObject(entry) || !isFilled(entry.status)) return undefined;
	const { processType, status } = entry;
	const taskId = [entry.taskId, isFilled(processType) ? key : undefined].find(isFilled);
	const name = [processType, key, taskId].find(isFilled);
	return name === undefined ? undefined : { name, taskId, status };
}

/** In the words of the service, as in `PUBLIC REVIEWS`. */
const failedIn = (inquiry: Json): Process[] =>
	processesIn(inquiry)
		.filter(({ status }) => /fail|^error/i.test(status))
		.map(({ name, ...process }) => ({ ...process, name: /[a-z]/.test(name) ? name : name.replaceAll('_', ' ') }));

const processNamed = ({ name, taskId }: Process) =>
	taskId === undefined || taskId === name ? name : `${name} (${taskId})`;

/** Whether `businesses` may be filled in later, which is after completion. */
export const mayStillFill = ({ status, businesses }: Json): boolean => !hasFailed(status) && !Array.isArray(businesses);

/** The API documentation does not say how soon after completion `businesses` is filled in. */
const fillingMs = 300_000;

/** What to do next, for people and for an agent, who may have asked for a part with its details. */
export function sayNext(service: Pick<Service, 'advise' | 'remark'>, inquiry: Json, isDetailed = false): void {
	service.advise(...afterInquiry(inquiry, isDetailed));
	if (!hasFailures(inquiry.status)) return;
	const where = failedIn(inquiry).length > 0 ? " (see 'failedProcesses')" : '';
	service.remark(
		`Checks failed${where}, which says nothing about the business. 'Inquiry: Retry Failed' runs again what can be retried, which is billed.`,
		'failedChecks',
	);
}

/** Contains no text from the service, which an agent could take for instructions. */
function afterInquiry(inquiry: Json, isDetailed: boolean): string[] {
	if (!isFinal(inquiry)) return whileRunning('inquiry');
	const { businesses, completedAt, status } = inquiry;
	const isFresh = typeof completedAt === 'string' && Math.abs(Date.now() - momentOf(completedAt)) < fillingMs;
	const isFilling = mayStillFill(inquiry) && isFresh;
	const hasBusinesses = Array.isArray(businesses) && businesses.length > 0;
	const showsFailures = failedIn(inquiry).length > 0;
	return [
		...(hasFailed(status) ? ['The checks gave no result. This says nothing about the business.'] : []),
		...(isFilling ? [`Results are still being filled in: read it again in ${pollingSeconds} seconds.`] : []),
		...(hasBusinesses && !isDetailed ? ["'Get inquiry' with detail businesses shows what was found."] : []),
		...(showsFailures && !isDetailed ? ["'Get inquiry' with detail processes shows what failed."] : []),
		...(showsFailures ? [retry] : []),
		'Status and score are facts, not a verdict: the user decides.',
	];
}

const retry = "'Retry failed processes of inquiry' runs what failed again, which costs money: ask the user first.";

/** What an agent may do about what has not finished. */
export const whileRunning = (what: 'batch' | 'inquiry') => [
	'Submitted and not finished yet: do not submit it again.',
	`'Wait for ${what}' waits for it.`,
	`'Get ${what}' reads it later.`,
];
