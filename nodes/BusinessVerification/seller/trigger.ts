import { choice, flag, notice, optionalText, settings, shown } from '../kit/field';
import { reportOptions, reportRules } from './report';
import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHookFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';
import { doubtsAbout, readResult } from './search';
import { type ReceptionRules, ReceptionState } from './reception';
import {
	audienceOf,
	howToMakeASecret,
	isStrong,
	problemOf,
	proofName,
	refuseSigningSecrets,
	signingSecretsOf,
} from './signing';
import { credentialType } from '../kit/operation';
import { Failure, type Settings } from '../kit/service';
import { settingsOf } from '../engine/request';
import { pause, shared } from '../engine/turns';
import { nodeErrorOf } from '../engine/results';
import { readParameters } from '../engine/parameters';
import { orMade } from '../kit/objects';
import { deliveryOf, handled, refused, whereabouts } from './waking';
import { readAnswer } from '../engine/answers';
import { createSender } from '../engine/sender';
import { RefusalTally } from './refusals';

/** What the user sets of the trigger. */
export const sellerTriggerFields = {
	urlNotice: notice(
		"Open 'Webhook URLs' above, choose 'Production URL', and click the address to copy it. Paste it into 'Callback URL' of Seller Search: Submit. Then publish the workflow.",
	),
	callbackAuthentication: choice('Callback Authentication', {
		signedUrl: [
			'Signed URL',
			"Accept only calls to a URL that Seller Search: Submit has signed with the 'Callback Secret'",
		],
		none: [
			'None',
			"Accept reports from anyone who knows the URL, unless the credential has a 'Service Signing Secret'",
		],
	}),
	noneNotice: shown(
		{ callbackAuthentication: ['none'] },
		notice(
			"Anyone who learns the URL can send a made-up report. Turn on 'Fetch Report From Service' in the options unless the service signs its callbacks or something in front of n8n checks them.",
		),
	),
	options: settings('Options', {
		fetchReport: flag(
			'Fetch Report From Service',
			"Whether to read the report from the service by its request ID and to ignore what the call brought. Needs 'Seller Result Path' in the credential.",
		),
		includeHeaders: flag(
			'Include Headers',
			'Whether to output the headers of the call. Values that may be secret are left out.',
		),
		publicUrl: optionalText('Public URL', {
			placeholder: 'e.g. https://callbacks.example.com/kyb',
			description:
				'The URL that you give to the Seller Search, if a gateway passes calls on from there to this trigger',
		}),
		...reportOptions,
	}),
};

type TriggerContext = IHookFunctions | IWebhookFunctions;

/** What has to be set before the trigger may listen. */
export async function checkSettings(context: IHookFunctions): Promise<void> {
	try {
		const { isSigned, options, settings, url } = await setUp(context);
		refuseSecrets(settings, isSigned);
		if (options.publicUrl !== undefined && !URL.canParse(options.publicUrl)) {
			throw new Failure(`'Public URL' is not a complete URL: ${options.publicUrl}`, {
				description: 'Enter it as the service is given it, starting with https://.',
			});
		}
		if (options.fetchReport && settings.sellerResultPath === '') {
			throw new Failure("The credential has no 'Seller Result Path'", {
				description: "'Fetch Report From Service' needs it. Ask the operator of the service, or turn the option off.",
			});
		}
		const doubts = doubtsAbout(url, 'this n8n');
		if (doubts !== undefined) {
			context.logger.warn(doubts, { workflowId: context.getWorkflow().id, node: context.getNode().name });
		}
	} catch (error) {
		throw nodeErrorOf(context.getNode(), error);
	}
}

function refuseSecrets(settings: Settings, isSigned: boolean): void {
	const problem = isSigned ? problemOf(settings.callbackSecret, settings.previousCallbackSecret) : undefined;
	if (problem !== undefined) {
		throw new Failure(problem, {
			description: `Without a good one anyone could send a made-up report. ${howToMakeASecret} Enter it in the credential, or choose 'None' as 'Callback Authentication'.`,
		});
	}
	refuseSigningSecrets(settings.signingSecret);
}

/** By what a call is judged; what is fetched back, and whether this is a test, the trigger knows. */
export async function rulesOf(
	context: IWebhookFunctions,
): Promise<Omit<ReceptionRules, 'isTest' | 'fetchReport'> & { fetchesReport: boolean }> {
	const { isSigned, options, settings, url } = await setUp(context);
	const { callbackSecret, previousCallbackSecret } = settings;
	return {
		// A secret that became too short is none, and the one before it does not stand in.
		secrets: isSigned ? (isStrong(callbackSecret) ? [callbackSecret, previousCallbackSecret] : []) : undefined,
		signingSecrets: signingSecretsOf(settings.signingSecret),
		audience: audienceOf(url),
		...reportRules(options),
		includeHeaders: options.includeHeaders,
		fetchesReport: options.fetchReport,
	};
}

async function setUp(context: TriggerContext) {
	const { callbackAuthentication, options } = readParameters(context, sellerTriggerFields);
	return {
		isSigned: callbackAuthentication !== 'none',
		options,
		settings: settingsOf(await credentialOf(context)),
		/** Where the service calls: what is behind the last slash is signed. */
		url: options.publicUrl ?? context.getNodeWebhookUrl('default') ?? '',
	};
}

/**
 * For each reading n8n makes an expression engine of its own, which is most of what a call costs. Calls that come while one
 * is under way share the next one: a secret that was saved before a call came counts for it, whoever else calls.
 */
function credentialOf(context: TriggerContext): Promise<ICredentialDataDecryptedObject> {
	const type = credentialType(context);
	const { id, credentials } = context.getNode();
	const key = ['credential', context.getMode(), context.getWorkflow().id, id, type, credentials?.[type]?.id].join(' ');
	return shared(key, () => context.getCredentials(type));
}

/** What this process knows of its triggers. n8n loads this file once, so all calls of a trigger meet here. */
const states = new Map<string, { reception: ReceptionState; refusals: RefusalTally }>();

/** A call to one of the trigger's URLs. */
export const receive = (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	handled(context, () => received(context));

async function received(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	const stored = context.getWorkflowStaticData('node');
	const { reception, refusals } = stateOf(context, stored);
	const isTest = context.getMode() === 'manual';
	if (!isTest) reception.memory.absorb(stored.accepted);

	const { [proofName]: pathSegment } = context.getParamsData() as Record<string, unknown>;
	const call = {
		query: context.getQueryData() as Record<string, unknown>,
		pathSegment,
		rawUrl: context.getRequestObject().originalUrl,
		...deliveryOf(context),
	};
	const { fetchesReport, ...rules } = await rulesOf(context);
	const fetchReport = fetchesReport ? (requestId: string) => fetchedReport(context, requestId) : undefined;
	const outcome = await reception.receive(call, { ...rules, isTest, fetchReport }, Date.now());

	if (outcome.status !== 200) {
		const { status, reason, message } = outcome;
		const record = refusals.note(reason, Date.now());
		if (record !== undefined) {
			context.logger.warn(`A seller callback was refused: ${message}`, {
				...whereabouts(context),
				status,
				reason,
				refused: record,
			});
			if (!isTest) store(stored, reception, refusals);
		}
		return refused(context, status, message);
	}
	const { item } = outcome;
	if (item === undefined) {
		response.status(200).json({ received: true, duplicate: true });
		return { noWebhookResponse: true };
	}
	void answered(response).then((status) => outcome.settle(status < 400));
	return {
		// Newer hosts forget, while they start the execution, that static data has changed, and would not save it. They ask
		// for the answer after that and save then, so it is changed when they ask.
		get webhookResponse() {
			if (!isTest) store(stored, reception, refusals);
			return { received: true };
		},
		workflowData: [[{ json: item as unknown as INodeExecutionData['json'] }]],
	};
}

/** The status with which n8n has answered: an error when it could not start the execution. */
async function answered(response: Response): Promise<number> {
	await new Promise<void>((resolve) => {
		response.once('finish', () => resolve());
		response.once('close', () => resolve());
	});
	// A caller that hangs up early does not keep n8n from starting the execution, nor from noting how that went.
	while (!response.writableEnded) await pause(100, undefined);
	return response.statusCode;
}

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Undefined when the service knows no such request. The caller waits for our answer, so this does not take long. */
async function fetchedReport(context: IWebhookFunctions, requestId: string): Promise<unknown> {
	const { settings, send } = await createSender(context, { timeout: 10_000, repeats: 1 });
	try {
		const question = readResult(requestId, settings);
		return readAnswer(question, await send(question));
	} catch (error) {
		if (error instanceof Failure && error.details.httpCode === 404) return undefined;
		context.logger.warn(`A Seller Report could not be read back: ${(error as Error).message}`, whereabouts(context));
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

/**
 * n8n saves a call's static data as a whole after it has started the execution, and calls overtake each other there.
 * So both are written, and only while they are saved: the last one to be saved then knows of all others.
 */
function store(stored: IDataObject, reception: ReceptionState, refusals: RefusalTally): void {
	const whenSaved = (value: () => unknown) => ({ toJSON: value }) as unknown as IDataObject;
	stored.accepted = whenSaved(() => reception.memory.pack(Date.now()));
	if (refusals.record() !== undefined) stored.refused = whenSaved(() => refusals.record());
}

function stateOf(context: IWebhookFunctions, stored: IDataObject) {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	return orMade(states, key, () => ({ reception: new ReceptionState(), refusals: new RefusalTally(stored.refused) }));
}
