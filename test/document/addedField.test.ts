/** A field that the service's document gains is said once; everything that people see of it follows. */
import type { ItemOf } from '../../nodes/BusinessVerification/document/vocabulary';
import type * as Inquiry from '../../nodes/BusinessVerification/document/inquiries';
import type * as Columns from '../../nodes/BusinessVerification/sheet/columns';
import type * as EditorLists from '../../nodes/BusinessVerification/operations/editorLists';
import type * as Operations from '../../nodes/BusinessVerification/operations';
import type * as Document from '../../scripts/document';

const house = '../../nodes/BusinessVerification';
const fax = { name: 'businessFax', kind: 'text', label: 'Fax Number' } as const;

jest.doMock(`${house}/document/inquiries`, () => {
	const actual = jest.requireActual<typeof Inquiry>(`${house}/document/inquiries`);
	return { ...actual, inquiryFields: [...actual.inquiryFields, fax] };
});

const load = <T extends object>(path: string) => jest.requireActual<T>(`${house}/${path}`);
const { resources } = load<typeof Operations>('operations');
const { planColumns } = load<typeof Columns>('sheet/columns');
const { sheetColumns: columns } = load<typeof EditorLists>('operations/editorLists');

const good = { businessName: 'Acme', businessCity: 'Springfield', businessState: 'IL' };

it.each(['create', 'check'])('in the form of %s, with its label', (name) => {
	const { property } = resources.inquiry.operations[name].fields.additionalFields;
	expect(property.options).toContainEqual({
		displayName: 'Fax Number',
		name: 'businessFax',
		type: 'string',
		default: '',
	});
});

it.each(['Fax Number', 'fax_number', 'businessFax', 'Company Fax Number'])('as the column %s of a sheet', (header) => {
	expect(planColumns([header]).mapped).toMatchObject([{ header, name: 'businessFax' }]);
});

it('among the columns that can be mapped, under its label', async () => {
	const { fields } = await columns.getImportColumns();
	expect(fields.find(({ id }) => id === 'businessFax')).toMatchObject({
		displayName: 'Fax Number',
		required: false,
		removed: false,
	});
});

it('once in the page of operations, for both that have it', () => {
	const { generated } = jest.requireActual<typeof Document>('../../scripts/document');
	expect(
		generated()['docs/operations.md'].match(/\| Additional Fields > Fax Number \| `businessFax` \|/g),
	).toHaveLength(1);
});

it('in the type of an inquiry', () => {
	// Judged by the compiler: without the field this file would not pass.
	const item: ItemOf<readonly [...typeof Inquiry.inquiryFields, typeof fax]> = { ...good, businessFax: '555 0100' };
	expect(item.businessFax).toBe('555 0100');
});
