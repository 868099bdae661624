/** What each panel marks as long as nothing is filled in; in the editor itself `npm run e2e -- browser` looks at it. */
import { type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { cases } from './cases';

const { description } = new BusinessVerification();
const node = { typeVersion: 1 };
const isBlank = ({ default: initial }: INodeProperties) =>
	initial === '' || (Object(initial) as { value?: unknown }).value === '';

it.each(cases)('%s', (name, { marks }) => {
	const [resource, operation] = name.split('.');
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		{ resource, operation },
		...([true, false, node, description] as const),
	)!;
	const marked = description.properties.filter(
		(property) =>
			property.required === true &&
			isBlank(property) &&
			NodeHelpers.displayParameter(values, property, node, description),
	);
	expect(marked.map(({ displayName }) => displayName)).toEqual(marks);
});
