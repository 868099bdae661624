import { operation } from '../../definition/operation';
import { newInquiry, newInquiryOptions } from '../../fields/inquiry';
import { collection } from '../../definition/groups';
import { checksUnlockedBy } from '../../import/checks';
import { bodyOf, brokenRules } from './newInquiry';

export const check = operation({
	name: 'Check',
	action: 'Check inquiry data',
	description: 'Check the data of an inquiry without sending anything, and see which verifications it would unlock',
	fields: { ...newInquiry, options: collection('Options', newInquiryOptions, 'Add Option') },
	run: (input) => {
		const body = bodyOf(input, input.options);
		const problems = brokenRules(body);
		return Promise.resolve({ valid: problems.length === 0, problems, unlocks: checksUnlockedBy(body), body });
	},
	example: {
		input: { businessName: 'Acme Trading LLC', businessCity: 'Springfield', businessState: 'IL' },
		output: {
			valid: true,
			problems: [],
			unlocks: ['domain verification'],
			body: {
				businessName: 'Acme Trading LLC',
				businessCity: 'Springfield',
				businessState: 'IL',
				businessDomain: 'example.com',
			},
		},
	},
});
