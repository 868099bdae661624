import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planColumns } from '../../nodes/BusinessVerification/sheet/columns';

// The table of headers on the page of imports: each is read as the page says.

const page = readFileSync(join(__dirname, '../../docs/import.md'), 'utf8');
const [, table] = /\| Field \| Headers[^\n]*\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page)!;
const rows = table
	.trim()
	.split('\n')
	.map((row) => row.split(' | '))
	.map(([field, headers]) => ({
		field: field.replace(/^\| |\*\*/g, ''),
		headers: headers.replace(/ \|$/, '').split(', '),
	}));

it.each(rows)('$field: $headers', ({ field, headers }) => {
	expect(headers.length).toBeGreaterThan(0);
	// A person and a license are several columns that belong together.
	const plans = /^(a person|a license)/.test(field) ? [planColumns(headers)] : headers.map((one) => planColumns([one]));
	const read = plans.flatMap(({ mapped }) => mapped).map(({ label, header }) => [header, label]);
	if (field === 'not recognized') expect(read).toEqual([]);
	else if (field.startsWith('a ')) expect(read.map(([header]) => header)).toEqual(headers);
	else expect(read).toEqual(headers.map((header) => [header, field]));
});
