import { operation } from '../../kit/operation';
import { readInput, unread } from '../../kit/reading';
import { settings } from '../../kit/field';
import { businessAsks, newInquiry, newInquiryOptions } from '../../inquiry/form';
import { bodyOf, checksUnlockedBy, nothingEntered, withBrokenRules } from '../../inquiry/newInquiry';
import { remarksOn } from '../../kit/value';

export const check = operation({
	name: 'Check',
	action: 'Check inquiry data',
	description: 'Check the data of an inquiry without sending anything, and see which verifications it would unlock',
	// What cannot be read is an answer here, not a failure.
	asks: businessAsks,
	fields: { ...unread(newInquiry), options: settings('Options', newInquiryOptions) },
	run: ({ options, ...values }) => {
		const { input, problems: unreadable } = readInput(newInquiry, values);
		const body = bodyOf({ ...nothingEntered, ...input }, options);
		const problems = withBrokenRules(unreadable, body);
		return Promise.resolve({
			valid: problems.length === 0,
			problems,
			remarks: remarksOn(body),
			unlocks: checksUnlockedBy(body),
			body,
		});
	},
	exampleInput: { businessName: 'Acme Trading LLC', businessCity: 'Springfield', businessState: 'IL' },
	example: {
		valid: true,
		problems: [],
		remarks: [],
		unlocks: ['domain verification'],
		body: {
			businessName: 'Acme Trading LLC',
			businessCity: 'Springfield',
			businessState: 'IL',
			businessDomain: 'example.com',
		},
	},
});
