import { z } from 'zod';
import type { Field, Help } from './field';

/** ISO texts, n8n's own dates and Luxon values, all to an ISO text in UTC. */
export function dateTime(label: string, help: Help = {}): Field<string> {
	return {
		property: { displayName: label, type: 'dateTime', default: '', required: true, ...help },
		schema: z.unknown().transform((value, context) => {
			const moment = toDate(value);
			if (moment && !Number.isNaN(moment.getTime())) return moment.toISOString();
			context.addIssue({ code: 'custom', message: 'must be a date, for example 2026-01-31T09:00:00Z' });
			return z.NEVER;
		}),
	};
}

function toDate(value: unknown): Date | undefined {
	if (value instanceof Date) return value;
	if (typeof value === 'string' || typeof value === 'number') return new Date(value);
	if (typeof value === 'object' && value !== null && 'toJSDate' in value && typeof value.toJSDate === 'function') {
		return value.toJSDate() as Date;
	}
	return undefined;
}

/** A calendar day. A date and time keeps its own day: no time zone moves a date of birth. */
export function day(label: string, help: Help = {}): Field<string> {
	return {
		property: {
			displayName: label,
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 1980-12-31',
			...help,
		},
		schema: z.unknown().transform((value, context) => {
			const iso =
				value instanceof Date ? value.toISOString() : typeof value === 'object' ? toIso(value) : String(value).trim();
			const match = /^(\d{4}-\d{2}-\d{2})(?:$|T)/.exec(iso);
			if (match && isDay(match[1])) return match[1];
			context.addIssue({ code: 'custom', message: 'must be a date written YYYY-MM-DD' });
			return z.NEVER;
		}),
	};
}

/** JavaScript takes 31 February for a day in March. */
const isDay = (text: string) => {
	const time = Date.parse(text);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

const toIso = (value: unknown) =>
	typeof value === 'object' && value !== null && 'toISO' in value && typeof value.toISO === 'function'
		? String(value.toISO())
		: '';
