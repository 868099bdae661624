import { submittedBatch, withRowNames } from '../document/answers';
import { routes } from '../document/routes';
import { at } from '../kit/operation';
import { Failure, tried } from '../kit/service';
import type { ImportInput } from './importFields';
import { type Batch, fateOf, isMadeKey, type Row } from './row';
import { numberIn } from './batches';
import { changedId, isReadWhole, type Submitted } from './submitted';

/**
 * Sends the rows that the service does not have. Invariant: no row is sent before it is clear which rows exist
 * (`unclearIn`), and no second batch before the first was read back (`confirm`).
 */

type SendingOptions = Pick<ImportInput['options'], 'chunkSize' | 'extraBody' | 'ifUncertain' | 'advanced'>;

const isPerhapsThere = (failure: Failure): boolean => ['notConfirmed', 'nameTaken'].includes(fateOf(failure));

/** Why it is unclear which rows are new: then nothing is sent, because guessing could bill rows twice. */
export function unclearIn(submitted: Submitted, chunkSize: number): Failure | undefined {
	const { batches, rest } = submitted;
	const known = [...batches.values()];
	const unclear = (message: string, advice: string, cause: Failure['details']['cause'] = 'configuration-invalid') =>
		new Failure(message, { parameter: 'name', description: `Nothing new was sent. ${advice} ${orSend}`, cause });
	const silent = known.find(({ ids }) => ids.length > 0 && ids.every((id) => id === undefined));
	if (silent !== undefined)
		return unclear(
			`The service shows no external IDs for batch '${silent.batchName}', so its rows cannot be matched`,
			"Import only the new rows, with another 'Batch Name'.",
		);
	const unread = known.find(({ ids, total }) => ids.length < total);
	if (unread !== undefined)
		return unclear(
			`Batch '${unread.batchName}' shows ${unread.ids.length} of its ${unread.total} rows`,
			'Run the import again later.',
			'temporarily-unavailable',
		);
	const changed = changedId(submitted, rest, known);
	if (changed !== undefined)
		return unclear(
			`External IDs differ from those of earlier runs: '${changed.sent}' here, '${changed.returned}' in the service`,
			changedAdvice,
		);
	const other = otherSheet(submitted, known, chunkSize);
	return other === undefined ? undefined : unclear(other, otherAdvice);
}

/** For fewer rows, a refusal costs more than what is billed. */
const leastGuarded = 20;

/**
 * Rows without external IDs are known by their data, so if a column is lost or added, all of them look new. Rows with
 * IDs have no such guard: a workflow may read only those rows that are new.
 */
function otherSheet({ rows, rowWith }: Submitted, known: readonly Batch[], chunkSize: number): string | undefined {
	const unnamed = rows.filter(({ hasOwnId }) => !hasOwnId);
	const found = unnamed.filter(({ isMissing }) => !isMissing).length;
	// Those with their IDs in the sheet are rows of it.
	const ids = known.flatMap((batch) => batch.ids).filter((id) => rowWith(id)?.hasOwnId !== true);
	const missing = unnamed.length - found;
	const isColumnLost = ids.length > 0 && unnamed.length === rows.length && !ids.some(isMadeKey) && found === 0;
	// Half a batch was submitted, or half as many rows as would be new, and hardly one of them is in the sheet.
	const isStarted = ids.length > Math.min(missing, chunkSize) / 2;
	const isFound = found >= Math.min(ids.length, unnamed.length) / 10;
	if (!isColumnLost && (missing < leastGuarded || !isStarted || isFound)) return undefined;
	return `Only ${found} of the ${unnamed.length} rows without an external ID are among the ${ids.length} rows submitted before whose IDs are not in the sheet`;
}

const orSend = "To send and bill these rows anyway, set 'If Rows Cannot Be Matched' to 'Send Them' in the options.";
const newOnly = `From now on, import only rows that were not submitted. ${orSend}`;
const otherAdvice =
	"For another sheet, use another 'Batch Name'. If each run reads new rows only, give them External IDs. If it is the same sheet, its columns or its mapping changed: change them back.";
const changedAdvice =
	"Write the external IDs as the service returns them, or use other ones with another 'Batch Name'.";

export class Sending {
	warnings: string[] = [];
	/** Why no more rows are sent. */
	private stopped?: Failure;
	private readonly before: ReadonlySet<string>;
	private number: number;

	constructor(
		readonly submitted: Submitted,
		readonly options: SendingOptions,
		/** Shared by all tries of a run. */
		readonly run: { stopped?: Failure },
	) {
		this.before = new Set(submitted.batches.keys());
		const numbers = [...submitted.listed.values()].map(
			({ batchName }) => numberIn(submitted.importName, batchName) ?? 0,
		);
		this.number = Math.max(0, ...numbers);
		this.stopped = run.stopped;
	}

	/** With `advice`, something has to be changed first. Then later tries of n8n stop, too: they would only send the next batch. */
	private stop(reason: string, advice?: string): void {
		const cause = advice === undefined ? 'temporarily-unavailable' : 'configuration-invalid';
		this.stopped ??= new Failure(reason, { description: advice, cause });
		if (advice !== undefined) this.run.stopped = this.stopped;
	}

	/**
	 * The first batch goes alone, so that two processes that start the same import notice each other, and to see that the service
	 * shows what a later run needs. The others follow side by side.
	 */
	async sendAll(rows: readonly Row[]): Promise<void> {
		const { chunkSize } = this.options;
		const chunks: Row[][] = [];
		for (let from = 0; from < rows.length; from += chunkSize) chunks.push(rows.slice(from, from + chunkSize));
		for (let tries = 1; chunks.length > 0; tries++) {
			const first = chunks.shift()!;
			await this.send(first, true);
			const [{ standing, failure }] = first;
			if (standing === 'inBatch' || isPerhapsThere(failure!)) {
				await this.confirm(first);
				break;
			}
			if (tries === 3) this.stopped ??= failure;
		}
		if (chunks.length > 0) {
			await this.submitted.service.forEach(chunks, (chunk) => this.send(chunk));
			await this.confirm();
		}
		const { stopped } = this;
		if (stopped !== undefined && rows.some(({ standing }) => standing === 'inBatch'))
			this.warnings.push(`${stopped.message}. ${stopped.details.description ?? ''}`.trim());
	}

	/** Each row is then in a batch, or has a `failure`. */
	private async send(rows: readonly Row[], isFirst = false): Promise<void> {
		const { submitted, stopped } = this;
		const { service } = submitted;
		if (stopped !== undefined) return fail(rows, new Failure(`Not sent. ${stopped.message}`, stopped.details));
		const batchName = ++this.number === 1 ? submitted.importName : `${submitted.importName} · ${this.number}`;
		const { batchItemsField } = service.settings;
		for (const row of rows) row.wasSent = true;
		const body = { ...this.options.extraBody, name: batchName, [batchItemsField]: rows.map(({ item }) => item) };
		// The settings that most often cause a refused batch, because the service's message cannot know them.
		const advice =
			"If the batch holds too many rows, lower 'Rows per Batch' in the options. " +
			`If the service expects the rows in another field than '${batchItemsField}', set 'Batch Items Field' under 'Deployment Settings' in the credential.`;
		const answer = await tried(
			service.send({
				...at(routes.submitBatch),
				body: Buffer.from(JSON.stringify(body)),
				kind: 'write',
				rows: rows.length,
				answer: submittedBatch,
				ifRefused: { 400: advice, 413: advice, 422: advice },
				ifUnknown: 'What has arrived is found by the next run, and not sent again.',
			}),
		);
		if (answer instanceof Failure) {
			const names = rows.map(({ place }) => place);
			fail(rows, new Failure(withRowNames(answer.message, batchItemsField, names), answer.details));
			if (isPerhapsThere(answer)) submitted.markSent();
			else if (fateOf(answer) === 'failed' && service.stopsOnFailure) this.stopped ??= answer;
		} else {
			const { batchId } = answer;
			const total = typeof answer.total === 'number' ? answer.total : rows.length;
			// The first one is read back. If it shows the IDs as they were sent, a full total is proof enough of the others.
			const isWhole = !isFirst && total === rows.length;
			const batch = { batchId, batchName, total, ids: isWhole ? rows.map(({ key }) => key) : [], sent: rows };
			submitted.batches.set(batchId, batch);
			submitted.markSent({ batchId, batchName, total });
			if (total > 0) for (const row of rows) row.isIn(batch);
			else fail(rows, new Failure('The service accepted no row of the batch'));
			this.checkName(answer.batchName, rows, isFirst);
		}
		submitted.rememberForAgent(rows);
	}

	/** A later run finds a batch by its name. Under that of a later one, it would find this one alone. */
	private checkName(returned: unknown, rows: readonly Row[], isFirst: boolean): void {
		const isFound = typeof returned !== 'string' || numberIn(this.submitted.importName, returned) !== undefined;
		if (isFound || this.options.ifUncertain === 'send') return;
		for (const row of rows) row.warning = 'The service renamed its batch, so a later run may bill it again.';
		this.stop(
			`The service renamed a batch to '${returned}', so a later run could not find it`,
			isFirst ? `From now on, use this name as 'Batch Name', so that its rows are matched. ${orSend}` : newOnly,
		);
	}

	/**
	 * Reads back what was sent, up to three times if not everything is shown yet. A new batch of this import that this run
	 * has not sent is another run's. Of the `first` batch, every external ID has to be returned as it was sent.
	 */
	private async confirm(first?: readonly Row[]): Promise<void> {
		const { submitted, options } = this;
		const { service } = submitted;
		// One that the service accepted without any row has nothing to show.
		const isEmpty = ({ sent }: Batch) => sent?.every(({ failure }) => failure !== undefined) === true;
		const isNew = (batch: Batch) => !this.before.has(batch.batchId) && !isEmpty(batch);
		const news = () => [...submitted.batches.values()].filter(isNew);
		const unlisted = () => news().filter(({ batchId, sent }) => sent && !submitted.listed.has(batchId));
		const isOpen = () => submitted.rows.some(({ standing }) => standing === 'notConfirmed');
		const isLate = () => unlisted().length > 0 || !news().every(isReadWhole);
		let read: Failure | void = undefined;
		const { lookUpWait } = options.advanced;
		for (const wait of lookUpWait === 0 ? [0] : [0, lookUpWait, lookUpWait]) {
			await service.pause(wait * 1000);
			read = await tried(submitted.read());
			if (!isLate() && (wait > 0 || !isOpen())) break;
		}
		for (const batch of news()) this.withoutRefused(batch);
		for (const { batchId, sent } of news())
			if (sent !== undefined) this.checkName(submitted.listed.get(batchId)?.batchName, sent, first !== undefined);
		if (news().some(({ sent }) => sent === undefined))
			this.stop('This import is already running', 'Run it again when the other run has ended.');
		this.warnings = [];
		if (read instanceof Failure)
			this.warnings.push(
				`Sent, but the list of batches could not be read afterwards (${read.message}). Check in the service that no other process sent these rows too.`,
			);
		else if (unlisted().length > 0)
			this.warnings.push(
				`The service does not list ${unlisted().length} of the batches that were sent. Do not import these rows again before it does.`,
			);
		if (first !== undefined) this.checkFirst(first, read);
	}

	private checkFirst(first: readonly Row[], read: Failure | void): void {
		const { submitted, options } = this;
		const batchId = first.find(({ standing }) => standing === 'inBatch')?.batches[0].batchId;
		if (read instanceof Failure) return this.stop(`The first batch could not be read (${read.message})`);
		if (batchId === undefined) return this.stop(first[0].failure!.message.replace('The submission', 'The first batch'));
		if (options.ifUncertain === 'send') return;
		const batch = submitted.batches.get(batchId)!;
		const { ids, total } = batch;
		const keys = new Set<string | undefined>(first.map((row) => row.key));
		const strange = ids.filter((id) => !keys.has(id));
		if (strange.length === 0 && ids.length < total)
			return this.stop(`The first batch shows ${ids.length} of its ${total} rows`);
		const shown = new Set(ids);
		const missing = first.filter(({ key }) => !shown.has(key));
		// A row that the service did not accept is not returned.
		if (strange.length === 0 || missing.length === 0) return;
		for (const row of missing)
			row.warning = 'The service does not return its external ID, so a later run may bill it again.';
		const { sent, returned } = changedId(submitted, missing, [batch]) ?? { sent: missing[0].key, returned: strange[0] };
		if (returned === undefined)
			return this.stop('The service shows no external IDs, so a later run cannot match the rows', newOnly);
		this.stop(
			`The service changes external IDs: sent '${sent}', the service returned '${returned}'`,
			`${changedAdvice} ${orSend}`,
		);
	}

	/** The service accepted only some rows of a batch: the next run sends the others. */
	private withoutRefused(batch: Batch): void {
		const { batchId, total, ids, sent = [] } = batch;
		if (total >= sent.length) return;
		const shown = new Set(ids);
		const missing = sent.filter(({ key }) => !shown.has(key));
		const isKnown = isReadWhole(batch) && missing.length + ids.length <= sent.length;
		const failure = isKnown
			? new Failure('The service did not accept this row of the batch')
			: new Failure(`The service accepted only ${total} of the ${sent.length} rows of the batch`, {
					submission: 'unknown',
				});
		for (const row of missing) row.batches = row.batches.filter((one) => one.batchId !== batchId);
		fail(
			missing.filter(({ batches }) => batches.length === 0),
			failure,
		);
	}
}

function fail(rows: readonly Row[], failure: Failure): void {
	for (const row of rows) row.failure = failure;
}
