import { type Input, type Json, present, type Problem, refuse } from '../../definition';
import { inquiryFields, principalFields, snakeCased } from '../../document';
import type { NewInquiry, newInquiryOptions } from '../../fields/inquiryForm';
import { validateInquiry } from '../../import/validation';

type BodyOptions = Input<typeof newInquiryOptions>;

type Entered = Partial<NewInquiry> & Pick<NewInquiry, keyof typeof nothingEntered>;

/** A form before anything is filled in, as far as it is not blank by itself. */
export const nothingEntered = { additionalFields: {}, principals: [], licenses: [] };

/** The body of a new inquiry. Blank fields are absent from it, never empty. */
export function bodyOf(input: Entered, { licenseKeys, extraBody }: BodyOptions): Json {
	const { businessName, businessDba, businessCity, businessState, externalId, additionalFields, principals, licenses } =
		input;
	const { principalsJson = [], licensesJson = [], tags = [], ...details } = additionalFields;
	const ownLicenses = licenses.map((license) => present(licenseKeys === 'camelCase' ? license : printed(license)));
	return present({
		businessName,
		businessDba,
		businessCity,
		businessState,
		externalId,
		...details,
		tags: orAbsent(tags),
		principals: orAbsent([...principals.map(touched), ...principalsJson]),
		licenses: orAbsent([...ownLicenses, ...licensesJson]),
		...extraBody,
	});
}

/** In a row n8n hands on a switch that nobody touched as false; the service's own default says the same. */
const touched = ({ searchNpi, ...principal }: NewInquiry['principals'][number]): Json =>
	present({ ...principal, searchNpi: searchNpi || undefined });

const orAbsent = (list: unknown[]) => (list.length > 0 ? list : undefined);

const printed = (license: Json): Json =>
	Object.fromEntries(Object.entries(license).map(([key, value]) => [snakeCased(key), value]));

/** The document's create rules that the body breaks, in the words of the form. */
const brokenRules = (body: Json): Problem[] =>
	validateInquiry(body).map(({ path, reason }) => ({ path, reason: `'${labelOf(path)}' ${reason}` }));

function labelOf([field, place, key]: Problem['path']): string {
	const label = inquiryFields.find(({ name }) => name === field)?.label ?? String(field);
	return [label, ...(place === undefined ? [] : [Number(place) + 1]), entryLabel(key)].filter(Boolean).join(' > ');
}

/** Licenses keep the document's spelling, which is the one that JSON needs. */
const entryLabel = (key: string | number = '') => principalFields.find(({ name }) => name === key)?.label ?? key;

/** What cannot be read is not reported a second time as missing. */
export function withBrokenRules(unreadable: readonly Problem[], body: Json): Array<{ field: string; reason: string }> {
	const isTold = ({ path: [field] }: Problem) => unreadable.some(({ path: [name] }) => field === name);
	const broken = brokenRules(body).filter((rule) => !isTold(rule));
	return [...unreadable, ...broken].map(({ path, reason }) => ({ field: written(path), reason }));
}

/** `principals[0].lastName` */
const written = ([first, ...rest]: Problem['path']): string =>
	rest.reduce<string>(
		(path, part) => (typeof part === 'number' ? `${path}[${part}]` : `${path}.${part}`),
		String(first),
	);

export const refuseBroken = (body: Json): void => refuse(brokenRules(body), written);
