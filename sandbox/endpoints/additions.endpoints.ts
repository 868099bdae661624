import { randomUUID } from 'node:crypto';
import { enabled, type Source } from '../billing';
import type { Call, Endpoint } from '../endpoint';
import { hasEnded, type Inquiry } from '../inquiries';
import { processesOf, processRecord } from '../inquiryProcesses';
import { LICENSE_PROCESS, newProcess, SOS_PROCESS } from '../process';
import type { Service } from '../service';
import * as submission from '../submission';
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
		serve(service, call) {
			const inquiry = inquiryOf(service, call);
			demand(call.body, submission.principal, 'body');
			const given = call.body as submission.Principal;
			const now = service.clock.now();
			const wanted: Source[] = given.dob ? ['personSearch', 'backgroundChecks'] : ['personSearch'];
			// "A new principal is created and source processes run for it."
			processesOf(service, inquiry).push(newProcess('PERSON_SEARCH', now));
			reopenAfterAddition(service, inquiry);
			const id = randomUUID();
			record(service, call, 'principal', id, given.lastName ?? given.businessPrincipalId ?? null, wanted);
			const echo = submission.principalNames.map((name) => [
				name,
				given[name] ?? (name === 'searchNpi' ? false : null),
			]);
			return {
				...Object.fromEntries(echo),
				id,
				status: 'SUBMITTED',
				createdAt: timestamp(now, service.switches.timestampForm),
			};
		},
	},
	{
		method: 'POST',
		path: '/v1/inquiries/{inquiry_id}/licenses',
		authentication: 'inquiry',
		body: 'json',
		serve(service, call) {
			const inquiry = inquiryOf(service, call);
			demand(call.body, submission.license, 'body');
			const given = call.body as submission.License;
			const triple = submission.licenseTriple(given);
			// "idempotent, de-duplicated on the triple licenseId, licenseState, licenseCategory"
			const known = inquiry.licenses.find((license) => submission.licenseTriple(license) === triple);
			if (known) {
				record(service, call, 'license', inquiry.id, triple, [], true);
				return licenseAnswer(known);
			}
			// "appended … with source reported and a LICENSE_VERIFICATION process is triggered"
			const license = { ...given, source: 'reported' };
			inquiry.licenses.push(license);
			processesOf(service, inquiry).push(newProcess(LICENSE_PROCESS, service.clock.now()));
			reopenAfterAddition(service, inquiry);
			record(service, call, 'license', inquiry.id, triple, ['licenseVerification']);
			return licenseAnswer(license);
		},
	},
	{
		method: 'POST',
		path: '/v1/inquiries/{inquiry_id}/filings',
		authentication: 'inquiry',
		body: 'json',
		serve(service, call) {
			const inquiry = inquiryOf(service, call);
			demand(call.body, submission.filing, 'body');
			const { sosId, sosState } = call.body as { sosId: string; sosState: string };
			// "creates a <PROVIDER>_SOS process and queues it to the worker"
			const process = newProcess(SOS_PROCESS, service.clock.now());
			processesOf(service, inquiry).push(process);
			if (service.switches.filingReopens && hasEnded(inquiry)) service.lifecycle.rerun(inquiry);
			record(service, call, 'filing', process.id, `${sosId} | ${sosState}`, ['secretaryOfState']);
			return processRecord(process, service.switches.timestampForm);
		},
	},
];

/** The state table names COMPLETED alone; whether the other two ends run again is an open point. */
function reopenAfterAddition({ switches, lifecycle }: Service, inquiry: Inquiry): void {
	const reopens = inquiry.status === 'COMPLETED' || (switches.additionsReopenUnsuccessful && hasEnded(inquiry));
	if (reopens) lifecycle.rerun(inquiry);
}

function licenseAnswer({ licenseName, licenseId, licenseState, licenseCategory, ...rest }: submission.License) {
	const { licenseSubcategory = null, source = 'reported' } = rest;
	return { licenseName, licenseId, licenseState, licenseCategory, licenseSubcategory, source };
}

function record(
	service: Service,
	{ organisation }: Call,
	kind: 'principal' | 'license' | 'filing',
	id: string,
	key: string | null,
	wanted: Source[],
	duplicate?: true,
): void {
	const sources = enabled(wanted, organisation.billable);
	const entry = { kind, id, organisationId: organisation.id, key, sources, count: 1 };
	service.record(duplicate ? { ...entry, duplicate } : entry);
}
