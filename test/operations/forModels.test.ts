import { toolOf } from '../agents/toolList';

// Each argument costs a model words and may be guessed wrong: these are all that it is asked for, in this order.

const newInquiry = [
	...['businessName', 'businessCity', 'businessState', 'businessDba', 'businessEin', 'businessAddressLine1'],
	...['businessZip', 'businessPhone', 'businessEmail', 'businessDomain', 'principalsJson', 'licensesJson'],
];

it.each<[operation: string, asked: string[]]>([
	['batch.get', ['batchId', 'part']],
	['batch.getAll', ['page']],
	['batch.getInquiries', ['batchId', 'page']],
	['batch.submit', ['name', 'rowsJson']],
	['batch.wait', ['batchId']],
	['inquiry.addFiling', ['inquiryId', 'sosId', 'sosState']],
	['inquiry.addLicense', ['inquiryId', 'licenseName', 'licenseId', 'licenseState', 'licenseCategory']],
	['inquiry.addPrincipal', ['inquiryId', 'lastName', 'firstName', 'dob', 'email']],
	['inquiry.check', newInquiry],
	['inquiry.create', newInquiry],
	['inquiry.downloadPdf', ['inquiryId']],
	['inquiry.get', ['inquiryId', 'detail', 'part']],
	['inquiry.getAll', ['page', 'search', 'status', 'created_at_from', 'created_at_to']],
	['inquiry.retryFailed', ['inquiryId']],
	['inquiry.retryProcess', ['inquiryId', 'taskId']],
	['inquiry.wait', ['inquiryId']],
	['license.verify', ['seller_id', 'licensee_name', 'licensee_state', 'licensee_category', 'licensee_id']],
	['sellerSearch.getResult', ['requestId', 'part']],
	['sellerSearch.getStatus', ['requestId']],
	['sellerSearch.submit', ['name', 'address_line_1', 'city', 'state', 'zip5', 'ref']],
	['user.getProfile', []],
])('%s asks a model for %j', (name, asked) => {
	const [resource, operation] = name.split('.');
	expect(Object.keys(toolOf(resource, operation).schema.shape)).toEqual(asked);
});
