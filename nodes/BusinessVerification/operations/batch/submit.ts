import { choice, flag, mapper, number, text } from '../../definition/field';
import { Failure } from '../../definition/failure';
import { operation, type Outcome } from '../../definition/operation';
import type { Json, Service } from '../../definition/service';
import { newInquiryOptions } from '../../fields/inquiry';
import { sendingOptions } from '../../fields/options';
import { waitForCompletion, waitingOptions } from '../../fields/waiting';
import { checkSheet, chunkItems, type ImportSettings, type SheetReport } from '../../import/sheet';
import type { WaitingOptions } from '../inquiry/watching';
import { badRows, failedChunk, sentChunk } from './results';
import { chunkSender, recognise, type SendingOptions } from './sending';
import { type Sheet, sheetOf } from './sheet';

const importOptions = {
	...newInquiryOptions,
	...waitingOptions,
	chunkSize: number('Rows per Batch', {
		default: 250,
		min: 1,
		description: 'How many rows go into one batch. 250 is what the service allows unless your organisation has another limit.',
	}),
	dateOrder: choice(
		'Date Order',
		[
			{ name: 'Day First', value: 'dayFirst', description: '31/12/1980' },
			{ name: 'Month First', value: 'monthFirst', description: '12/31/1980' },
			{ name: 'Report Ambiguous Dates', value: 'report' },
		],
		{ default: 'report', description: 'How dates such as 03/04/1980 are read' },
	),
	ifUnknown: choice(
		'If the Outcome Is Unknown',
		[
			{ name: 'Leave It', value: 'leave', description: 'The rows fail as unknown; running the import again finds out' },
			{ name: 'Send Again', value: 'resend', description: 'After the look-up found nothing; the rows may then be billed twice' },
		],
		{ default: 'leave', description: 'What to do with a batch that was sent, got no answer, and is not in the batch list' },
	),
	lookupGrace: number('Look-Up Grace', {
		default: 30,
		min: 0,
		max: 3600,
		description: 'How many seconds to wait before a batch without an answer is looked up: the service may list it late',
	}),
	maxRows: number('Maximum Rows', {
		default: 0,
		min: 0,
		description: 'Refuse to import more rows than this in one run; 0 sets no limit',
	}),
	restoreZerosInText: flag('Restore Zeros in Text', {
		description: 'Whether ZIP codes and EINs that are text get lost leading zeros back too, as a CSV file saved by Excel needs',
	}),
};

export const submit = operation({
	name: 'Submit',
	action: 'Submit batch',
	description: 'Import the rows of a sheet as batches of inquiries, which may be billed. Running the same import again sends nothing twice.',
	endpoint: 'POST /v1/batch-inquiries/',
	fields: {
		name: text('Batch Name', {
			description: 'Each batch is called by this name, its number and a short hash of its rows. Edited rows or another mapping make a new import.',
			placeholder: 'e.g. March leads',
		}),
		columns: mapper('Columns', 'getImportColumns', {
			description: 'What the columns of the sheet mean. Headers such as "Business Name", "Tax ID" or "Principal 1 Last Name" are understood.',
		}),
		dryRun: flag('Dry Run', { description: 'Whether to only report what would be sent, without sending or billing anything' }),
		output: choice(
			'Output',
			[
				{ name: 'One Item per Batch', value: 'batch', description: 'Lighter for tens of thousands of rows' },
				{ name: 'One Item per Row', value: 'row', description: "The row with a 'verification' beside its own columns" },
			],
			{ default: 'row' },
		),
		waitForCompletion: { ...waitForCompletion, property: { ...waitForCompletion.property, description: 'Whether to go on only when the batches are done, with a result for each row' } },
		options: sendingOptions(importOptions),
	},
	runAll: async (input, rows, service) => {
		const { options } = input;
		const sheet = sheetOf(rows, input.columns, service);
		const { dateOrder } = options;
		const settings: ImportSettings = {
			name: input.name,
			chunkSize: options.chunkSize,
			licenseKeys: options.licenseKeys,
			restoreZerosInText: options.restoreZerosInText,
			...(dateOrder === undefined || dateOrder === 'report' ? {} : { dateOrder }),
		};
		const report = checkSheet(sheet.rows, sheet.plan, settings);
		if (input.dryRun) return [{ items: [0], output: dryRunReport(sheet, report) }];
		refuseTooMany(rows.length, options.maxRows ?? 0);
		if (service.stopsOnFailure) refuseBad(report, rows.length);
		tell(sheet, report, service);
		// Inside this process one run at a time holds an import.
		return await service.exclusive(`import ${input.name}`, () => send(input, sheet, settings, report, service));
	},
	example: {
		input: { name: 'March leads', columns: { mappingMode: 'autoMapInputData', value: null } },
		output: {
			'Business Name': 'Acme Trading LLC',
			City: 'Springfield',
			State: 'IL',
			verification: {
				row: 1,
				batchId: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
				batchName: 'March leads 1/40 #3f0c9a526d',
				reused: false,
			},
		},
	},
});

interface SendInput {
	output: string;
	waitForCompletion: boolean;
	options: SendingOptions & WaitingOptions;
}

async function send(input: SendInput, sheet: Sheet, settings: ImportSettings, report: SheetReport, service: Service): Promise<Outcome[]> {
	const { chunks, problems, blankRows } = report;
	const sendChunk = await chunkSender(service, chunks, input.options);
	const shape = { perRow: input.output === 'row', waits: input.waitForCompletion, waiting: input.options };
	const sent = await service.forEach(chunks, async (chunk, release) => {
		try {
			const batch = await sendChunk(chunk, () => chunkItems(sheet.rows, sheet.plan, settings, chunk) as Json[]);
			release();
			return { reused: batch.reused, outcomes: await sentChunk(service, sheet, settings, batch, shape) };
		} catch (error) {
			if (!(error instanceof Failure)) return Promise.reject(error);
			return { reused: true, outcomes: failedChunk(chunk.rows, error) };
		}
	});
	if (sent.some(({ reused }) => !reused)) await tellDoubles(service, report);
	const skipped = blankRows.map((row): Outcome => ({ items: [row - 1], output: { ...sheet.rows[row - 1], verification: { row, skipped: 'the row is blank' } } }));
	return [...badRows(problems), ...sent.flatMap(({ outcomes }) => outcomes), ...(shape.perRow ? skipped : [])];
}

function refuseTooMany(rows: number, maxRows: number): void {
	if (maxRows === 0 || rows <= maxRows) return;
	throw new Failure(`The sheet has ${rows} rows, more than the ${maxRows} allowed in one run`, {
		parameter: 'options.maxRows',
		description: "Nothing was sent. Raise 'Maximum Rows' or send fewer rows.",
	});
}

const mostListed = 100;

/** Under "Stop" nothing is sent while any row is bad, and all of them are named at once. */
function refuseBad({ problems }: SheetReport, rows: number): void {
	if (problems.length === 0) return;
	const bad = new Set(problems.map(({ row }) => row)).size;
	const listed = problems.slice(0, mostListed).map(({ row, column, reason }) => `Row ${row}: '${column}' ${reason}`);
	const more = problems.length > mostListed ? [`and ${problems.length - mostListed} more`] : [];
	throw new Failure(`${bad} of ${rows} rows cannot be imported, so nothing was sent`, {
		parameter: 'columns',
		description: [...listed, ...more, "Correct them, or set 'On Error' to 'Continue (using error output)' to send the others."].join('\n'),
	});
}

function dryRunReport({ plan }: Sheet, { chunks, problems, blankRows, changes, checks }: SheetReport): Json {
	return {
		dryRun: true,
		batches: chunks.length,
		rowsToSend: chunks.reduce((sum, chunk) => sum + chunk.rows.length, 0),
		badRows: new Set(problems.map(({ row }) => row)).size,
		problems,
		blankRows,
		mapped: plan.mapped.map(({ header, name }) => ({ column: header, field: name })),
		ignored: plan.ignored,
		ambiguous: plan.ambiguous,
		refused: plan.refused,
		changes,
		checks: checks.filter(({ rows }) => rows > 0),
	};
}

/** What the editor shows beside the output: how the columns were understood and what was changed. */
function tell({ plan }: Sheet, { changes }: SheetReport, service: Service): void {
	if (plan.ignored.length > 0) service.remark(`Columns that were not sent: ${plan.ignored.join(', ')}.`);
	for (const { target, used, unused } of plan.ambiguous) service.remark(`'${used}' was read as ${target}; ${unused.map((name) => `'${name}'`).join(', ')} was not.`);
	for (const { target, header, reason } of plan.refused) service.remark(`'${header}' was not mapped to ${target}: it ${reason}.`);
	for (const { column, change, cells, firstRow } of changes) service.remark(`'${column}': ${change} in ${cells} rows, first in row ${firstRow}.`);
}

/** Two processes that run the same import at once cannot see each other; afterwards both can. */
async function tellDoubles(service: Service, { chunks }: SheetReport): Promise<void> {
	const { doubled } = await recognise(service, chunks);
	for (const { chunk, batch } of doubled) {
		service.remark(`The service holds '${chunk.name}' twice (second: ${String(batch.batchId)}): another process ran this import at the same time.`);
	}
}
