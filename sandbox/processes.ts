import { randomUUID } from 'node:crypto';
import { inquirySources } from './billing';
import { hasEnded, type Inquiry } from './inquiries';
import type { Service } from './service';
import type { Switches } from './switches';
import { timestamp, timestampOrNull } from './timestamps';

/** A piece of the work on an inquiry. Value sets of status and phase are not shown in the document. */
export interface Process {
	id: string;
	taskId: string;
	attemptNumber: number;
	processType: string;
	status: 'QUEUED' | 'COMPLETED' | 'FAILED';
	phase: 'SOURCE' | 'POST_ACQUISITION';
	createdAt: number;
	startedAt: number | null;
	completedAt: number | null;
}

export const newProcess = (processType: string, createdAt: number, phase: Process['phase'] = 'SOURCE'): Process => ({
	id: randomUUID(),
	taskId: `${processType.toLowerCase()}-${randomUUID().slice(0, 8)}`,
	attemptNumber: 1,
	processType,
	status: 'QUEUED',
	phase,
	createdAt,
	startedAt: null,
	completedAt: null,
});

/** "<PROVIDER>_SOS": the provider's name is not shown; this one is made up. */
export const SOS_PROCESS = 'REGISTRYLINK_SOS';
export const LICENSE_PROCESS = 'LICENSE_VERIFICATION';

const typeOf = (source: string) => source.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The processes of an inquiry as they stand now; made from its sources when first asked for. */
export function processesOf(service: Service, inquiry: Inquiry): Process[] {
	const { organisations, clock, switches } = service;
	if (inquiry.processes === null) {
		const { billable } = organisations.byId(inquiry.organisationId)!;
		inquiry.processes = inquirySources(inquiry.submitted, billable).map((source) =>
			newProcess(typeOf(source), inquiry.createdAt),
		);
		inquiry.processes.push(newProcess('CLUSTERING', inquiry.createdAt, 'POST_ACQUISITION'));
		if (hasEnded(inquiry)) settle(inquiry, inquiry.endedAt ?? clock.now());
	}
	if (hasEnded(inquiry)) {
		// Work that did not restart the inquiry (a retry or filing, by switch) ends by itself.
		for (const process of inquiry.processes) {
			const endsAt = (process.startedAt ?? process.createdAt) + switches.runningMs;
			if (process.status === 'QUEUED' && endsAt <= clock.now()) end(process, 'COMPLETED', endsAt);
		}
	}
	return inquiry.processes;
}

/** The inquiry has ended: so have its processes. Without full success at least one source has failed. */
export function settle(inquiry: Inquiry, at: number): void {
	const open = (inquiry.processes ?? []).filter((process) => process.status === 'QUEUED');
	for (const [index, process] of open.entries()) {
		const fails = inquiry.status === 'FAILED' || (inquiry.status === 'PARTIAL_SUCCESS' && index === 0);
		end(process, fails ? 'FAILED' : 'COMPLETED', at);
	}
}

function end(process: Process, status: Process['status'], at: number): void {
	process.status = status;
	process.startedAt ??= process.createdAt;
	process.completedAt = at;
}

export function retry(process: Process, now: number): void {
	process.attemptNumber += 1;
	process.status = 'QUEUED';
	process.startedAt = now;
	process.completedAt = null;
}

export const processRecord = (process: Process, form: Switches['timestampForm']) => ({
	id: process.id,
	taskId: process.taskId,
	attemptNumber: process.attemptNumber,
	processType: process.processType,
	status: process.status,
	phase: process.phase,
	isBackground: false,
	parentTaskId: null,
	createdAt: timestamp(process.createdAt, form),
	startedAt: timestampOrNull(process.startedAt, form),
	completedAt: timestampOrNull(process.completedAt, form),
	externalId: null,
	submissionResponse: null,
});
