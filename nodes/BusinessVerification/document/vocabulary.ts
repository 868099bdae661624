/** What the value of a field is, and how it stands in the code once it is read. */
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
	number: number;
	integer: number;
	boolean: boolean;
	tags: string[];
	principals: Item[];
	licenses: Item[];
}

export type Kind = keyof Values;

/** A principal or a license inside a request. */
export type Item = Record<string, unknown>;

export interface DocumentField {
	/** The document's own name of the field, which is also the parameter's. */
	readonly name: string;
	readonly kind: Kind;
	/** The same everywhere: in the form, in messages, and as a header of a sheet. */
	readonly label: string;
	readonly required?: true;
	/** The verification it switches on; where several fields name the same, all of them together. */
	readonly unlocks?: string;
}

/** What holds the fields of a list, each of them or none. */
export type ItemOf<L extends readonly DocumentField[]> = {
	-readonly [F in L[number] as F['name']]?: Values[F['kind']];
};

/** A date is text as well, but of one form. */
export const isText = (kind: Kind): boolean => ['text', 'zip', 'zip5', 'zip4', 'ein'].includes(kind);

export const requiredOf = (fields: readonly DocumentField[]): string[] =>
	fields.filter(({ required }) => required).map(({ name }) => name);

/** The document's other spelling: `license_name` in a create request is `licenseName` in an add request. */
export const snakeCased = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document's figures. */

/** Rows a page of any list may hold at most. */
export const largestPage = 500;
/** Inquiries in one batch request, unless the lender has another limit. */
export const batchRows = 250;
/** Seconds between two looks at something under way. */
export const pollingSeconds = 30;
