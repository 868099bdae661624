/** What tests of every operation make of the contract's rows, so that no sample is said twice. */
import type { INodeParameters } from 'n8n-workflow';
import { resources } from '../../nodes/BusinessVerification/operations';
import { type Row, type Wire } from './call';

import { filled, type World } from './fixture';
import { rows } from './rows';

export type Case = [operation: string, row: Row];
export const cases: Case[] = Object.entries(rows);

/** All that costs money or changes something, and agents may be offered or not. */
export const writes = cases.filter(([, { submits }]) => submits !== undefined);
export const reads = cases.filter(([, { submits }]) => submits === undefined);

/** The request of the least call that submits. */
export function submission({ minimal: { wire, once = [] } }: Row): { method: string; path: RegExp; sent: Wire } {
	const sent = [...wire, ...once].find(({ request }) => request.startsWith('POST ')) ?? wire[0];
	const [method, path] = sent.request.split(' ');
	const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
	return { method, path: new RegExp(`^${escaped}$`), sent };
}

/** Whether two of it can be told apart: a retry has no data. */
export const hasData = (row: Row): boolean => {
	const { body, query } = submission(row).sent;
	return row.submits !== undefined && (body ?? query) !== undefined;
};

/** One request for all items of a run. */
export const isForAll = ({ minimal: { wire } }: Row): boolean => wire.length === 0;

/** The least call, its items told apart by this text. */
export const varied = ({ varies, minimal }: Row, text: string): INodeParameters =>
	varies === undefined ? minimal.parameters : { ...minimal.parameters, [varies]: text };

/** The least call by a model: what it gives, with the IDs of the world, and what the author of the tool fills in. */
export function byModel(operation: string, world: World): { given: INodeParameters; authored: INodeParameters } {
	const [resource, name] = operation.split('.');
	const { asks } = resources[resource].operations[name];
	const { parameters, items } = rows[operation].minimal;
	const entered = { ...parameters, ...(items && { rowsJson: JSON.stringify(items) }) };
	const part = (asked: boolean) =>
		Object.fromEntries(Object.entries(entered).filter(([key]) => asks.includes(key) === asked));
	return { given: filled(marked(part(true)), world), authored: part(false) };
}

/** As an expectation refers to an ID. */
const marked = (parameters: INodeParameters): INodeParameters =>
	JSON.parse(JSON.stringify(parameters).replace(/"=\{\{ \$json\.(\w+) \}\}"/g, '"{$1}"'));
