import { choice, flag, notice, optionalText, settings, shown } from '../definition';
import { reportOptions } from '../fields/reportOptions';

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
