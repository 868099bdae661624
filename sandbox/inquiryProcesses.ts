import { inquirySources } from './sources';
import type { Inquiry } from './inquiries';
import { end, newProcess, settle, type Process } from './process';
import type { Service } from './service';
import { isEnd } from './statuses';
import type { Switches } from './switches';
import { timestamp, timestampOrNull } from './timestamps';

const typeOf = (source: string) => source.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The processes of an inquiry as they stand now; made from its sources when first asked for. */
export function processesOf(service: Service, inquiry: Inquiry): Process[] {
	const { clock, switches } = service;
	if (inquiry.processes === null) {
		inquiry.processes = inquirySources(inquiry.submitted).map((source) =>
			newProcess(typeOf(source), inquiry.createdAt),
		);
		inquiry.processes.push(newProcess('CLUSTERING', inquiry.createdAt, 'POST_ACQUISITION'));
		if (isEnd(inquiry.status)) settle(inquiry.processes, inquiry.status, inquiry.completedAt ?? clock.now());
	}
	if (isEnd(inquiry.status)) {
		// Work that did not restart the inquiry, such as a filing, ends by itself.
		for (const process of inquiry.processes) {
			const endsAt = (process.startedAt ?? process.createdAt) + switches.runningMs;
			if (process.status === 'QUEUED' && endsAt <= clock.now()) end(process, 'COMPLETED', endsAt);
		}
	}
	return inquiry.processes;
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
