import { webAddress } from '../../../../credentials/address';
import { moreSellerFields, callback, ref, refuseThisMachine, searchRequest, sellerRequired } from '../../seller/search';
import { guarding } from '../../kit/field';
import { Failure } from '../../kit/service';
import { operation, sendingOptions } from '../../kit/operation';
import { routes } from '../../document/routes';
import { extraBody, spendingLimit, submitAgain } from '../../fields/shared';
import { encodedRef, signCallbackUrl, signingOptions } from '../../seller/signing';

export const submit = operation({
	name: 'Submit',
	action: 'Submit seller search',
	description: 'Search for a seller. The report arrives later at the callback URL.',
	endpoint: routes.sellerSearch,
	bills: 'one seller search',
	forModels:
		'Orders a Seller Report on a marketplace seller (merchant). Gives a requestId; the report is ready later. To verify a business, use Create inquiry.',
	asks: ['name', 'address_line_1', 'city', 'state', 'zip5', 'ref'],
	fields: {
		...sellerRequired,
		callback,
		// Without it, nobody finds the record that the report belongs to.
		ref: guarding(ref),
		additionalFields: moreSellerFields,
		options: sendingOptions({ ...signingOptions, extraBody, spendingLimit, submitAgain }),
	},
	check: ({ callback, ref }) => {
		encodedRef(ref ?? '');
		if (webAddress(callback) !== undefined) return;
		throw new Failure("'Callback URL' must be a full address", {
			parameter: 'callback',
			description: "Copy the production URL from the 'Business Verification Seller Report Trigger'.",
			cause: 'configuration-invalid',
		});
	},
	run: async (input, service, own) => {
		const { callback, ref, additionalFields, options, ...fields } = input;
		refuseThisMachine(callback, service.settings);
		const { callbackSecret } = service.settings;
		const isSigned = callbackSecret !== '';
		if (!isSigned) {
			service.remark(
				"The callback URL is not signed, so anyone who learns it can send a report, and a Seller Report Trigger with 'Callback Authentication: Signed URL' refuses it. To sign it, set 'Callback Secret' under 'Deployment Settings' in the credential.",
			);
		}
		const { expiresAfter, placement, extraBody } = options;
		const issuedAt = Date.now();
		const expiresAt = expiresAfter === 0 ? undefined : issuedAt + Math.ceil(expiresAfter * 3_600_000);
		const signing = { secret: callbackSecret, ref, issuedAt, expiresAt, placement };
		const url = isSigned ? signCallbackUrl(callback, signing) : callback;
		const request = searchRequest(fields, additionalFields, extraBody, url, own);
		const answer = await service.send(request);
		service.advise(
			'Ordered: do not order it again. The report goes to the callback URL.',
			"'Get status of seller search' tells whether it is finished.",
			"'Get result of seller search' reads the report then.",
		);
		return { ...answer, requestId: answer.request_id, ref, isSigned };
	},
	exampleInput: { ref: 'crm-4711' },
	example: { status: 'pending', request_id: 'req-1', requestId: 'req-1', ref: 'crm-4711', isSigned: true },
});
