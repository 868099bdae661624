import { howToMakeASecret, weakSecretIn } from '../../../credentials/credentialFields';
import { chosenKind } from '../../../credentials/types';
import { choice, flag, notice, shown } from '../kit/field';
import { settings } from '../kit/collections';
import { reportOptions } from './report';
import type {
	IDataObject,
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { readResult } from './search';
import { type ReceptionRules, ReceptionState } from './reception';
import { audienceOf, proofName } from './signing';
import { Failure, type Json } from '../kit/service';
import { settingsOf } from '../engine/request';
import { pause } from '../engine/turns';
import { nodeErrorOf } from '../engine/runErrors';
import { readParameters } from '../engine/parameters';
import { Bounded, orMade } from '../kit/objects';
import { deliveryOf, handled, responded } from './waking';
import { readAnswer } from '../engine/checkedAnswer';
import { createSender } from '../engine/sender';

export const sellerTriggerFields = {
	callbackAuthentication: choice('Callback Authentication', {
		signedUrl: ['Signed URL', "Accept only URLs that Seller Search: Submit signed with the 'Callback Secret'"],
		none: ['None', 'Accept reports from anyone who knows the URL'],
	}),
	noneNotice: shown(
		{ callbackAuthentication: ['none'] },
		notice(
			"Anyone who learns the URL can send a forged report. Turn on 'Fetch Report From Service', unless a gateway checks the calls.",
		),
	),
	options: settings('Options', {
		fetchReport: flag(
			'Fetch Report From Service',
			"Whether to ignore the body of the call and read the report from the service by its request ID. Needs 'Seller Result Path' under 'Deployment Settings' in the credential.",
		),
		...reportOptions,
	}),
};

type TriggerContext = IHookFunctions | IWebhookFunctions;

/** Refuses to activate the trigger with settings that would refuse every call. */
export async function checkSettings(context: IHookFunctions): Promise<void> {
	try {
		const { isSigned, options, settings } = await setUp(context);
		const isMissing = settings.callbackSecret === '';
		const problem = isMissing ? "The credential has no 'Callback Secret'" : weakSecretIn({ ...settings });
		if (isSigned && problem !== undefined) {
			throw new Failure(problem, {
				description: `${howToMakeASecret} Enter it under 'Deployment Settings' in the credential, or set 'Callback Authentication' to 'None'.`,
			});
		}
		// Throws if its path is not set. Nothing is sent.
		if (options.fetchReport) readResult('any', settings);
	} catch (error) {
		throw nodeErrorOf(context.getNode(), error);
	}
}

async function rulesOf(context: IWebhookFunctions): Promise<ReceptionRules> {
	const { isSigned, options, settings } = await setUp(context);
	return {
		...options,
		secrets: isSigned ? [settings.callbackSecret, settings.previousCallbackSecret] : undefined,
		audience: audienceOf(context.getNodeWebhookUrl('default')!),
		fetchReport: options.fetchReport ? (requestId) => fetchedReport(context, requestId) : undefined,
	};
}

async function setUp(context: TriggerContext) {
	const { callbackAuthentication, options } = readParameters(context, sellerTriggerFields);
	return {
		isSigned: callbackAuthentication !== 'none',
		options,
		settings: settingsOf(await context.getCredentials(chosenKind(context.getNode()).name)),
	};
}

/** The state of the triggers of this process. n8n loads this file once, so all calls of a trigger share it. */
const states = new Bounded<ReceptionState>(1_000);

/** Handles a call to one of the trigger's URLs. */
export const receive = (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	handled(context, () => received(context));

async function received(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const stored = context.getWorkflowStaticData('node');
	const isTest = context.getMode() === 'manual';
	// A test in the editor may repeat a report, so it has a state to itself.
	const reception = isTest
		? new ReceptionState()
		: orMade(states, `${context.getWorkflow().id} ${context.getNode().id}`, () => new ReceptionState());
	if (!isTest) reception.memory.absorb(stored.accepted);

	const { [proofName]: pathSegment } = context.getParamsData() as Json;
	const call = {
		query: context.getQueryData() as Json,
		pathSegment,
		...deliveryOf(context),
	};
	const outcome = await reception.receive(call, await rulesOf(context), Date.now(), () => isStarted(context));

	if (outcome.kind === 'duplicate') return responded(context, 200, { received: true, duplicate: true });
	return {
		// Newer hosts drop the mark that static data changed while they start the execution, and then do not save it. They
		// read `webhookResponse` after that, so static data is changed in this getter.
		get webhookResponse() {
			if (!isTest) stored.accepted = whenSaved(() => reception.memory.pack());
			return { received: true };
		},
		workflowData: [[{ json: outcome.item as INodeExecutionData['json'] }]],
	};
}

/** If n8n could not start the execution, the status that it responds with is an error. */
async function isStarted(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	// If the sender disconnects, also before now, n8n starts the execution nevertheless and sets the status later.
	while (!response.writableEnded) await pause(100, undefined);
	return response.statusCode < 400;
}

/** The timeout is short because the sender waits. */
async function fetchedReport(context: IWebhookFunctions, requestId: string): Promise<unknown> {
	const { settings, send } = await createSender(context, { timeout: 10_000, repeats: 1 });
	const question = readResult(requestId, settings);
	return readAnswer(question, await send(question));
}

/**
 * n8n saves the static data of a call after starting its execution, and calls may be saved in another order than they
 * arrived. So the value is read only while n8n saves: the last call saved then includes all others.
 */
const whenSaved = (value: () => unknown) => ({ toJSON: value }) as unknown as IDataObject;
