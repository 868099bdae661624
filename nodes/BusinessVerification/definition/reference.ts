import { isSafeObjectProperty } from 'n8n-workflow';

/**
 * `{{ $json.City }}`, `{{ $json["Postal Code"] }}`, `{{ $json.address.city }}`: what nearly every expression is. n8n needs
 * half a millisecond to evaluate one; read from the item it costs nothing, and comes to the same.
 */
const reference = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\["[^"\\{}\r\n]+"\]|\['[^'\\{}\r\n]+'\])+)\s*\}\}$/;
const step = /\.([A-Za-z_]\w*)|\["([^"]+)"\]|\['([^']+)'\]/g;

/** Only n8n can say what the value is. */
export const unclear = Symbol('unclear');

export const isExpression = (saved: unknown): saved is string => typeof saved === 'string' && saved.startsWith('=');

/** The names that lead to the value; nothing where the expression is more than a reference. */
export function referenceIn(saved: unknown): string[] | undefined {
	const [, steps] = (typeof saved === 'string' && reference.exec(saved)) || [];
	return steps === undefined ? undefined : [...steps.matchAll(step)].map(([, ...names]) => names.find(Boolean)!);
}

/** A saved value, its references filled in from an item; `unclear` where it holds another expression or an unusual value. */
export function filledIn(saved: unknown, json: unknown): unknown {
	if (isExpression(saved)) {
		const names = referenceIn(saved);
		return names === undefined ? unclear : valueAt(names, json);
	}
	if (typeof saved !== 'object' || saved === null) return saved;
	const parts = Object.entries(saved).map(([name, part]): [string, unknown] => [name, filledIn(part, json)]);
	if (parts.some(([, part]) => part === unclear)) return unclear;
	return Array.isArray(saved) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

function valueAt(names: readonly string[], json: unknown): unknown {
	let value = json;
	for (const [place, name] of names.entries()) {
		if (!isPlainObject(value) || !isPlainName(name)) return unclear;
		if (!Object.hasOwn(value, name)) return place === names.length - 1 ? undefined : unclear;
		value = value[name];
	}
	return isPlain(value) ? value : unclear;
}

/** What JSON can say. Dates, and all that has a class, are n8n's to convert. */
function isPlain(value: unknown): boolean {
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
	if (Array.isArray(value)) return Array.from(value).every(isPlain);
	return isPlainObject(value) && Object.entries(value).every(([name, part]) => isPlainName(name) && isPlain(part));
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** n8n refuses names that lead to a constructor, and has a use of its own for those with two underscores. */
const isPlainName = (name: string) =>
	isSafeObjectProperty(name) &&
	!(name in Object.prototype) &&
	!name.startsWith('__') &&
	!name.startsWith('constructor');
