import { externalIdFor } from '../../agents/calls';
import { choice, withHelp } from '../../kit/field';
import { operation, sendingOptions } from '../../kit/operation';
import { sentences } from '../../kit/objects';
import { Failure, type Question } from '../../kit/service';
import { createdInquiry, type CreatedInquiry } from '../../document/answers';
import { routes } from '../../document/routes';
import { businessAsks, newInquiry } from '../../inquiry/inquiryForm';
import {
	extraBody,
	inquiryWaitingOptions,
	lookUpWait,
	sampleIds,
	spendingLimit,
	submitAgain,
	whileWaiting,
} from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { createByExternalId, isCalled, type Made, readAgain } from '../../inquiry/found';
import { bodyOf, needsName, refuseBroken, remarksOn } from '../../inquiry/newInquiry';
import { createdSaid, isFinal, inquiryOutput, isWhole, sayNext } from '../../inquiry/record';
import { untilFinished } from '../../inquiry/completion';

const { additionalFields, principals, licenses, ...main } = newInquiry;

const ifExternalIdExists = choice(
	'If External ID Exists',
	{
		reuse: ['Reuse the Inquiry', 'Return the existing inquiry and submit nothing'],
		stop: ['Fail the Item', 'Submit nothing'],
		create: ['Create Anyway', 'Submit and bill another inquiry'],
	},
	'What to do if an inquiry with this external ID exists',
);

export const create = operation({
	name: 'Create',
	action: 'Create inquiry to verify business',
	description: 'Verify a business: submit it as a new inquiry',
	endpoint: routes.createInquiry,
	bills: 'one inquiry, unless one with its External ID is reused',
	forModels:
		'Verifies a business (KYB): submits it to vet or onboard it. Can take minutes; then use Wait for inquiry. More fields unlock more checks. Only to see whether data are complete, use Check inquiry data. For a list, use Submit batch.',
	asks: businessAsks,
	fields: {
		...main,
		businessName: { ...main.businessName, substitute: { path: 'additionalFields.businessDba', else: needsName } },
		externalId: withHelp(main.externalId, {
			description:
				"Your ID of the business. If it was submitted before, its inquiry is returned and nothing is billed, unless 'If External ID Exists' says otherwise.",
			hint: 'A known ID is reused, not billed, unless the options say otherwise; a new ID, or none, is billed',
		}),
		additionalFields,
		principals,
		licenses,
		...whileWaiting(inquiryWaitingOptions),
		options: sendingOptions({ ...outputs, extraBody, ifExternalIdExists, spendingLimit, submitAgain }, { lookUpWait }),
	},
	check: (input) => refuseBroken(bodyOf(input, input.options.extraBody)),
	run: async (input, service, own) => {
		const { options, waitForCompletion, waitingOptions } = input;
		const entered = bodyOf(input, options.extraBody, service.settings.licenseKeys);
		// An agent may repeat the call in a later execution, where only an external ID can find the first inquiry.
		const isIdMade = service.intentions !== undefined && entered.externalId === undefined;
		const body = isIdMade ? { ...entered, externalId: externalIdFor(entered) } : entered;
		const ifExists = isIdMade ? 'reuse' : options.ifExternalIdExists;
		const externalId = typeof body.externalId === 'string' ? body.externalId : undefined;
		if (externalId === undefined) service.remark('Without External ID, every run submits and bills again.');
		const name = String(body.businessName ?? body.businessDba);
		const doubts = remarksOn(entered).join(' ');
		if (doubts !== '') {
			service.remark(`${name}: ${doubts}`, doubts);
			service.advise(doubts);
		}
		const question: Question<CreatedInquiry> = {
			...own(),
			body,
			kind: 'write',
			answer: createdInquiry,
			foundBy: ifExists === 'create' ? undefined : externalId,
			ifRefused: body.licenses === undefined ? undefined : { 400: licenseKeys, 422: licenseKeys },
			ifUnknown:
				externalId === undefined
					? "It may be billed. In a minute, search for it with 'Get Many' before you create it again."
					: isIdMade
						? 'Wait a minute, then call again with the same data: it is searched for first.'
						: `Run the node again in a minute${ifExists === 'create' ? reuseIt : ''}: it is searched for first.`,
		};

		const { lookUpWait } = options.advanced;
		const wish = { externalId: externalId!, name: isIdMade ? undefined : name, ifExists, lookUpWait };
		const made =
			externalId === undefined
				? { inquiry: await service.send(question), reused: false, namesakes: [], isNamed: true }
				: await createByExternalId(service, question, wish);
		const { inquiry, reused } = made;
		const extra = externalId === undefined ? {} : factsOf(made, externalId, name, ifExists === 'reuse');
		// Also beside the output, which may have selected fields alone. First, because the advice that follows is for its own.
		if (extra.problem !== undefined) service.remark(extra.problem, 'problem');
		if (reused) service.remark(reuseOf(made, externalId!, isIdMade), 'reused');
		const besides = { extra, submittedName: made.isNamed === true ? name : undefined };
		if (!waitForCompletion) {
			// A reused inquiry may come from a list row.
			const whole = reused && !isWhole(inquiry) ? await readAgain(service, inquiry) : inquiry;
			if (!isFinal(whole) && made.isNamed !== false) service.remark(howToGetTheResult);
			sayNext(service, whole);
			return inquiryOutput(whole, options, besides);
		}
		const finished = await untilFinished(service, inquiry.id, waitingOptions, inquiry).catch((error: unknown) =>
			Promise.reject(reused && error instanceof Failure ? ofReused(error, made, externalId!, extra.problem) : error),
		);
		sayNext(service, finished.inquiry);
		return inquiryOutput(finished.inquiry, options, { ...besides, extra: { ...extra, ...finished.extra } });
	},
	exampleInput: { businessName: 'Acme Trading LLC', externalId: 'crm-4711' },
	example: {
		businessName: 'Acme Trading LLC',
		status: 'PLANNING',
		scorecardScore: null,
		reused: false,
		summary: 'Acme Trading LLC: not finished yet (PLANNING).',
		externalId: 'crm-4711',
		isFinal: false,
		id: sampleIds.inquiry,
		createdAt: '2026-03-02T09:00:00Z',
		completedAt: null,
	},
});

const reuseIt = " with 'If External ID Exists' set to 'Reuse the Inquiry'";

/** Whose inquiry it is. A reused one that was not submitted under this name must not appear under it. */
function factsOf({ inquiry, reused, namesakes, isNamed }: Made, externalId: string, name: string, mayReuse: boolean) {
	const problems = [
		...(namesakes.length > 0 ? [heldTwice(externalId, [inquiry.id, ...namesakes])] : []),
		...(inquiry.externalId !== undefined && !isCalled(inquiry, externalId) ? [changed] : []),
		...(isNamed === false ? [ofAnother(externalId, name)] : []),
		...(isNamed === undefined ? [uncheckedName(externalId)] : []),
	];
	return {
		...(isNamed !== true && { enteredName: name }),
		...(mayReuse && { reused }),
		...(problems.length > 0 && { problem: problems.join(' ') }),
		...(namesakes.length > 0 && { alsoSentAs: namesakes }),
	};
}

/** Of one that has not finished, or may be of another business, there is nothing to verify again. */
const reuseOf = (made: Made, externalId: string, isIdMade: boolean) =>
	sentences(
		reusedSaid(made, externalId),
		made.isNamed === true && !isIdMade && 'Only the business name was compared.',
		isFinal(made.inquiry) &&
			made.isNamed !== false &&
			"To verify again, which is billed, enter another External ID, or add the option 'If External ID Exists' with 'Create Anyway'.",
	)!;

const reusedSaid = ({ inquiry }: Made, externalId: string) =>
	`Reused, not billed again: the inquiry of ${createdSaid(inquiry)} with External ID '${externalId}'.`;

/** Why there is no result of a reused inquiry. To wait for one that may be of another business would be wrong advice. */
const ofReused = ({ message, details }: Failure, made: Made, externalId: string, problem?: string) =>
	new Failure(made.isNamed === false ? `${message}, and may be of another business` : message, {
		...details,
		facts: sentences(reusedSaid(made, externalId), details.facts, problem),
		description: made.isNamed === false ? 'Do not wait for this one: it may not be yours.' : details.description,
	});

const ofAnother = (externalId: string, name: string) =>
	`The inquiry with External ID '${externalId}' may be of another business: the service does not find it by the name '${name}'. To verify yours, which is billed, use another External ID.`;

const uncheckedName = (externalId: string) =>
	`Could not check under which name the inquiry with External ID '${externalId}' was submitted.`;

const howToGetTheResult =
	"Verification takes a while. To get this result, which bills nothing, run 'Inquiry: Wait' with its ID or External ID. For later runs, turn on 'Wait for Completion', or start a workflow 'On verification finished'.";

const changed =
	'The inquiry has a different external ID in the service, so it will not be found by the one you submitted.';

const heldTwice = (externalId: string, ids: string[]) =>
	`${ids.length} inquiries have the external ID '${externalId}' (${ids.join(', ')}), perhaps because two runs created them at the same moment. Check whether both were billed.`;

const licenseKeys =
	"If the service rejects the license fields, choose the other 'License Keys' under 'Deployment Settings' in the credential.";
