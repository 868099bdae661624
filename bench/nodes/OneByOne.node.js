/** What most nodes do: an expression, the stored credential, and one request after the other. */
exports.OneByOne = class {
	description = {
		displayName: 'One by One',
		name: 'oneByOne',
		group: ['output'],
		version: 1,
		description: 'A request for each item, in turn',
		defaults: { name: 'One by One' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'httpHeaderAuth', required: true }],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	};

	async execute() {
		const output = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const url = this.getNodeParameter('url', item);
			const json = await this.helpers.httpRequestWithAuthentication.call(this, 'httpHeaderAuth', { url, json: true });
			output.push({ json, pairedItem: { item } });
		}
		return [output];
	}
};
