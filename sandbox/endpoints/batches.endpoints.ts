import { randomUUID } from 'node:crypto';
import { batchAnswer, batchInquiryRow, batchRow } from '../batchAnswers';
import type { Batch } from '../batches';
import { createInquiry } from '../creation';
import { owned, readable, type Call, type Endpoint } from '../endpoint';
import type { Inquiry } from '../inquiries';
import type { Organization } from '../organizations';
import { listAnswer, pageShape } from '../pages';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import { batchNameAs } from '../spelling';
import * as submission from '../submission';
import { demand, listOf, objectOf, problemsOf, required, text } from '../validation';

const batchOf = (service: Service, call: Call): Batch =>
	owned(readable(service, service.batches.get(call.params.batch_id)), call, 'batch');

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

export const batchEndpoints: Endpoint[] = [
	{
		method: 'GET',
		path: '/v1/batch-inquiries/',
		authentication: 'inquiry',
		query: pageShape,
		list: 'batches',
		serve: (service, call) =>
			listAnswer(service, call, {
				field: service.switches.batchListField,
				found({ offset, limit }) {
					const listed = listedBatches(service, call.organization);
					const rows = listed.slice(offset, offset + limit).map((batch) => batchRow(service, batch));
					return { total: listed.length, rows };
				},
			}),
	},
	{
		method: 'POST',
		path: '/v1/batch-inquiries/',
		authentication: 'inquiry',
		body: 'json',
		answers: 'writeAnswer',
		serve: (service, { organization, body }) => submit(service, organization, body),
	},
	{
		method: 'GET',
		path: '/v1/batch-inquiries/{batch_id}',
		authentication: 'inquiry',
		answers: 'readAnswer',
		serve: (service, call) => batchAnswer(service, batchOf(service, call)),
	},
	{
		method: 'GET',
		path: '/v1/batch-inquiries/{batch_id}/inquiries',
		authentication: 'inquiry',
		query: pageShape,
		list: 'batchInquiries',
		serve(service, call) {
			const batch = batchOf(service, call);
			return listAnswer(service, call, {
				field: service.switches.batchInquiryListField,
				more: { batchId: batch.id },
				found({ offset, limit }) {
					const listed = listedMembers(service, batch);
					const rows = listed.slice(offset, offset + limit).map((inquiry) => batchInquiryRow(service, inquiry));
					return { total: listed.length, rows };
				},
			});
		},
	},
];

function listedMembers({ inquiries, switches, clock }: Service, batch: Batch): Inquiry[] {
	const now = clock.now();
	const listed = inquiries.present(batch.inquiries).filter(({ listedAt }) => listedAt <= now);
	return switches.batchRowOrder === 'byId' ? listed.sort(byId) : listed;
}

/** No order is documented for this list. */
function listedBatches({ batches, switches, clock, listsRead }: Service, organization: Organization): Batch[] {
	const now = clock.now();
	const { listWindowMs, replicaLagMs } = switches;
	const seenUntil = listsRead % 2 === 0 ? now - replicaLagMs : now;
	const listed = batches
		.of(organization.id)
		.filter(({ listedAt }) => listedAt <= now)
		.filter(({ createdAt }) => createdAt <= seenUntil && (listWindowMs === 0 || createdAt > now - listWindowMs));
	if (switches.batchOrder === 'byId') return listed.sort(byId);
	return switches.batchOrder === 'newest' ? listed.reverse() : listed;
}

function submit(service: Service, organization: Organization, body: unknown) {
	const { switches } = service;
	const items = switches.batchBodyField;
	const itemKind = submission.inquiry(switches);
	const anyItems = listOf(() => undefined);
	const skipping = switches.invalidBatchItems === 'skip';
	// "name (string, required), plus the inquiry items (each follows the create-inquiry field rules)"
	demand(body, objectOf({ name: required(text), [items]: required(skipping ? anyItems : listOf(itemKind)) }), 'body');
	const { name, [items]: given } = body as { name: string } & Record<string, submission.Submitted[]>;
	if (given.length === 0) throw new Refusal(422, [{ loc: ['body', items], text: 'must not be empty' }]);
	if (given.length > organization.batchLimit) {
		const rule = '"250 by default; the maximum is configurable per lender"';
		const text = `holds ${given.length} inquiries, at most ${organization.batchLimit} are taken: ${rule}`;
		throw new Refusal(422, [{ loc: ['body', items], text }]);
	}
	const accepted = given.filter((item) => problemsOf(item, itemKind, items).length === 0);
	if (switches.uniqueBatchNames && service.batches.of(organization.id).some((batch) => batch.name === name)) {
		throw new Refusal(409, 'A batch of this name exists');
	}
	const taken = accepted.slice(
		0,
		{ all: undefined, allButLast: -1, allButLastUnsaid: -1, none: 0 }[switches.batchTakes],
	);
	const batch = createBatch(service, organization, name, (id) =>
		taken.map((item) => createInquiry(service, organization, item, id)),
	);
	const total = switches.batchTakes === 'allButLastUnsaid' ? accepted.length : taken.length;
	return { batchId: batch.id, batchName: batchNameAs(switches, batch), total, message: `${total} inquiries queued` };
}

function createBatch(
	service: Service,
	organization: Organization,
	name: string,
	inquiriesOf: (batchId: string) => Inquiry[],
): Batch {
	const id = randomUUID();
	const now = service.clock.now();
	const inquiries = inquiriesOf(id);
	const listedAt = now + service.switches.batchListDelayMs;
	const batch: Batch = { id, organizationId: organization.id, name, createdAt: now, inquiries, listedAt };
	service.batches.add(batch);
	service.record({
		kind: 'batch',
		id,
		organizationId: organization.id,
		key: name,
		keys: inquiries.map(({ externalId }) => externalId),
		count: inquiries.length,
	});
	return batch;
}
