/** Prints what one pass over 100,000 rows costs: `npx tsx test/sheet/speed.ts` (with `--expose-gc` it also prints memory). */
import { checkSheet } from '../../nodes/BusinessVerification/sheet/check';
import type { ImportSettings } from '../../nodes/BusinessVerification/sheet/check';
import { collectHeaders, planColumns } from '../../nodes/BusinessVerification/sheet/columns';
import { finished } from './finished';

const rowCount = 100_000;

const rows = Array.from({ length: rowCount }, (_, index) => ({
	'Business Name': `Acme Trading ${index} LLC`,
	DBA: `Acme ${index}`,
	City: ' Springfield',
	State: 'IL',
	EIN: 12_345_678 + index,
	'Address Line 1': `${index} Main Street`,
	'Address Line 2': index % 3 === 0 ? 'Suite 1' : '',
	Zip: 2_139,
	Phone: '+1 555 010 0100',
	Email: `owner${index}@example.com`,
	Website: `acme${index}.example.com`,
	'SOS ID': 700_000_000 + index,
	Tags: 'priority, partner',
	'External ID': `crm-${index}`,
	'License 1 ID': '',
	Notes: 'call back',
	'Principal 1 First Name': 'Nathan',
	'Principal 1 Last Name': 'Smith',
	'Principal 1 DOB': 32_874,
}));

const settings: ImportSettings = { name: 'Speed' };
const perRow = (start: bigint) => Number(process.hrtime.bigint() - start) / 1000 / rowCount;

for (const run of [1, 2, 3]) {
	global.gc?.();
	const before = process.memoryUsage().heapUsed;
	const start = process.hrtime.bigint();
	const plan = planColumns(collectHeaders(rows));
	const planned = perRow(start);
	const report = finished(checkSheet(rows, plan, settings));
	const checked = perRow(start);
	global.gc?.();
	const kept = (process.memoryUsage().heapUsed - before) / rowCount;
	const again = process.hrtime.bigint();
	const { good } = report;
	const hash = good.hashOf(good.rows);
	console.log(
		`run ${run}: headers ${planned.toFixed(2)} + check ${(checked - planned).toFixed(2)} us a row, ` +
			`hash ${hash} ${perRow(again).toFixed(2)} us a row; kept ${kept.toFixed(0)} bytes a row; ` +
			`${good.rows.length} good rows, ${report.problems.length} problems`,
	);
}
