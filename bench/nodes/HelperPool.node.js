/**
 * The floor of any node: n8n's helper, so many at once, and nothing else. With a credential it is the floor of any node
 * that has one; n8n then also makes each request end when the execution is cancelled.
 */
exports.HelperPool = class {
	description = {
		displayName: 'Helper Pool',
		name: 'helperPool',
		group: ['output'],
		version: 1,
		description: "A request for each item by n8n's helper",
		defaults: { name: 'Helper Pool' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'benchApi' }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Behind the ID', name: 'end', type: 'string', default: '' },
			{ displayName: 'File', name: 'isFile', type: 'boolean', default: false },
			{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 32 },
		],
	};

	async execute() {
		const items = this.getInputData();
		const [url, end, isFile] = ['url', 'end', 'isFile'].map((name) => this.getNodeParameter(name, 0));
		const request = await asker(this);
		const output = [];
		let next = 0;
		const send = async () => {
			for (let item = next++; item < items.length; item = next++) {
				const address = url + items[item].json['External ID'] + end;
				const body = await request({ url: address, ...(isFile ? { encoding: 'arraybuffer' } : { json: true }) });
				output[item] = {
					json: isFile ? {} : body,
					...(isFile && {
						binary: { data: await this.helpers.prepareBinaryData(body, 'file.pdf', 'application/pdf') },
					}),
					pairedItem: { item },
				};
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('atOnce', 0) }, send));
		return [output];
	}
};

exports.asker = asker;

async function asker(context) {
	const type = 'benchApi';
	if (context.getNode().credentials?.[type] === undefined) {
		const headers = { Authorization: 'Bearer bench' };
		return (options) => context.helpers.httpRequest({ ...options, headers });
	}
	const credentialsDecrypted = { id: type, name: type, type, data: await context.getCredentials(type) };
	return (options) =>
		context.helpers.httpRequestWithAuthentication.call(context, type, options, { credentialsDecrypted });
}
