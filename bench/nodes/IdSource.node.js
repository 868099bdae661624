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
		properties: [{ displayName: 'Count', name: 'count', type: 'number', default: 1000 }],
	};

	async execute() {
		const items = Array.from({ length: this.getNodeParameter('count', 0) }, (_, n) => ({
			json: { 'External ID': `inquiry-${n}` },
			pairedItem: { item: 0 },
		}));
		begin();
		return [items];
	}
};
