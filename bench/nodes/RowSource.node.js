const { described } = require('./described.js');
const { begin } = require('./watch.js');

const rowOf = (n) => ({
	'Business Name': `Business number ${n} Trading LLC`,
	DBA: `Brand ${n}`,
	City: 'Springfield',
	State: 'IL',
	EIN: String(100_000_000 + n),
	'Address Line 1': `${n} Main Street`,
	'Address Line 2': 'Suite 400',
	Zip: String(10_000 + (n % 89_999)),
	Phone: '+1 555 0100 200',
	Email: `owner-${n}@business-${n}.example`,
	Domain: `business-${n}.example`,
	'SOS ID': `SOS-${n}`,
	'Principal 1 Last Name': 'Moore',
	'External ID': `row-${n}`,
});

/** Hands on rows, or IDs of records alone, and starts the watch when they are ready. */
exports.RowSource = class {
	description = described('rowSource', 'Row Source', 'Rows of a sheet', [
		{ displayName: 'Rows', name: 'rows', type: 'number', default: 1000 },
		{ displayName: 'IDs Alone', name: 'idsAlone', type: 'boolean', default: false },
	]);

	async execute() {
		const rows = this.getNodeParameter('rows', 0);
		const jsonOf = this.getNodeParameter('idsAlone', 0) ? (n) => ({ 'External ID': `inquiry-${n}` }) : rowOf;
		const items = Array.from({ length: rows }, (_, n) => ({ json: jsonOf(n), pairedItem: { item: 0 } }));
		begin();
		return [items];
	}
};

exports.rowOf = rowOf;
