import type { INodeParameters, IPollFunctions } from 'n8n-workflow';
import { readParameters } from '../../nodes/BusinessVerification/engine/parameters';
import { statusTriggerFields } from '../../nodes/BusinessVerification/watch/fields';
import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';
import { strictContext } from '../harness/strictContext';

// An expression that returns nothing, where a value protects or filters: to leave it out would do the opposite.

useSandbox();

const run = (parameters: INodeParameters, items: Array<Record<string, unknown>>, asTool = false) =>
	runNode({
		parameters,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey },
		items,
		onError: 'continueErrorOutput',
		asTool,
	});

it.each<[string, string, string, unknown]>([
	['search', 'Search', '={{ $json.value }}', 'Acme'],
	['tags', 'Tags', '={{ $json.value }}', ['priority']],
	['status', 'Statuses', '={{ $json.value }}', ['COMPLETED']],
	['created_at_from', 'Created After', '={{ $json.value ?? "" }}', '2020-01-01'],
	['scorecard_score_min', 'Scorecard Score Minimum', '={{ $json.value }}', 1],
])('the filter %s fails the item for which it is blank, and no other', async (name, label, expression, value) => {
	sandbox.inquiries.seed(2);
	const { failed } = await run({ resource: 'inquiry', operation: 'getAll', filters: { [name]: expression } }, [
		{},
		{ value },
	]);
	expect(failed.map(({ json }) => json.error)).toEqual([
		{
			message: `'Filters > ${label}' is empty because its expression returned nothing`,
			kind: 'row',
			parameter: `filters.${name}`,
			itemIndex: 0,
		},
	]);
	expect(sandbox.requests).toHaveLength(1);
});

it('an empty fixed value is no filter, and neither is what a model leaves out', async () => {
	sandbox.inquiries.seed(2);
	const getAll = { resource: 'inquiry', operation: 'getAll' };
	expect((await run({ ...getAll, filters: { search: '' } }, [{}])).items).toHaveLength(2);
	const ofModel = await run({ ...getAll, filters: { search: '={{ $json.search }}' } }, [{}], true);
	expect(JSON.stringify(ofModel.items)).not.toContain('is empty');
	expect(sandbox.requests.filter(({ path }) => path === '/v1/inquiries/')).toHaveLength(2);
});

it.each([
	['create', '=crm-{{ $json.id }}{{ $json.part }}'],
	['check', '=crm-{{ $json.id }}{{ $json.part }}'],
	['create', "={{ 'crm-' + ($json.id ?? $json.part ?? ' ') }}"],
	['check', "={{ `crm-${$json.id ?? ''}${$json.part ?? ''}` }}"],
])('%s: an external ID of which nothing but its prefix is left fails its item: %s', async (operation, externalId) => {
	const create = { resource: 'inquiry', operation, businessName: 'Acme', businessCity: 'Salem' };
	const { items, failed } = await run({ ...create, businessState: 'MA', externalId }, [{ id: 7 }, {}, { part: 'b' }]);
	const made = items.map(({ json }) => (json.body ?? json) as { externalId: string });
	expect(made.map(({ externalId }) => externalId)).toEqual(['crm-7', 'crm-b']);
	expect(failed.map(({ json }) => json.error)).toMatchObject([
		{
			parameter: 'externalId',
			itemIndex: 1,
			message: "'External ID' is empty because its expression returned nothing",
		},
	]);
});

it('an external ID of which a model left nothing but the prefix fails the call, and one left out whole does not', async () => {
	const create = { resource: 'inquiry', operation: 'create', businessName: 'Acme', businessCity: 'Salem' };
	const made = (externalId: string) => run({ ...create, businessState: 'MA', externalId }, [{}], true);
	const prefixed = await made('=crm-{{ $json.id }}');
	expect(JSON.stringify(prefixed.items)).toContain("'External ID' is empty because its expression returned nothing");
	expect(sandbox.ledger.count()).toBe(0);
	await made('={{ $json.id }}');
	expect(sandbox.ledger.count('inquiry')).toBe(1);
});

it('a choice in front of another field is read without its spaces, before that field is left out', async () => {
	const category = '={{ $json.category }}';
	const { failed } = await run(license({ licensee_category: category, licensee_subcategory: 'dentist' }), [
		{ category: 'healthcare ' },
		{ category: '' },
	]);
	expect(failed.map(({ json }) => json.error)).toMatchObject([
		{ message: expect.stringMatching(/^'Healthcare Subcategory' must be one of/), itemIndex: 0 },
		{ message: "'Licensee Category' is required", itemIndex: 1 },
	]);
	expect(sandbox.ledger.count()).toBe(0);
});

const license = (changes: INodeParameters): INodeParameters => ({
	resource: 'license',
	operation: 'verify',
	seller_id: sandbox.organization.sellerId,
	licensee_name: 'Acme',
	licensee_state: 'IL',
	licensee_category: 'homeServices',
	licensee_id: 'PL-1',
	...changes,
});

it('a blank lender does not become the one of the profile', async () => {
	const { failed } = await run(license({ additionalFields: { LenderId: '={{ $json.lender }}' } }), [{}]);
	expect(failed[0].json.error).toMatchObject({ parameter: 'additionalFields.LenderId' });
	expect(sandbox.ledger.count()).toBe(0);
});

it.each([
	['licensee_category', {}],
	['licensee_subcategory', { licensee_category: 'healthcare' }],
	['licensee_id', { licensee_category: 'healthcare' }],
])('a blank %s orders no other license, and not all of them', async (name, more) => {
	const { failed } = await run(license({ ...more, [name]: '={{ $json.wanted }}' }), [{}]);
	expect(failed[0].json.error).toMatchObject({ parameter: name });
	expect(sandbox.ledger.count()).toBe(0);
});

it('a text that was only switched to an expression is that text', async () => {
	const { items, failed } = await run(
		license({
			licensee_category: 'healthcare',
			licensee_id: '=MD-{{ $json.id }}',
			licensee_subcategory: '=physicians',
		}),
		[{ id: 7 }, {}],
	);
	expect(sandbox.requests.at(-1)?.query).toMatchObject({ licensee_id: 'MD-7', licensee_subcategory: 'physicians' });
	expect(items).toHaveLength(1);
	expect(failed[0].json.error).toMatchObject({ parameter: 'licensee_id', itemIndex: 1 });
});

it('a dry run whose expression returned nothing submits nothing', async () => {
	const submit = { resource: 'batch', operation: 'submit', name: 'March', dryRun: '={{ $json.dry }}' };
	const { failed } = await run(submit, [{ 'Business Name': 'Acme', City: 'Salem', State: 'MA' }]);
	expect(failed[0].json.error).toMatchObject({ parameter: 'dryRun' });
	expect(sandbox.ledger.count()).toBe(0);
});

it('a trigger names the filter that is blank', () => {
	const parameters = { watch: 'inquiry', triggerOn: ['ended'], filters: { search: '={{ $vars.customer }}' } };
	const context = strictContext<IPollFunctions>({
		getNode: () => ({ parameters }),
		getNodeParameter: (name: string) => (name === 'filters' ? { search: undefined } : undefined),
	});
	expect(() => readParameters(context, statusTriggerFields)).toThrow(/'Filters > Search' is empty/);
});
