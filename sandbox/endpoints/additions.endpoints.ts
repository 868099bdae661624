import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Raw, type Call, type Endpoint } from '../endpoint';
import { hasEnded, type AddedPrincipal, type Inquiry } from '../inquiries';
import { processesOf, processRecord } from '../inquiryProcesses';
import { LICENSE_PROCESS, newProcess, SOS_PROCESS } from '../process';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import * as submission from '../submission';
import type { Switches } from '../switches';
import { timestamp } from '../timestamps';
import { demand } from '../validation';
import { inquiryOf } from './inquiries.endpoints';

/** What is added to an inquiry later: principals, licenses, filings. */
export const additionEndpoints: Endpoint[] = [
	{
		method: 'POST',
		path: '/v1/inquiries/{inquiry_id}/principals',
		authentication: 'inquiry',
		body: 'json',
		answers: 'writeAnswer',
		serve(service, call) {
			const inquiry = openInquiryOf(service, call);
			demand(call.body, submission.principal, 'body');
			const given = call.body as submission.Principal;
			const now = service.clock.now();
			const { principalRepeated, timestampForm } = service.switches;
			const known = inquiry.principals.find((principal) => isDeepStrictEqual(principal.given, given));
			if (known && principalRepeated === 'refused') throw new Refusal(409, 'The inquiry has this principal');
			const key = given.lastName ?? given.businessPrincipalId ?? null;
			if (known && principalRepeated === 'same') {
				record(service, call, 'principal', known.id, key, true);
				return principalAnswer(known, timestampForm);
			}
			// "A new principal is created and source processes run for it."
			processesOf(service, inquiry).push(newProcess('PERSON_SEARCH', now));
			reopenAfterAddition(service, inquiry);
			const principal = { id: randomUUID(), given, createdAt: now };
			inquiry.principals.push(principal);
			record(service, call, 'principal', principal.id, key);
			return principalAnswer(principal, timestampForm);
		},
	},
	{
		method: 'POST',
		path: '/v1/inquiries/{inquiry_id}/licenses',
		authentication: 'inquiry',
		body: 'json',
		answers: 'writeAnswer',
		serve(service, call) {
			const inquiry = openInquiryOf(service, call);
			demand(call.body, submission.license, 'body');
			const given = call.body as submission.License;
			const triple = submission.licenseTriple(given);
			// "idempotent, de-duplicated on the triple licenseId, licenseState, licenseCategory"
			const { licenseRepeated } = service.switches;
			const known = inquiry.licenses.find((license) => submission.licenseTriple(license) === triple);
			if (known && licenseRepeated === 'refused') throw new Refusal(409, 'The inquiry has this license');
			if (known && licenseRepeated !== 'again') {
				record(service, call, 'license', inquiry.id, triple, true);
				return licenseRepeated === 'noContent' ? new Raw('application/json', '', {}, 204) : licenseAnswer(known);
			}
			// "appended … with source reported and a LICENSE_VERIFICATION process is triggered"
			const license = known ?? { ...given, source: 'reported' };
			if (!known) inquiry.licenses.push(license);
			processesOf(service, inquiry).push(newProcess(LICENSE_PROCESS, service.clock.now()));
			reopenAfterAddition(service, inquiry);
			record(service, call, 'license', inquiry.id, triple);
			return licenseAnswer(license);
		},
	},
	{
		method: 'POST',
		path: '/v1/inquiries/{inquiry_id}/filings',
		authentication: 'inquiry',
		body: 'json',
		answers: 'writeAnswer',
		serve(service, call) {
			const inquiry = openInquiryOf(service, call);
			demand(call.body, submission.filing, 'body');
			const { sosId, sosState } = call.body as { sosId: string; sosState: string };
			// "creates a <PROVIDER>_SOS process and queues it to the worker"
			const process = newProcess(SOS_PROCESS, service.clock.now());
			processesOf(service, inquiry).push(process);
			record(service, call, 'filing', process.id, `${sosId} | ${sosState}`);
			return processRecord(process, service.switches.timestampForm);
		},
	},
];

/** The state table says of no other status what an addition does there. */
function openInquiryOf(service: Service, call: Call): Inquiry {
	const inquiry = inquiryOf(service, call);
	if (service.switches.additionsWhileRunning === 'refused' && !hasEnded(inquiry)) {
		throw new Refusal(409, `The inquiry is ${inquiry.status}: nothing can be added before it has ended`);
	}
	return inquiry;
}

function principalAnswer({ id, given, createdAt }: AddedPrincipal, form: Switches['timestampForm']) {
	const echo = submission.principalNames.map((name) => [name, given[name] ?? (name === 'searchNpi' ? false : null)]);
	return { ...Object.fromEntries(echo), id, status: 'SUBMITTED', createdAt: timestamp(createdAt, form) };
}

/** The state table names COMPLETED alone. */
function reopenAfterAddition({ lifecycle }: Service, inquiry: Inquiry): void {
	if (inquiry.status === 'COMPLETED') lifecycle.rerun(inquiry);
}

function licenseAnswer({ licenseName, licenseId, licenseState, licenseCategory, ...rest }: submission.License) {
	const { licenseSubcategory = null, source = 'reported' } = rest;
	return { licenseName, licenseId, licenseState, licenseCategory, licenseSubcategory, source };
}

function record(
	service: Service,
	{ organization }: Call,
	kind: string,
	id: string,
	key: string | null,
	duplicate?: true,
): void {
	const entry = { kind, id, organizationId: organization.id, key, count: 1 };
	service.record(duplicate ? { ...entry, duplicate } : entry);
}
