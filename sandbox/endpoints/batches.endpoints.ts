import { randomUUID } from 'node:crypto';
import { batchAnswer, batchInquiryRow } from '../batchAnswers';
import type { Batch } from '../batches';
import { inquirySources } from '../billing';
import { createInquiry, demandPermission } from '../creation';
import { owned, type Call, type Endpoint } from '../endpoint';
import type { Inquiry } from '../inquiries';
import { pageOf, pageShape } from '../inquiryList';
import type { Organisation } from '../organisations';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import { stale } from '../stale';
import * as submission from '../submission';
import { demand, listOf, objectOf, problemsOf, required, text } from '../validation';

const batchOf = (service: Service, call: Call): Batch =>
	owned(service.batches.get(call.params.batch_id), call, 'batch');

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

export const batchEndpoints: Endpoint[] = [
	{
		method: 'GET',
		path: '/v1/batch-inquiries/',
		authentication: 'inquiry',
		query: pageShape,
		serve: (service, call) =>
			stale(service, call, () => {
				const { limit, offset } = pageOf(call.query);
				const listed = listedBatches(service, call.organisation);
				const rows = listed.slice(offset, offset + limit).map((batch) => batchAnswer(service, batch));
				return { total: listed.length, limit, offset, [service.switches.batchListField]: rows };
			}),
	},
	{
		method: 'POST',
		path: '/v1/batch-inquiries/',
		authentication: 'inquiry',
		body: 'json',
		serve: (service, { organisation, body }) => submit(service, organisation, body),
	},
	{
		method: 'GET',
		path: '/v1/batch-inquiries/{batch_id}',
		authentication: 'inquiry',
		serve: (service, call) => batchAnswer(service, batchOf(service, call)),
	},
	{
		method: 'GET',
		path: '/v1/batch-inquiries/{batch_id}/inquiries',
		authentication: 'inquiry',
		query: pageShape,
		serve: (service, call) =>
			stale(service, call, () => {
				const batch = batchOf(service, call);
				const { limit, offset } = pageOf(call.query);
				const { batchRowOrder, batchInquiryListField } = service.switches;
				const listed = service.inquiries
					.present(batch.inquiries)
					.filter(({ listedAt }) => listedAt <= service.clock.now());
				if (batchRowOrder === 'byId') listed.sort(byId);
				const rows = listed.slice(offset, offset + limit).map((inquiry) => batchInquiryRow(service, inquiry));
				return { batchId: batch.id, total: listed.length, limit, offset, [batchInquiryListField]: rows };
			}),
	},
];

/** No order is documented for this list. */
function listedBatches({ batches, switches, clock }: Service, organisation: Organisation): Batch[] {
	const listed = batches.of(organisation.id).filter(({ listedAt }) => listedAt <= clock.now());
	if (switches.batchOrder === 'byId') return listed.sort(byId);
	return switches.batchOrder === 'newest' ? listed.reverse() : listed;
}

function submit(service: Service, organisation: Organisation, body: unknown) {
	const { switches } = service;
	const items = switches.batchBodyField;
	const itemKind = submission.inquiry(switches);
	const anyItems = listOf(() => undefined);
	const skipping = switches.invalidBatchItems === 'skip';
	// "name (string, required), plus the inquiry items (each follows the create-inquiry field rules)"
	demand(body, objectOf({ name: required(text), [items]: required(skipping ? anyItems : listOf(itemKind)) }), 'body');
	const { name, [items]: given } = body as { name: string } & Record<string, submission.Submitted[]>;
	if (given.length === 0) throw new Refusal(422, [{ loc: ['body', items], text: 'must not be empty' }]);
	if (given.length > organisation.batchLimit) {
		const rule = '"250 by default; the maximum is configurable per lender"';
		const text = `holds ${given.length} inquiries, at most ${organisation.batchLimit} are taken: ${rule}`;
		throw new Refusal(422, [{ loc: ['body', items], text }]);
	}
	const accepted = given.filter((item) => problemsOf(item, itemKind, items).length === 0);
	demandPermission(service, organisation, accepted.length);
	if (switches.uniqueBatchNames && service.batches.of(organisation.id).some((batch) => batch.name === name)) {
		throw new Refusal(409, 'A batch of this name exists');
	}
	const batch = createBatch(service, organisation, name, (id) =>
		accepted.map((item) => createInquiry(service, organisation, item, id)),
	);
	const total = accepted.length;
	return { batchId: batch.id, batchName: name, total, message: `${total} inquiries queued` };
}

function createBatch(
	service: Service,
	organisation: Organisation,
	name: string,
	inquiriesOf: (batchId: string) => Inquiry[],
): Batch {
	const id = randomUUID();
	const now = service.clock.now();
	const inquiries = inquiriesOf(id);
	const listedAt = now + service.switches.batchListDelayMs;
	const batch: Batch = { id, organisationId: organisation.id, name, createdAt: now, inquiries, listedAt };
	service.batches.add(batch);
	const sources = inquiries.flatMap(({ submitted }) => inquirySources(submitted, organisation.billable));
	service.record({
		kind: 'batch',
		id,
		organisationId: organisation.id,
		key: name,
		keys: inquiries.map(({ externalId }) => externalId),
		sources: [...new Set(sources)],
		count: inquiries.length,
	});
	return batch;
}
