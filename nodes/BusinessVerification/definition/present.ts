import type { Json } from './service';

/** What was left blank is absent on the wire. */
export const present = (fields: Json): Json =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
