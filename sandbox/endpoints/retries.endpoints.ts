import type { Call, Endpoint } from '../endpoint';
import { hasEnded, type Inquiry } from '../inquiries';
import { processesOf, processRecord } from '../inquiryProcesses';
import { retry, type Process } from '../process';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import { inquiryOf } from './inquiries.endpoints';

/** Failed processes are tried again, one or all. */
export const retryEndpoints: Endpoint[] = [
	{
		method: 'POST',
		path: '/v1/inquiries/{inquiry_id}/processes/{task_id}/retry',
		authentication: 'inquiry',
		answers: 'writeAnswer',
		serve(service, call) {
			const inquiry = inquiryOf(service, call);
			const process = processesOf(service, inquiry).find(({ taskId }) => taskId === call.params.task_id);
			if (!process) throw new Refusal(404, 'The inquiry has no process with this task_id');
			if (process.status !== 'FAILED') {
				throw new Refusal(409, `The process is ${process.status}: the endpoint "retries one failed process"`);
			}
			return again(service, call, inquiry, [process], 'retryProcess');
		},
	},
	{
		method: 'POST',
		path: '/v1/inquiries/{inquiry_id}/retry-failed',
		authentication: 'inquiry',
		answers: 'writeAnswer',
		serve(service, call) {
			const inquiry = inquiryOf(service, call);
			const failed = processesOf(service, inquiry).filter(
				({ status, phase }) => status === 'FAILED' && phase === 'SOURCE',
			);
			if (failed.length === 0) {
				throw new Refusal(409, 'There is none of the "failed source-phase processes that have retryable errors"');
			}
			return again(service, call, inquiry, failed, 'retryFailed');
		},
	},
];

function again(
	service: Service,
	{ organization }: Call,
	inquiry: Inquiry,
	processes: Process[],
	kind: 'retryProcess' | 'retryFailed',
) {
	for (const process of processes) retry(process, service.clock.now());
	service.record({
		kind,
		id: processes[0].id,
		organizationId: organization.id,
		key: processes[0].taskId,
		count: processes.length,
	});
	// Taken before the inquiry restarts: "returns process record", one even where several are retried.
	const answer = processRecord(processes[0], service.switches.timestampForm);
	if (hasEnded(inquiry)) service.lifecycle.rerun(inquiry);
	return answer;
}
