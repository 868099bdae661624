const { described } = require('./described.js');

/**
 * The floor of any node with a credential: n8n's helper, so many at once, and nothing else. n8n also makes each request
 * end when the execution is canceled.
 */
exports.HelperPool = class {
	description = described(
		'helperPool',
		'Helper Pool',
		"A request for each item by n8n's helper",
		[
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 32 },
		],
		{ credentials: [{ name: 'benchApi' }] },
	);

	async execute() {
		const items = this.getInputData();
		const url = this.getNodeParameter('url', 0);
		const request = await asker(this);
		const output = [];
		let next = 0;
		const send = async () => {
			for (let item = next++; item < items.length; item = next++) {
				const body = await request({ url: url + items[item].json['External ID'], json: true });
				output[item] = { json: body, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('atOnce', 0) }, send));
		return [output];
	}
};

async function asker(context) {
	const type = 'benchApi';
	const credentialsDecrypted = { id: type, name: type, type, data: await context.getCredentials(type) };
	return (options) =>
		context.helpers.httpRequestWithAuthentication.call(context, type, options, { credentialsDecrypted });
}
