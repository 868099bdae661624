import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { BusinessVerificationSellerTrigger } from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import { BusinessVerificationTrigger } from '../../nodes/BusinessVerification/BusinessVerificationTrigger.node';
import { example, exampleFiles } from '../e2e/examples';

const descriptions = [
	new BusinessVerification(),
	new BusinessVerificationTrigger(),
	new BusinessVerificationSellerTrigger(),
].map(({ description }): INodeTypeDescription => description);
descriptions.push({ ...descriptions[0], name: `${descriptions[0].name}Tool` });

describe.each(exampleFiles())('%s', (file) => {
	const { nodes } = example(file);
	test('every setting of our nodes exists and is shown beside the others', () => {
		const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-business-verification.'));
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			const description = descriptions.find(({ name }) => node.type.endsWith(`.${name}`))!;
			// n8n itself gives this one to every node that polls.
			const { pollTimes: _, ...given } = node.parameters as INodeParameters;
			// It keeps only what the description has and shows.
			const kept = NodeHelpers.getNodeParameters(
				description.properties,
				given,
				true,
				false,
				{ typeVersion: node.typeVersion },
				description,
			);
			expect(kept).toMatchObject(given);
		}
	});
});
