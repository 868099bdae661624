import { externalIdFor } from '../../agents/calls';
import { choice, shownWith } from '../../kit/field';
import { operation, sendingOptions } from '../../kit/operation';
import type { Question } from '../../kit/service';
import { remarksOn } from '../../kit/value';
import { createdInquiry, type CreatedInquiry } from '../../document/answers';
import { routes } from '../../document/routes';
import { businessAsks, lookupGrace, newInquiry, newInquiryOptions } from '../../inquiry/form';
import { inquiryWaitingOptions, spendingLimit, submitAgain, waitForCompletion } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { inquiryExample } from '../examples';
import { createByExternalId, isCalled } from '../../inquiry/found';
import { bodyOf, refuseBroken } from '../../inquiry/newInquiry';
import { isFinal, inquiryOutput, isWhole, afterInquiry } from '../../inquiry/record';
import { readInquiry, untilEnded } from '../../inquiry/end';
const { additionalFields, principals, licenses, ...main } = newInquiry;

export const create = operation({
	name: 'Create',
	action: 'Create inquiry',
	description: 'Submit a business for verification, which may be billed',
	endpoint: routes.createInquiry,
	bills: 'one inquiry',
	forModels:
		'Verifies a business (KYB): submits it to vet or onboard it. Takes minutes; then use Wait for inquiry. More fields unlock more checks. The same data again gives the first inquiry. Only to see whether data are complete, use Check inquiry data. For a list, use Submit batch.',
	asks: businessAsks,
	fields: {
		...main,
		ifExternalIdExists: shownWith(
			'externalId',
			choice(
				'If External ID Exists',
				{
					reuse: [
						'Reuse the Inquiry',
						'Output the inquiry that exists and submit nothing. Costs one search for each item.',
					],
					stop: 'Fail the Item',
					create: 'Create Anyway',
				},
				'What to do if there is an inquiry with this external ID already',
			),
		),
		additionalFields,
		principals,
		licenses,
		waitForCompletion,
		...outputs,
		options: sendingOptions({
			...newInquiryOptions,
			...inquiryWaitingOptions,
			lookupGrace,
			spendingLimit,
			submitAgain,
		}),
	},
	run: async (input, service, own) => {
		const { options, ifExternalIdExists, waitForCompletion } = input;
		const entered = bodyOf(input, options);
		refuseBroken(entered);
		for (const sentence of remarksOn(entered)) service.remark(sentence);
		// Whoever did not hear the answer, or begins another turn of the chat, calls again, and only the service can know it.
		const isNamed = service.intentions !== undefined && entered.externalId === undefined;
		const body = isNamed ? { ...entered, externalId: externalIdFor(entered) } : entered;
		const ifExists = isNamed ? 'reuse' : ifExternalIdExists;
		const externalId = typeof body.externalId === 'string' ? body.externalId : undefined;
		const question: Question<CreatedInquiry> = {
			...own(),
			body,
			kind: 'write',
			answer: createdInquiry,
			again: ({ id }) => readInquiry(id),
			ifRefused: body.licenses === undefined ? undefined : { 400: licenseKeys, 422: licenseKeys },
			ifUnknown:
				externalId === undefined
					? "Look for it with 'Get Many' and the filter 'Search' before you create it again. An 'External ID' makes that certain."
					: "Look for its external ID with 'Get Many', or run again with 'If External ID Exists' set to 'Reuse the Inquiry'.",
		};

		const { inquiry, reused, namesakes } =
			externalId === undefined
				? { inquiry: await service.send(question), reused: false, namesakes: [] }
				: await createByExternalId(service, question, {
						externalId,
						ifExists,
						lookupGrace: options.lookupGrace,
					});
		const doubled = namesakes.length > 0 ? heldTwice(externalId!, [inquiry.id, ...namesakes]) : undefined;
		const extra = {
			...(ifExists === 'reuse' && externalId !== undefined && { reused }),
			...(externalId !== undefined &&
				'externalId' in inquiry &&
				!isCalled(inquiry, externalId) && { problem: changed }),
			...(doubled !== undefined && { alsoSentAs: namesakes, problem: doubled }),
		};
		if (doubled !== undefined) service.remark(doubled);
		const submittedName = body.businessName ?? body.businessDba;
		if (!waitForCompletion) {
			// It may have been found as a row of a list, which need not say all of it.
			const whole =
				reused && !isWhole(inquiry) ? await service.send(readInquiry(inquiry.id)).catch(() => inquiry) : inquiry;
			if (!isFinal(whole)) service.remark(whatNext);
			service.advise(...afterInquiry(whole));
			return inquiryOutput(whole, input, { extra, submittedName });
		}
		if (!reused) service.accepted(inquiryOutput(inquiry, input, { extra, submittedName }));
		const ended = await untilEnded(service, inquiry.id, options, inquiry);
		service.advise(...afterInquiry(ended.inquiry));
		return inquiryOutput(ended.inquiry, input, { extra: { ...extra, ...ended.extra }, submittedName });
	},
	exampleInput: { businessName: 'Acme Trading LLC' },
	example: {
		...inquiryExample,
		status: 'PLANNING',
		scorecardScore: null,
		completedAt: null,
		summary: 'Acme Trading LLC: PLANNING.',
		isFinal: false,
	},
});

const whatNext =
	"An inquiry takes its time. For its result, turn on 'Wait for Completion', read it later with 'Get', or start a workflow with the 'Business Verification Trigger'.";

const changed = 'The service keeps another external ID than the one submitted: by it the inquiry is not found again.';

const heldTwice = (externalId: string, ids: string[]) =>
	`The service holds the external ID '${externalId}' ${ids.length} times (${ids.join(', ')}): two processes may have created it at the same moment.`;

const licenseKeys =
	"If the service does not know the fields of the licenses, choose the other 'License Keys' in the options.";
