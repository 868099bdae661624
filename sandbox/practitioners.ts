/** The "national provider identifier database", as far as license verification needs it. */

export interface PractitionerLicense {
	licenseId: string;
	subcategory: string;
}

/** "Allowed healthcare subcategory values" */
export const subcategories = [
	'physicians',
	'counseling_psychology_therapy',
	'chiropractic',
	'dentistry',
	'dietary_nutrition',
	'optometry',
	'podiatry',
	'pt_ot',
	'speech_language_hearing',
	'diagnostic_imaging',
	'lactation',
	'acupuncture',
] as const;

const everyone: PractitionerLicense[] = [
	{ licenseId: 'MD-1001', subcategory: 'physicians' },
	{ licenseId: 'AC-2002', subcategory: 'acupuncture' },
];

export class Practitioners {
	private readonly byName = new Map<string, PractitionerLicense[]>();

	/** What the closest match of this name holds; an empty list for nobody. */
	set(name: string, licenses: PractitionerLicense[]): void {
		this.byName.set(name, licenses);
	}

	licensesOf(name: string): PractitionerLicense[] {
		return this.byName.get(name) ?? everyone;
	}

	clear(): void {
		this.byName.clear();
	}
}
