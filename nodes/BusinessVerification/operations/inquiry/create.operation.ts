import { externalIdFor } from '../../agents/calls';
import { choice, noticeWithout, shownWith } from '../../kit/field';
import { operation, sendingOptions } from '../../kit/operation';
import type { Question } from '../../kit/service';
import { createdInquiry, type CreatedInquiry } from '../../document/answers';
import { routes } from '../../document/routes';
import { businessAsks, newInquiry } from '../../inquiry/form';
import {
	extraBody,
	inquiryWaitingOptions,
	lookUpWait,
	spendingLimit,
	submitAgain,
	whileWaiting,
} from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { inquiryExample } from '../examples';
import { createByExternalId, isCalled, readAgain } from '../../inquiry/found';
import { bodyOf, refuseBroken, remarksOn } from '../../inquiry/newInquiry';
import { isFinal, inquiryOutput, isWhole, afterInquiry } from '../../inquiry/record';
import { untilFinished } from '../../inquiry/completion';
const { additionalFields, principals, licenses, ...main } = newInquiry;

const everyRunBills = 'Without External ID, every run submits and bills again.';

export const create = operation({
	name: 'Create',
	action: 'Create inquiry to verify business',
	description: 'Verify a business: submit it as a new inquiry',
	endpoint: routes.createInquiry,
	bills: 'one inquiry, with the checks its data unlocks, unless it is reused',
	forModels:
		'Verifies a business (KYB): submits it to vet or onboard it. Takes minutes; then use Wait for inquiry. More fields unlock more checks. Only to see whether data are complete, use Check inquiry data. For a list, use Submit batch.',
	asks: businessAsks,
	fields: {
		...main,
		noExternalIdNotice: noticeWithout('externalId', everyRunBills),
		ifExternalIdExists: shownWith(
			'externalId',
			choice(
				'If External ID Exists',
				{
					reuse: [
						'Reuse the Inquiry',
						'Return the existing inquiry and submit nothing. Takes two search requests for each new one.',
					],
					stop: 'Fail the Item',
					create: 'Create Anyway',
				},
				'What to do if an inquiry with this external ID exists',
			),
		),
		...whileWaiting(inquiryWaitingOptions),
		additionalFields,
		principals,
		licenses,
		options: sendingOptions({ ...outputs, extraBody, spendingLimit, submitAgain }, { lookUpWait }),
	},
	check: (input) => refuseBroken(bodyOf(input, input.options.extraBody)),
	run: async (input, service, own) => {
		const { options, ifExternalIdExists, waitForCompletion, waitingOptions } = input;
		const entered = bodyOf(input, options.extraBody, service.settings.licenseKeys);
		// An agent may repeat the call in a later execution, where only an external ID can find the first inquiry.
		const isNamed = service.intentions !== undefined && entered.externalId === undefined;
		const body = isNamed ? { ...entered, externalId: externalIdFor(entered) } : entered;
		const ifExists = isNamed ? 'reuse' : ifExternalIdExists;
		const externalId = typeof body.externalId === 'string' ? body.externalId : undefined;
		if (externalId === undefined) service.remark(everyRunBills);
		for (const sentence of remarksOn(entered)) {
			service.remark(sentence);
			service.advise(sentence);
		}
		const question: Question<CreatedInquiry> = {
			...own(),
			body,
			kind: 'write',
			answer: createdInquiry,
			foundBy: ifExists === 'reuse' ? externalId : undefined,
			ifRefused: body.licenses === undefined ? undefined : { 400: licenseKeys, 422: licenseKeys },
			ifUnknown:
				externalId === undefined
					? "Search for it with 'Get Many' before you create it again. With an 'External ID', that is reliable."
					: isNamed
						? 'Call again with the same data: it is searched for first.'
						: "Run the item again with 'If External ID Exists' set to 'Reuse the Inquiry', or search for the external ID with 'Get Many'.",
		};

		const { inquiry, reused, namesakes } =
			externalId === undefined
				? { inquiry: await service.send(question), reused: false, namesakes: [] }
				: await createByExternalId(service, question, {
						externalId,
						ifExists,
						lookUpWait: options.advanced.lookUpWait,
					});
		const isChanged = externalId !== undefined && 'externalId' in inquiry && !isCalled(inquiry, externalId);
		const doubled = namesakes.length > 0 ? heldTwice(externalId!, [inquiry.id, ...namesakes]) : undefined;
		const problem = doubled ?? (isChanged ? changed : undefined);
		const extra = {
			...(ifExists === 'reuse' && externalId !== undefined && { reused }),
			...(doubled !== undefined && { alsoSentAs: namesakes }),
			...(problem !== undefined && { problem }),
		};
		// Also beside the output, which may have selected fields alone.
		if (problem !== undefined) service.remark(problem);
		// A reused inquiry may be that of another business, if two records have the same external ID.
		const submittedName = reused ? undefined : (body.businessName ?? body.businessDba);
		if (!waitForCompletion) {
			// A reused inquiry may come from a list row, which may lack fields.
			const whole = reused && !isWhole(inquiry) ? await readAgain(service, inquiry) : inquiry;
			if (!isFinal(whole)) service.remark(howToGetTheResult);
			service.advise(...afterInquiry(whole));
			return inquiryOutput(whole, options, { extra, submittedName });
		}
		if (!reused) service.accepted(inquiryOutput(inquiry, options, { extra, submittedName }));
		const ifLate = ifExists === 'reuse' && externalId !== undefined ? runAgain : undefined;
		const finished = await untilFinished(service, inquiry.id, waitingOptions, inquiry, { ifLate });
		service.advise(...afterInquiry(finished.inquiry));
		return inquiryOutput(finished.inquiry, options, { extra: { ...extra, ...finished.extra }, submittedName });
	},
	exampleInput: { businessName: 'Acme Trading LLC', externalId: 'crm-4711' },
	example: {
		...inquiryExample,
		status: 'PLANNING',
		scorecardScore: null,
		completedAt: null,
		summary: 'Acme Trading LLC: not finished yet (PLANNING).',
		isFinal: false,
	},
});

const runAgain = 'run the same item again: the inquiry is found by its external ID, and nothing is submitted twice';

const howToGetTheResult =
	"Verification takes a while. To get this result, which bills nothing, run 'Inquiry: Wait' with its ID. For later runs, turn on 'Wait for Completion', or use the 'Business Verification Trigger'.";

const changed =
	'The inquiry has a different external ID in the service, so it will not be found by the one you submitted.';

const heldTwice = (externalId: string, ids: string[]) =>
	`${ids.length} inquiries have the external ID '${externalId}' (${ids.join(', ')}), perhaps because two runs created them at the same moment. Check whether both were billed.`;

const licenseKeys =
	"If the service rejects the license fields, choose the other 'License Keys' under 'Deployment Settings' in the credential.";
