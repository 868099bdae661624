/** The "national provider identifier database", as far as license verification needs it. */

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

/** Of the licenses that everyone holds. */
export const held: ReadonlyArray<(typeof subcategories)[number]> = ['physicians', 'acupuncture'];
