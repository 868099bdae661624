type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** n8n keeps execution data as one list in which every string inside an object or list is the position of its value. */
export function decodeFlatted(text: string): unknown {
	const values = JSON.parse(text) as Json[];
	const known = new Map<number, unknown>();
	const valueAt = (position: number): unknown => {
		const value = values[position];
		if (value === null || typeof value !== 'object') return value;
		if (known.has(position)) return known.get(position);
		const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		// Known before it is filled: it may contain itself.
		known.set(position, copy);
		for (const [key, entry] of Object.entries(value)) {
			(copy as Record<string, unknown>)[key] = typeof entry === 'string' ? valueAt(Number(entry)) : entry;
		}
		return copy;
	};
	return valueAt(0);
}
