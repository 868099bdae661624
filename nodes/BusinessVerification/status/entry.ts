import { activeStatuses, endStatuses } from '../document/statuses';
import type { Known } from './memory';
import type { Row } from './source';

/** Met for the first time: ends up to the level count as told. */
export const entered = (created: number, level: number, isNew = created > level): Known => ({
	created,
	date: isNew ? 0 : level,
	told: 0,
	status: '',
	running: true,
	sure: true,
	loose: false,
	astray: 0,
	ended: 0,
	silent: false,
});

/** Within one run, a step back in the order of the lifecycle is an old copy. */
export function isForward({ status, told, running }: Known, next: string): boolean {
	const place = (name: string) => activeStatuses.findIndex((active) => active === name);
	return place(status) < 0 || place(next) < 0 || (told > 0 && !running) || place(next) > place(status);
}

export const bitOf = ({ status }: Row): number => 2 ** endStatuses.findIndex((end) => end === status);

export const textOf = (time: number): string =>
	time === 0 ? '' : new Date(time * 1_000).toISOString().replace('.000Z', 'Z');
