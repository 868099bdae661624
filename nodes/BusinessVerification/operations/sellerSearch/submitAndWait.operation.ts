import { moreSellerFields, ref, refuseThisMachine, searchRequest, sellerRequired } from '../../seller/search';
import { reportOptions } from '../../seller/report';
import { newWakeUrl, type Sleeper } from '../../seller/waking';
import { Failure } from '../../kit/service';
import { number } from '../../kit/field';
import { jointOperation, sendingOptions } from '../../kit/operation';
import { routes } from '../../document/routes';
import { extraBody } from '../../fields/shared';

export const submitAndWait = jointOperation({
	name: 'Submit and Wait',
	action: 'Submit seller search and wait for report',
	description: 'Search for a seller and continue when the report arrives',
	endpoint: routes.sellerSearch,
	notForTools: 'it pauses the whole execution',
	bills: 'one seller search',
	fields: {
		...sellerRequired,
		ref,
		maxWaitHours: number('Max Wait (Hours)', {
			default: 24,
			min: 0,
			max: 8760,
			description:
				'Maximum hours to wait for the report. Then the item continues with status "timeout". 0 means no limit.',
		}),
		additionalFields: moreSellerFields,
		options: sendingOptions({ extraBody, ...reportOptions }),
	},
	runAll: async (input, rows, service, own) => {
		const { ref = null, maxWaitHours, additionalFields, options, ...fields } = input;
		if (rows.length > 1) {
			throw new Failure(`Submit and Wait takes one item, but received ${rows.length}`, {
				description:
					"Add a 'Loop Over Items' node with batch size 1, or use 'Submit' with the 'Business Verification Seller Report Trigger'.",
				cause: 'configuration-invalid',
			});
		}
		if (!service.sleep.isPossible()) {
			throw new Failure("Submit and Wait cannot wait while 'Execute Once' is on", {
				description: 'Turn it off in the settings of this node, which takes one item anyway.',
				cause: 'configuration-invalid',
			});
		}
		// The same if n8n retries the node, because the service has only the URL of the first try.
		const { url, nonceDigest } = service.ofRun(() => newWakeUrl(service.sleep.resumeUrl()));
		const { requestIdPath, sellerIdPath } = options;
		const wokenBy: Sleeper['wokenBy'] = { nonceDigest, requestIdPath, sellerIdPath };
		refuseThisMachine(url, service.settings);
		const request = searchRequest(fields, additionalFields, options.extraBody, url, own);
		const { request_id: requestId } = await service.send({ ...request, ifUnknown });
		const state = { status: 'timeout', isFinal: false, requestId, request_id: requestId, ref, nextStep, wokenBy };
		await service.sleep.until(maxWaitHours * 3_600_000, state);
		return [{ kind: 'output', item: 0, output: state }];
	},
	exampleInput: { ref: 'crm-4711' },
	example: {
		status: 'complete',
		isFinal: true,
		ref: 'crm-4711',
		requestId: 'req-1',
		sellerId: 'seller-1',
		report: { request_id: 'req-1', seller_id: 'seller-1' },
	},
});

const ifUnknown =
	'If it was processed, it is billed and its report has nowhere to go. Ask your service provider before you search again.';

const nextStep =
	"No report arrived in time. Run 'Get Result' with the request ID. If 'Seller Result Path' in the credential is empty, ask your service provider for it.";
