/** What probably is a slip of the pen. The service decides, so it is said and never refused. Holds no value of the business. */
export function remarksOn({ businessEin, businessState }: Record<string, unknown>): string[] {
	const remarks: string[] = [];
	if (typeof businessEin === 'string' && !/^\d{2}-?\d{7}$/.test(businessEin))
		remarks.push("'EIN' does not have nine digits, as in 12-3456789. The service decides what it makes of it.");
	if (typeof businessState === 'string' && !states.has(businessState.toLowerCase()))
		remarks.push(
			"'State' is no state of the United States, as in IL or Illinois. The service decides what it makes of it.",
		);
	return remarks;
}

/** As an address has them, with the territories. */
const states = new Set(
	`AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC District of Columbia,
	FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine,
	MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada,
	NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon,
	PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia,
	WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa, GU Guam, MP Northern Mariana Islands,
	PR Puerto Rico, VI Virgin Islands`
		.toLowerCase()
		.split(/,\s+/)
		.flatMap((state) => [state.slice(0, 2), state.slice(3)]),
);
