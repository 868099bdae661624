const { begin } = require('./watch.js');

/** Hands on IDs and starts the watch. */
exports.IdSource = class {
	description = {
		displayName: 'ID Source',
		name: 'idSource',
		group: ['input'],
		version: 1,
		description: 'IDs of records',
		defaults: { name: 'ID Source' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'Count', name: 'count', type: 'number', default: 1000 },
			{ displayName: 'Collect Garbage', name: 'collects', type: 'boolean', default: false },
			{ displayName: 'Prefix', name: 'prefix', type: 'string', default: 'inquiry' },
		],
	};

	async execute() {
		const prefix = this.getNodeParameter('prefix', 0);
		const items = Array.from({ length: this.getNodeParameter('count', 0) }, (_, n) => ({
			json: { 'External ID': `${prefix}-${n}` },
			pairedItem: { item: 0 },
		}));
		begin(this.getNodeParameter('collects', 0));
		return [items];
	}
};
