import { choice, shown } from '../../kit/field';
import { operation } from '../../kit/operation';
import { inquiry } from '../../document/answers';
import { routes } from '../../document/routes';
import { inquiryId, part, sampleIds } from '../../fields/shared';
import { outputs, type Outputs } from '../../fields/outputs';
import { chosenId } from '../../inquiry/found';
import { inquiryOutput, nameIn, sayNext } from '../../inquiry/record';

const only = (...outputFields: string[]): Outputs => ({ output: 'selectedFields', outputFields });

/** How much of an inquiry a model reads. */
const views: Record<'summary' | 'processes' | 'businesses', Outputs> = {
	summary: {},
	processes: only('status', 'processStatuses'),
	businesses: only('status', 'scorecardScore', 'businesses'),
};

export const get = operation({
	name: 'Get',
	action: 'Get inquiry',
	description: 'Retrieve an inquiry with its status and results',
	endpoint: routes.inquiry,
	forModels:
		'Reads one inquiry now: status, score, what was found (detail businesses), what failed and why (detail processes). COMPLETED, PARTIAL_SUCCESS, FAILED are final; status and score are no verdict. Without an inquiryId, use Get many inquiries.',
	asks: ['inquiryId', 'detail', 'part'],
	fields: {
		inquiryId,
		detail: shown(
			{ '@tool': [true] },
			choice(
				'Detail',
				{ summary: 'Summary', processes: 'Processes', businesses: 'Businesses' },
				'Which part of the inquiry to return',
			),
		),
		part,
		...outputs,
	},
	run: async (input, service, own, { json }) => {
		const { detail = 'summary' } = input;
		const inquiryId = await chosenId(service, input.inquiryId);
		const record = await service.send({ ...own({ inquiry_id: inquiryId }), kind: 'read', answer: inquiry });
		sayNext(service, record, detail !== 'summary');
		return inquiryOutput(record, { ...input, ...views[detail] }, { submittedName: nameIn(json, inquiryId) });
	},
	// Without a name, which the inquiry in the API documentation does not have.
	example: {
		status: 'COMPLETED',
		scorecardScore: 82,
		summary: 'External ID crm-4711: COMPLETED, score 82 (provider scale). 1 business found: Acme Trading LLC.',
		externalId: 'crm-4711',
		isFinal: true,
		id: sampleIds.inquiry,
		createdAt: '2026-03-02T09:00:00Z',
		completedAt: '2026-03-02T09:04:10Z',
	},
});
