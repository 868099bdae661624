import { randomUUID } from 'node:crypto';
import type { EndStatus } from './statuses';

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

/** The inquiry has ended: so have its processes. Without full success at least one source has failed. */
export function settle(processes: Process[], status: EndStatus, at: number): void {
	const open = processes.filter((process) => process.status === 'QUEUED');
	for (const [index, process] of open.entries()) {
		const fails = status === 'FAILED' || (status === 'PARTIAL_SUCCESS' && index === 0);
		end(process, fails ? 'FAILED' : 'COMPLETED', at);
	}
}

export function end(process: Process, status: Process['status'], at: number): void {
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
