import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { BusinessVerification } from '../nodes/BusinessVerification/BusinessVerification.node';
import { BusinessVerificationSellerTrigger } from '../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import { BusinessVerificationTrigger } from '../nodes/BusinessVerification/BusinessVerificationTrigger.node';
import { example, exampleFiles } from './e2e/examples';

const descriptions = [
	new BusinessVerification(),
	new BusinessVerificationTrigger(),
	new BusinessVerificationSellerTrigger(),
].map(({ description }): INodeTypeDescription => description);

describe.each(exampleFiles())('%s', (file) => {
	const { nodes } = example(file);
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const others = nodes.filter((node) => !notes.includes(node));

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

	test('no note covers a node', () => {
		for (const { position, parameters } of notes) {
			const right = position[0] + Number(parameters.width);
			const bottom = position[1] + Number(parameters.height);
			const covered = others.filter(
				({ position: [x, y] }) => x + 100 > position[0] && x < right && y + 100 > position[1] && y < bottom,
			);
			expect(covered.map(({ name }) => name)).toEqual([]);
		}
	});
});
