const { asker } = require('./HelperPool.node.js');
const { inquiryOf } = require('./inquiry.js');

const perBatch = 250;

/** The floor of any node that sends rows as batches: each made when it is sent, n8n's helper, and nothing else. */
exports.BatchPool = class {
	description = {
		displayName: 'Batch Pool',
		name: 'batchPool',
		group: ['output'],
		version: 1,
		description: "Rows as batches by n8n's helper",
		defaults: { name: 'Batch Pool' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'benchApi' }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 4 },
		],
	};

	async execute() {
		const items = this.getInputData();
		const url = this.getNodeParameter('url', 0);
		const request = await asker(this);
		const output = [];
		let next = 0;
		const send = async () => {
			for (let from = next; from < items.length; from = next) {
				next += perBatch;
				const rows = items.slice(from, next);
				const body = { name: `pool ${from}`, inquiries: rows.map(({ json }) => inquiryOf(json)) };
				const json = await request({ method: 'POST', url, body, json: true });
				output[from / perBatch] = { json, pairedItem: rows.map((_, place) => ({ item: from + place })) };
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('atOnce', 0) }, send));
		return [output];
	}
};
