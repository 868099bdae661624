/**
 * The digits of an EIN, which may be written with a dash. Undefined for another number of digits, because masked EINs are
 * alike, and for one digit repeated, which stands where there is none.
 */
export const einDigits = (text: string): string | undefined =>
	/^(?!(\d)\1{8}$)\d{9}$/.exec(text.replace(/\D/g, ''))?.[0];

export const stateCode = (text: string): string | undefined => stateCodes.get(text.toLowerCase());

/** With the territories, which are valid in US addresses. */
const stateCodes = new Map(
	`AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC District of Columbia,
	FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine,
	MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada,
	NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon,
	PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia,
	WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa, GU Guam, MP Northern Mariana Islands,
	PR Puerto Rico, VI Virgin Islands`
		.toLowerCase()
		.split(/,\s+/)
		.flatMap((state) => [state.slice(0, 2), state.slice(3)].map((written) => [written, state.slice(0, 2)] as const)),
);
