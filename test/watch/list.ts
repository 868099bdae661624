import type { ListedRow, PageQuery, StatusSource } from '../../nodes/BusinessVerification/watch/rows';

const start = Date.UTC(2026, 0, 1);

/** A perfect service: every answer is of this moment. The list has no filters, and any order. */
export class List implements StatusSource {
	now = start;
	rows: ListedRow[] = [];
	requests: string[] = [];

	/** Batches have no date of their completion. */
	constructor(private readonly isDated: boolean) {}

	add(id: string, status = 'RUNNING', completedAt: string | null = null): ListedRow {
		const row: ListedRow = { id, status, createdAt: new Date((this.now += 1_000)).toISOString(), completedAt };
		this.rows.push(row);
		return row;
	}

	run(row: ListedRow): void {
		this.now += 1_000;
		Object.assign(row, { status: 'RUNNING', completedAt: null });
	}

	end(row: ListedRow, status = 'COMPLETED'): void {
		row.status = status;
		this.now += 1_000;
		if (this.isDated) row.completedAt = new Date(this.now).toISOString();
	}

	async page({ limit, offset }: PageQuery) {
		this.requests.push(`page ${offset}`);
		const rows = this.rows.slice(offset, offset + limit).map((row) => ({ ...row }));
		return { rows, total: this.rows.length, date: this.now };
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
