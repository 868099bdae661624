import { operation } from '../../kit/operation';
import { without } from '../../kit/objects';
import { readInput } from '../../kit/reading';
import { type Field, type Fields } from '../../kit/field';
import { settings } from '../../kit/collections';
import { businessAsks, newInquiry } from '../../inquiry/inquiryForm';
import { extraBody } from '../../fields/shared';
import { bodyOf, remarksOn, withBrokenRules } from '../../inquiry/newInquiry';

const completeBusiness = {
	businessName: 'Acme Trading LLC',
	businessCity: 'Springfield',
	businessState: 'IL',
};

export const check = operation({
	name: 'Check',
	action: 'Check inquiry data',
	description: 'See whether the data of a business are complete. Nothing is submitted.',
	forModels:
		'Tells whether data are complete enough to submit (readyToSubmit). Sends nothing, says nothing about the business, is no verdict.',
	asks: businessAsks,
	fields: { ...unread(newInquiry), options: settings('Options', { extraBody }) },
	run: ({ options, ...values }, service) => {
		const { input, problems: unreadable } = readInput(newInquiry, values);
		const body = bodyOf(input, options.extraBody, service.settings.licenseKeys);
		const problems = withBrokenRules(unreadable, body);
		const readyToSubmit = problems.length === 0;
		service.advise(
			'This checked the form only and says nothing about the business.',
			readyToSubmit
				? "'Create inquiry to verify business' submits it, which costs money."
				: 'Correct what problems names, then check again.',
		);
		return Promise.resolve({ readyToSubmit, problems, remarks: remarksOn(body), body });
	},
	exampleInput: completeBusiness,
	example: {
		readyToSubmit: true,
		problems: [],
		remarks: [],
		body: completeBusiness,
	},
});

/**
 * The fields with their values unread, because a value that cannot be read is part of the output here and does not fail
 * the item. None is required, because n8n does not run a node in which a required field is blank.
 */
function unread<F extends Fields>(fields: F) {
	const all = {} as { [K in keyof F]: Field<unknown> };
	for (const name of Object.keys(fields) as Array<keyof F>)
		all[name] = { ...fields[name], property: without(fields[name].property, 'required'), read: (value) => value };
	return all;
}
