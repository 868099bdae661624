import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { privateHost } from '../callback/privateHost';
import type { ReceptionRules } from '../callback/reception';
import { howToMakeASecret, isStrong, problemOf } from '../callback/secrets';
import { audienceOf } from '../callback/signing';
import { problemOfSigningSecret, signingSecretsOf } from '../callback/standardWebhooks';
import { credentialType, Failure } from '../definition';
import { nodeErrorOf } from '../engine/nodeError';
import { readParameters } from '../engine/parameters';
import { bytesOf } from '../fields/reportOptions';
import { sellerTriggerFields } from './sellerTriggerFields';

type TriggerContext = IHookFunctions | IWebhookFunctions;

interface Account {
	callbackSecret?: string;
	previousCallbackSecret?: string;
	signingSecret?: string;
	sellerResultPath?: string;
}

/** What has to be set before the trigger may listen. */
export async function checkSettings(context: IHookFunctions): Promise<void> {
	try {
		const { isSigned, options, account, url } = await settingsOf(context);
		refuseSecrets(account, isSigned);
		if (options.publicUrl !== undefined && !URL.canParse(options.publicUrl)) {
			throw new Failure(`'Public URL' is not a complete URL: ${options.publicUrl}`, {
				description: 'Enter it as the service is given it, starting with https://.',
			});
		}
		if (options.fetchReport && !account.sellerResultPath) {
			throw new Failure("The credential has no 'Seller Result Path'", {
				description: "'Fetch Report From Service' needs it. Ask the operator of the service, or turn the option off.",
			});
		}
		const unreachable = privateHost(url);
		if (unreachable !== undefined) {
			context.logger.warn(
				`The service probably cannot reach this n8n: ${unreachable}. Set WEBHOOK_URL to n8n's public address.`,
				{ workflowId: context.getWorkflow().id, node: context.getNode().name },
			);
		}
	} catch (error) {
		throw nodeErrorOf(context.getNode(), error);
	}
}

function refuseSecrets(account: Account, isSigned: boolean): void {
	const problem = isSigned ? problemOf(account) : undefined;
	if (problem !== undefined) {
		throw new Failure(problem, {
			description: `Without a good one anyone could send a made-up report. ${howToMakeASecret} Enter it in the credential, or choose 'None' as 'Callback Authentication'.`,
		});
	}
	for (const secret of signingSecretsOf(account.signingSecret)) {
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
	const { isSigned, options, account, url } = await settingsOf(context);
	const { callbackSecret = '', previousCallbackSecret = '' } = account;
	return {
		// A secret that became too short is none, and the one before it does not stand in.
		secrets: isSigned ? (isStrong(callbackSecret) ? [callbackSecret, previousCallbackSecret] : []) : undefined,
		signingSecrets: signingSecretsOf(account.signingSecret),
		audience: audienceOf(url),
		maxBytes: bytesOf(options.maxReportSize),
		requestIdPath: options.requestIdPath ?? '',
		sellerIdPath: options.sellerIdPath ?? '',
		includeHeaders: options.includeHeaders,
		fetchesReport: options.fetchReport,
	};
}

async function settingsOf(context: TriggerContext) {
	const { callbackAuthentication, options } = readParameters(context, sellerTriggerFields);
	const account: Account = await context.getCredentials(credentialType(context));
	return {
		isSigned: callbackAuthentication !== 'none',
		options,
		account,
		/** Where the service calls: what is behind the last slash is signed. */
		url: options.publicUrl ?? context.getNodeWebhookUrl('default') ?? '',
	};
}
