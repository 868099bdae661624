import type { Chunk } from '../../import/chunks';
import type { Written } from './posting';

/** About as many as are under way. */
const mostAhead = 8;

/** The batches of a run in their order. While some are under way the next ones are written, for the service lets one wait. */
export class WrittenAhead {
	private readonly written: Written[] = [];
	private next = 0;

	constructor(
		private readonly chunks: readonly Chunk[],
		private readonly writeOne: (chunk: Chunk) => Written,
	) {}

	take(): Written {
		return this.written.shift() ?? this.writeOne(this.chunks[this.next++]);
	}

	*write(): Generator<void> {
		while (this.written.length < mostAhead && this.next < this.chunks.length) {
			this.written.push(this.writeOne(this.chunks[this.next++]));
			yield;
		}
	}
}
