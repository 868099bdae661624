/** The document's closed list. */
export const subcategories = [
	{ name: 'Acupuncture', value: 'acupuncture' },
	{ name: 'Chiropractic', value: 'chiropractic' },
	{ name: 'Counseling, Psychology, Therapy', value: 'counseling_psychology_therapy' },
	{ name: 'Dentistry', value: 'dentistry' },
	{ name: 'Diagnostic Imaging', value: 'diagnostic_imaging' },
	{ name: 'Dietary, Nutrition', value: 'dietary_nutrition' },
	{ name: 'Lactation', value: 'lactation' },
	{ name: 'Optometry', value: 'optometry' },
	{ name: 'Physical and Occupational Therapy', value: 'pt_ot' },
	{ name: 'Physicians', value: 'physicians' },
	{ name: 'Podiatry', value: 'podiatry' },
	{ name: 'Speech, Language, Hearing', value: 'speech_language_hearing' },
] as const;
