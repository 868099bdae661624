import type { ICredentialDataDecryptedObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { doubtsAbout } from '../callback/privateHost';
import type { ReceptionRules } from '../callback/reception';
import { howToMakeASecret, isStrong, problemOf } from '../callback/secrets';
import { audienceOf } from '../callback/signing';
import { problemOfSigningSecret, signingSecretsOf } from '../callback/standardWebhooks';
import { credentialType, Failure, type Settings } from '../definition';
import { settingsOf } from '../engine/account';
import { shared } from '../engine/exclusive';
import { nodeErrorOf } from '../engine/nodeError';
import { readParameters } from '../engine/parameters';
import { reportRules } from '../fields/reportOptions';
import { sellerTriggerFields } from './sellerTriggerFields';

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
	for (const secret of signingSecretsOf(settings.signingSecret)) {
		const wrong = problemOfSigningSecret(secret);
		if (wrong === undefined) continue;
		throw new Failure(`'Service Signing Secret' ${wrong}`, {
			description: 'Copy it from the service again, or leave the field empty if the service does not sign.',
		});
	}
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
