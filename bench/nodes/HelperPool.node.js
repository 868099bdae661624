/** The floor of any node: n8n's bare helper, so many at once, and nothing else. */
exports.HelperPool = class {
	description = {
		displayName: 'Helper Pool',
		name: 'helperPool',
		group: ['output'],
		version: 1,
		description: "A request for each item by n8n's bare helper",
		defaults: { name: 'Helper Pool' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 32 },
		],
	};

	async execute() {
		const items = this.getInputData();
		const url = this.getNodeParameter('url', 0);
		const headers = { Authorization: 'Bearer bench' };
		const output = [];
		let next = 0;
		const send = async () => {
			for (let item = next++; item < items.length; item = next++) {
				const json = await this.helpers.httpRequest({
					url: url + items[item].json['External ID'],
					headers,
					json: true,
				});
				output[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('atOnce', 0) }, send));
		return [output];
	}
};
