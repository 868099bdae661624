import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Sandbox, Switches, SwitchName } from '../../sandbox';
import { clientLogin } from '../harness/clientLogin';
import { like, uuid } from './samples';

/** One way the service may be, and what a user then sets in the credential. */
export interface Way {
	switches?: Partial<Switches>;
	credential?: (sandbox: Sandbox) => ICredentialDataDecryptedObject;
	/** The default is a key. */
	authentication?: 'jwt' | 'oAuth2';
	/** What operations then return instead of what their rows say; undefined where it is not compared. */
	instead?: Record<string, object>;
}

const ways = <N extends SwitchName>(name: N, ...values: Array<Switches[N]>): Way[] =>
	values.map((value) => ({ switches: { [name]: value } }));

const itemsFields = (field: string): Partial<Switches> => ({
	inquiryListField: field,
	batchListField: field,
	batchInquiryListField: field,
});

const sellerPaths = (sellerStatusPath: string, sellerResultPath: string, sellerLookupMethod: 'GET' | 'POST'): Way => ({
	switches: { sellerStatusPath, sellerResultPath, sellerLookupMethod },
	credential: () => ({ sellerStatusPath, sellerResultPath, sellerLookupMethod }),
});

const noPdf = (pdfForm: 'jsonUrl' | 'json', answer: object): Way => ({
	switches: { pdfForm },
	instead: { 'inquiry.downloadPdf': { answer, fileName: undefined, mimeType: undefined } },
});

/** What the document does not show, each with the ways it may turn out. The first is what we assume. */
export const openPoints: Record<string, Way[]> = {
	authentication: [
		{ credential: ({ organization }) => ({ apiKey: organization.apiKey }) },
		{
			switches: { apiKeyHeader: 'X-API-Key', apiKeyScheme: '' },
			credential: ({ organization }) => ({
				apiKey: organization.apiKey,
				headerName: 'X-API-Key',
				headerValue: '{key}',
			}),
		},
		{
			switches: { apiKeyScheme: 'ApiKey' },
			credential: ({ organization }) => ({ apiKey: organization.apiKey, headerValue: 'ApiKey {key}' }),
		},
		{
			switches: { tenantHeader: 'X-Tenant' },
			credential: ({ organization }) => ({
				apiKey: organization.apiKey,
				extraHeaders: JSON.stringify({ 'X-Tenant': organization.id }),
			}),
		},
		{ authentication: 'jwt', credential: ({ organization }) => ({ accessToken: organization.jwt }) },
		{ authentication: 'oAuth2', credential: (sandbox) => clientLogin(sandbox) },
	],
	externalAuthentication: [
		{},
		{ switches: { externalAuth: 'none' }, credential: () => ({ externalAuthentication: 'none' }) },
		{
			switches: { externalAuth: 'header', externalHeader: 'X-Seller-Key' },
			credential: ({ organization }) => ({
				externalAuthentication: 'header',
				externalHeaderName: 'X-Seller-Key',
				externalHeaderValue: organization.externalKey,
			}),
		},
		{
			switches: { externalAuth: 'header', externalHeader: 'Authorization' },
			credential: ({ organization }) => ({
				externalAuthentication: 'header',
				externalHeaderName: 'Authorization',
				externalHeaderValue: organization.externalKey,
			}),
		},
	],
	listItemsField: [
		{},
		{ switches: itemsFields('results') },
		{ switches: itemsFields('records') },
		{ switches: itemsFields('page'), credential: () => ({ listItemsField: 'page' }) },
	],
	batchItemsField: [{}, { switches: { batchBodyField: 'items' }, credential: () => ({ batchItemsField: 'items' }) }],
	sellerLookups: [
		sellerPaths(
			'/external/api/v1/seller-detailed/{request_id}/status',
			'/external/api/v1/seller-detailed/{request_id}',
			'GET',
		),
		sellerPaths('/external/api/v1/seller-status/{request_id}', '/external/api/v1/seller-result/{request_id}', 'POST'),
		sellerPaths(
			'/external/api/v1/seller-detailed/status?request_id={request_id}',
			'/external/api/v1/seller-detailed/result?request_id={request_id}',
			'GET',
		),
	],
	licenseRequest: [{}, { switches: { licenseRequest: 'body' }, credential: () => ({ licenseRequest: 'body' }) }],
	licenseSubcategoryName: [
		{},
		{
			switches: { licenseSubcategoryName: 'license_subcategory' },
			credential: () => ({ licenseSubcategoryName: 'license_subcategory' }),
		},
	],

	pdfForm: [
		...ways('pdfForm', 'bytes', 'base64Text', 'jsonString', 'jsonContent'),
		noPdf('jsonUrl', { url: like(/\/files\/.*\.pdf$/) }),
		noPdf('json', { message: 'The report is being generated' }),
	],
	timestampForm: ways('timestampForm', 'milliseconds', 'microseconds', 'seconds'),
	termsResponse: ways('termsResponse', 'message', 'profile', 'empty'),

	listRows: ways('listRows', 'full', 'summary'),
	listRowsCompletedAt: ways('listRowsCompletedAt', true, false),
	listRowsExternalId: ways('listRowsExternalId', true, false),
	batchRowsId: [
		...ways('batchRowsId', 'id', 'inquiryId', 'both'),
		{ switches: { batchRowsId: 'none' }, instead: { 'batch.getInquiries': { id: undefined } } },
	],
	batchRowsExternalId: ways('batchRowsExternalId', true, false),
	echoBusinessName: ways('echoBusinessName', false, true),

	businessesBeforeClustering: ways('businessesBeforeClustering', 'null', 'empty', 'absent'),

	sortTies: ways('sortTies', 'stable', 'alternating'),
	inquiryListDelayMs: ways('inquiryListDelayMs', 0, 60_000),
	batchListDelayMs: ways('batchListDelayMs', 0, 60_000),
	batchOrder: ways('batchOrder', 'newest', 'oldest', 'byId'),
	batchRowOrder: ways('batchRowOrder', 'submitted', 'byId'),

	progressScale: ways('progressScale', 'percent', 'fraction'),

	sellerCompleteAtOnce: [
		...ways('sellerCompleteAtOnce', false),
		{
			switches: { sellerCompleteAtOnce: true },
			instead: { 'sellerSearch.submit': { status: 'complete' } },
		},
	],
	reportRequestId: [
		...ways('reportRequestId', true),
		{ switches: { reportRequestId: false }, instead: { 'sellerSearch.getResult': { request_id: undefined } } },
	],
	reportSellerId: [
		...ways('reportSellerId', 'top'),
		{
			switches: { reportSellerId: 'nested' },
			instead: { 'sellerSearch.getResult': { seller_id: undefined, seller: { seller_id: uuid } } },
		},
	],
};
