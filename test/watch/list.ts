import type { ListedRow, PageQuery, StatusSource } from '../../nodes/BusinessVerification/watch/rows';

const start = Date.UTC(2026, 0, 1);

/** A perfect service: every answer is of this moment. A list of batches has no filters, and any order. */
export class List implements StatusSource {
	now = start;
	rows: ListedRow[] = [];
	requests: string[] = [];

	/** Batches have no date of their completion, and only inquiries show when they started. */
	constructor(
		private readonly isDated: boolean,
		private readonly isStarted = false,
	) {}

	add(id: string, status = 'RUNNING', completedAt: string | null = null): ListedRow {
		const row: ListedRow = { id, status, createdAt: new Date((this.now += 1_000)).toISOString(), completedAt };
		this.rows.push(row);
		return row;
	}

	run(row: ListedRow): void {
		this.now += 1_000;
		const startedAt = this.isStarted ? new Date(this.now).toISOString() : undefined;
		Object.assign(row, { status: 'RUNNING', completedAt: null, startedAt });
	}

	end(row: ListedRow, status = 'COMPLETED'): void {
		row.status = status;
		this.now += 1_000;
		if (this.isDated) row.completedAt = new Date(this.now).toISOString();
	}

	async page({ limit, offset, status, created_at_from = '0', created_at_to = '9', sort_order }: PageQuery) {
		this.requests.push(`page ${offset}`);
		const isIn = ({ createdAt }: ListedRow) => createdAt! >= created_at_from && createdAt! <= created_at_to;
		const rows = this.rows.filter((row) => isIn(row) && (!status || status.split(',').includes(row.status)));
		const sign = sort_order === 'desc' ? -1 : 1;
		if (sort_order) rows.sort((a, b) => sign * a.createdAt!.localeCompare(b.createdAt!));
		const page = rows.slice(offset, offset + limit).map((row) => ({ ...row }));
		return { rows: page, total: rows.length, date: this.now };
	}

	async read(id: string): Promise<ListedRow | 'gone'> {
		this.requests.push(`read ${id}`);
		const row = this.rows.find((one) => one.id === id);
		return row ? { ...row } : 'gone';
	}

	hostTime() {
		return this.now;
	}

	remainingMs() {
		return 36_000;
	}
}
