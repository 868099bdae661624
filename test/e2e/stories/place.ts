import assert from 'node:assert/strict';
import axios from 'axios';
import type { Client, Credential, Execution } from '../client';
import { example, exampleFiles, ready } from '../examples';
import type { N8n } from '../n8n';
import type { Sandbox } from '../suite';
import type { WorkflowBody } from '../workflow';

/** An n8n with every example in it, each ready to be clicked, and the service that they use. */
export interface Place {
	api: Client;
	n8n: Pick<N8n, 'url' | 'folder'>;
	sandbox: Sandbox;
	credentials: Credential[];
	/** Of the workflow that was made from each file. */
	ids: Record<string, string>;
}

/** Examples that are there already may hold somebody's changes and stay as they are. */
export async function loadExamples(
	place: Omit<Place, 'ids' | 'credentials'>,
	credentials: Credential[],
): Promise<Place> {
	const { api } = place;
	const there = await api.workflows();
	const ids: Record<string, string> = {};
	for (const file of exampleFiles()) {
		const { nodes, ...workflow } = example(file);
		const known = there.find(({ name }) => name === workflow.name);
		const made = () => api.createWorkflow({ ...workflow, nodes: nodes.map((node) => ready(node, credentials)) });
		ids[file] = known?.id ?? (await made()).id;
	}
	return { ...place, credentials, ids };
}

/** The trigger that the editor's main button starts: the first one. */
export const mainTrigger = ({ nodes }: Pick<WorkflowBody, 'nodes'>): string =>
	nodes.find(({ type }) => /Trigger$|\.webhook$/i.test(type))!.name;

/** One click on the main button; gives the execution. */
export async function click({ api, ids }: Place, file: string): Promise<string> {
	return api.startRun(ids[file], mainTrigger(await api.workflow(ids[file])));
}

/** A call of the CRM to the published seller example, which has no sample: it would bill a search. */
export const postSeller = ({ n8n }: Pick<Place, 'n8n'>) =>
	axios.post(
		`${n8n.url}/webhook/crm-seller-record-changed`,
		{
			id: 'crm-7',
			company: 'Acme Plumbing LLC',
			address: '1 Main Street',
			city: 'Springfield',
			state: 'IL',
			zip: '62701',
		},
		{ proxy: false },
	);

/** One click, and the run to its end. */
export async function played(place: Place, file: string): Promise<Execution> {
	return ended(place, await click(place, file));
}

export async function ended({ api }: Place, executionId: string): Promise<Execution> {
	const execution = await api.ended(executionId);
	assert.equal(execution.error && `${execution.error.message} ${execution.error.description ?? ''}`, undefined);
	return execution;
}

/** The page that an execution shows a person as soon as it waits for one. */
export async function page({ api, n8n }: Place, id: string): Promise<string> {
	await api.until('the page', async () => {
		const { status, error } = await api.execution(id);
		assert.equal(error?.message, undefined);
		return status === 'waiting';
	});
	const { resumeToken } = (await api.savedExecution(id)).data as { resumeToken?: string };
	return `${n8n.url}/form-waiting/${id}${resumeToken ? `?signature=${resumeToken}` : ''}`;
}
