import { offered, toolList } from './toolList';

/**
 * What people ask an assistant for, and the tool that does it. The first half was written before the texts of the tools,
 * the second by a reader of the list of tools alone.
 */
const requests: Array<[request: string, tool: string]> = [
	['Can you verify Acme Trading LLC in Springfield, IL?', 'inquiry_create'],
	['What is the status of inquiry 3f0c9a52?', 'inquiry_get'],
	['Why did the inquiry of Acme fail? What exactly failed?', 'inquiry_get'],
	['Keep an eye on the inquiry until it finishes', 'inquiry_wait'],
	['Find the inquiry that we made for Pine Tree Dairy last week', 'inquiry_getAll'],
	['Show all inquiries with status FAILED created this month', 'inquiry_getAll'],
	['Add the owner John Smith, born 1980-12-31, to this inquiry', 'inquiry_addPrincipal'],
	['They hold a plumbing license in Illinois, add the license to the inquiry', 'inquiry_addLicense'],
	['Look up their Secretary of State filing 20261234567', 'inquiry_addFiling'],
	['I need the PDF report', 'inquiry_downloadPdf'],
	['Retry everything that failed', 'inquiry_retryFailed'],
	['Retry only the license verification task', 'inquiry_retryProcess'],
	['Do we have enough data to submit this business?', 'inquiry_check'],
	['Verify these 12 businesses', 'batch_submit'],
	['How far is the March leads batch?', 'batch_get'],
	['Which batches did we import?', 'batch_getAll'],
	['List the businesses in that batch and their status', 'batch_getInquiries'],
	['Wait until the batch is finished', 'batch_wait'],
	['Order a seller report on the marketplace seller Acme', 'sellerSearch_submit'],
	['Which lender does my account belong to?', 'user_getProfile'],

	['Vet and onboard Harbor Bikes LLC from Portland, OR', 'inquiry_create'],
	['How many inquiries are running right now?', 'inquiry_getAll'],
	['Which inquiry has the external ID crm-4711?', 'inquiry_getAll'],
	['What was found about the company in this inquiry, and what is its score?', 'inquiry_get'],
	['Which checks would a phone number unlock, and are the data complete?', 'inquiry_check'],
	['Run the failed address task once more', 'inquiry_retryProcess'],
	['Everything in the inquiry failed, run it all again', 'inquiry_retryFailed'],
	['An officer is missing: add Jane Doe', 'inquiry_addPrincipal'],
	['Their registration number with the Secretary of State is 4711', 'inquiry_addFiling'],
	['Make a PDF file for people to read', 'inquiry_downloadPdf'],
	['Tell me as soon as the inquiry finishes', 'inquiry_wait'],
	['Submit these rows as one batch', 'batch_submit'],
	['How many of the batch are done, how many failed?', 'batch_get'],
	['Which batchId has the batch called March leads?', 'batch_getAll'],
	['The score of each business of the batch', 'batch_getInquiries'],
	['Is the seller search req-1 complete yet?', 'sellerSearch_getStatus'],
	['What does the Seller Report of req-1 say?', 'sellerSearch_getResult'],
	['Read me the Seller Report with its seller_id', 'sellerSearch_getResult'],
	['Verify the healthcare license of seller-1', 'license_verify'],
	['Which user does this credential belong to?', 'user_getProfile'],
];

/** They say nothing of what is wanted. */
const idle = new Set(
	'a an and are as at can did do does for has i in is it its me my of on or our so that the their they this to was we what these those which who with you'.split(
		' ',
	),
);

/** Words as a search counts them: small, a plural as its singular, no examples. */
const wordsOf = (text: string): string[] =>
	(
		text
			.replace(/\be\.g\. .*/g, '')
			.toLowerCase()
			.match(/[a-z]+|\d+/g) ?? []
	)
		.filter((word) => !idle.has(word))
		.map((word) => word.replace(/ies$/, 'y').replace(/(?<=ss|ch)es$|(?<=\w{2}[^s])s$/, ''));

const { tools } = toolList();
const actionOf = new Map(
	offered.map(({ resource, operation, definition }) => [`${resource}_${operation}`, definition.action]),
);

/** Okapi BM25 with its usual constants over name, text and arguments of each tool. */
const documents = tools.map(({ name, description, inputSchema }) => {
	const { properties = {} } = inputSchema as { properties?: Record<string, { description: string }> };
	const given = Object.entries(properties).flatMap(([argument, { description }]) => [argument, description]);
	// Where a text sends elsewhere, its words speak for the other tool.
	const own = description.split('. ').filter((sentence) => !/\buse [A-Z]/.test(sentence));
	return { name, words: [actionOf.get(name)!, ...own, ...given].flatMap(wordsOf) };
});
const length = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length;
const rarity = (word: string) => {
	const holders = documents.filter(({ words }) => words.includes(word)).length;
	return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
};
const score = (request: string, words: string[]) =>
	[...new Set(wordsOf(request))].reduce((sum, word) => {
		const times = words.filter((one) => one === word).length;
		return sum + (rarity(word) * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words.length) / length));
	}, 0);

it.each(requests)('%s: %s', (request, tool) => {
	const ranked = documents.map(({ name, words }) => [score(request, words), name] as const).sort(([a], [b]) => b - a);
	expect(ranked.slice(0, 2).map(([points, name]) => `${name} ${points.toFixed(2)}`)[0]).toContain(tool);
	expect(ranked[0][0]).toBeGreaterThan(ranked[1][0]);
});

it('every tool is asked for', () => {
	const asked = new Set(requests.map(([, tool]) => tool));
	expect(tools.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([]);
	expect(requests).toHaveLength(40);
});

it('where a text sends to another tool, there is one', () => {
	const actions = new Set(actionOf.values());
	const sent = tools.flatMap(({ description }) =>
		[...description.matchAll(/\buse ([A-Z][\w ]*?)(?: with [^.,]*)?(?=[.,])/g)].map(([, action]) => action),
	);
	expect(sent.length).toBeGreaterThan(15);
	expect(sent.filter((action) => !actions.has(action))).toEqual([]);
});
