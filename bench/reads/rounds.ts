import type { WorkflowBody } from '../../test/e2e/workflow';
import { quantile } from '../report';
import type { Figures } from '../world';
import type { Counts, ReadsWorld } from './world';

/** What one run took. */
export type Sample = Figures & { counts: Counts };

export interface Variant {
	name: string;
	/** A slow one is run for fewer, and its time grows in step with them. */
	count: number;
	run(count: number): Promise<Sample>;
	/** Slow ones need no more than one round. */
	rounds?: number;
}

export const inN8n =
	(world: ReadsWorld, make: (count: number) => WorkflowBody) =>
	async (count: number): Promise<Sample> => {
		const { figures, counts } = await world.run(make(count));
		return { ...figures, counts };
	};

/** Everything that was asked for came, once, and in its order. */
const allInOrder = ({ items, ids, inOrder }: Sample, count: number) => items === count && ids === count && inOrder;

/**
 * Runs all variants in turn, round after round, so that what else the machine does meets all alike; each round begins with
 * another one, so that what one leaves behind does not always meet the same.
 */
export class Rounds {
	readonly wrong: string[] = [];
	private readonly samples = new Map<string, Sample[]>();

	async run(variants: Variant[], rounds: number): Promise<void> {
		for (let round = 0; round < rounds; round++) {
			const first = round % variants.length;
			const turned = [...variants.slice(first), ...variants.slice(0, first)];
			for (const { name, count, run, rounds: own = rounds } of turned) {
				if (round >= own) continue;
				const sample = await run(count);
				if (!allInOrder(sample, count)) this.wrong.push(`${name}: ${JSON.stringify(sample)}`);
				this.samples.set(name, [...(this.samples.get(name) ?? []), sample]);
			}
		}
	}

	/** The median of a figure over all rounds. */
	median(name: string, figure: (sample: Sample) => number): number {
		return quantile((this.samples.get(name) ?? []).map(figure), 0.5);
	}

	/**
	 * How many times the processor time of another variant one takes: the median of the ratios within a round. On a shared
	 * machine the time for the same work differs by a third, but that meets both of a round alike.
	 */
	timesCpu(name: string, other: string): number {
		const [own, others] = [name, other].map((variant) => this.samples.get(variant) ?? []);
		return quantile(
			own.map(({ cpuMs }, round) => cpuMs / others[round].cpuMs),
			0.5,
		);
	}
}
