/** The kinds of fields, and the type of a value of each kind after it is read. */
export interface Values {
	text: string;
	/** Five digits, or nine with the extension. */
	zip: string;
	/** Five digits and no more. */
	zip5: string;
	zip4: string;
	ein: string;
	/** A calendar day, YYYY-MM-DD. */
	date: string;
	/** A moment, ISO 8601. */
	time: string;
	/** A host name, without scheme and path. */
	domain: string;
	number: number;
	integer: number;
	boolean: boolean;
	tags: string[];
	principals: Item[];
	licenses: Item[];
}

export type Kind = keyof Values;

/** An object in a request or an answer, such as a principal or a row of a list. */
export type Item = Record<string, unknown>;

export interface DocumentField {
	/** Name in the API documentation, and of the parameter. */
	readonly name: string;
	readonly kind: Kind;
	/** The label in the form and in messages, which also matches as a header of a sheet. */
	readonly label: string;
	readonly required?: true;
}

export type ItemOf<L extends readonly DocumentField[]> = {
	-readonly [F in L[number] as F['name']]?: Values[F['kind']];
};

export const requiredOf = (fields: readonly DocumentField[]): string[] =>
	fields.filter(({ required }) => required).map(({ name }) => name);

/** The API documentation has `license_name` in a create request, but `licenseName` in "add license". */
export const snakeCased = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const isObject = (value: unknown): value is Item =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Many more parts than are shown of an answer, or looked at. */
export const partsRead = 1_000;

/** The first parts. To look up all of 50,000 would take longer than making them of JSON. */
export const entriesIn = (record: Item): Array<[name: string, value: unknown]> =>
	Object.keys(record)
		.slice(0, partsRead)
		.map((name) => [name, record[name]]);

/** Maximum rows of a page of any list. */
export const largestPage = 500;
/** Maximum inquiries in one batch request, unless the lender has another limit. */
export const batchRows = 250;
/** Recommended seconds between checks of an unfinished record. */
export const pollingSeconds = 30;

/** Whether a time of an answer says its zone. A day alone needs none. */
export const hasZone = (time: string): boolean => /(z|gmt|[+-]\d\d:?\d\d)$/i.test(time) || !time.includes(':');

/** Milliseconds since 1970. A time without a zone is read as UTC, wherever n8n runs, and sent without a zone. */
export const momentOf = (time: string): number => Date.parse(hasZone(time) ? time : `${time}Z`);

export const timeText = (ms: number, isZoneless = false): string =>
	new Date(ms).toISOString().slice(0, isZoneless ? -1 : undefined);
