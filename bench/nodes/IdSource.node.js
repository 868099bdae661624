const { described } = require('./described.js');
const { begin } = require('./watch.js');

/** Hands on IDs and starts the watch. */
exports.IdSource = class {
	description = described('idSource', 'ID Source', 'IDs of records', [
		{ displayName: 'Count', name: 'count', type: 'number', default: 1000 },
	]);

	async execute() {
		const items = Array.from({ length: this.getNodeParameter('count', 0) }, (_, n) => ({
			json: { 'External ID': `inquiry-${n}` },
			pairedItem: { item: 0 },
		}));
		begin();
		return [items];
	}
};
