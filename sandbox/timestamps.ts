import type { Switches } from './switches';

/** "Every timestamp is an ISO 8601 date-time string": three spellings that keep to it, and one whose zone must be guessed. */
export function timestamp(ms: number, form: Switches['timestampForm']): string {
	const iso = new Date(ms).toISOString();
	if (form === 'milliseconds') return iso;
	if (form === 'noZone') return iso.replace('Z', '');
	return form === 'seconds' ? iso.replace(/\.\d+/, '') : iso.replace('Z', '000+00:00');
}

export const timestampOrNull = (ms: number | null, form: Switches['timestampForm']) =>
	ms === null ? null : timestamp(ms, form);
