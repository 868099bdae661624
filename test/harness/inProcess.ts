/**
 * Runs our action node in n8n's real engine, in this process: real expressions, real continue-on-fail, real retries,
 * real HTTP helper. Only the database and the editor are missing; the suites in test/e2e have those.
 */
import 'reflect-metadata';
import { ExecutionLifecycleHooks, LoadOptionsContext, SupplyDataContext, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type ICredentialDataDecryptedObject,
	type ICredentialsHelper,
	type ICredentialType,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	NodeConnectionTypes,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';
import { chosenKind } from '../../credentials/types';
import { credentialProperties, credentialTypes as allTypes } from '../../scripts/credentialTypes';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';

/** Inside n8n's engine, which keeps it to itself. */
const { makeHandleToolInvocation } = jest.requireActual<{
	makeHandleToolInvocation(...given: unknown[]): (given: object) => Promise<string>;
}>('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data');

const credentialTypes: Record<string, ICredentialType> = Object.fromEntries(allTypes.map((type) => [type.name, type]));
const typeChosen = (parameters: INodeParameters) => chosenKind({ parameters }).name;

const nodeType = 'n8n-nodes-business-verification.businessVerification';

/** n8n starts only at a node of this name; it hands on the items of the test. */
class Start implements INodeType {
	description = {
		displayName: 'Start',
		name: 'manualTrigger',
		group: ['trigger' as const],
		version: 1,
		description: 'Hands on the items of the test',
		defaults: {},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return Promise.resolve([this.getInputData()]);
	}
}

/** The node as n8n offers it to agents: by its name n8n knows what to show of it. */
function asTool(node: INodeType): INodeType {
	node.description = { ...node.description, name: `${node.description.name}Tool` };
	return node;
}

const nodeTypes: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': new Start(),
	[nodeType]: new BusinessVerification(),
	[`${nodeType}Tool`]: asTool(new BusinessVerification()),
};

/** The node as another process loads it: it remembers nothing of what this one has sent. */
export async function ofAnotherProcess(): Promise<INodeType> {
	let node: INodeType | undefined;
	await jest.isolateModulesAsync(async () => {
		const loaded = await import('../../nodes/BusinessVerification/BusinessVerification.node');
		node = new loaded.BusinessVerification();
	});
	return node!;
}

export interface RunOptions {
	parameters: INodeParameters;
	credential: ICredentialDataDecryptedObject;
	items?: Array<Record<string, unknown>>;
	onError?: INode['onError'];
	retryOnFail?: boolean;
	executeOnce?: boolean;
	executionId?: string;
	/** Called by Agent v3, which lets the engine run its tools like any node, each with what the model gives as its item. */
	asTool?: boolean;
	/** The node as another process has it. */
	node?: INodeType;
	/** Whether another node with the same `id` gets the same items, as in a workflow that was made by hand. */
	hasTwin?: boolean;
	/** Called with the running execution, so that a test can cancel it. */
	started?: (running: { cancel(): void }) => void;
}

export interface RunResult {
	status: IRun['status'];
	/** Items of the first output, and of the error output. */
	items: INodeExecutionData[];
	failed: INodeExecutionData[];
	error?: {
		message: string;
		description?: string;
		context?: Record<string, unknown>;
		httpCode?: string;
		name?: string;
	};
	hints: string[];
	/** Until when the execution sleeps. */
	waitTill?: Date;
}

const ids = new WeakMap<ICredentialDataDecryptedObject, string>();
let saved = 0;

/** The ID under which n8n has saved a credential. */
function idOf(credential: ICredentialDataDecryptedObject): string {
	if (!ids.has(credential)) ids.set(credential, String(++saved));
	return ids.get(credential)!;
}

let executions = 0;

export async function runNode(options: RunOptions): Promise<RunResult> {
	const { parameters, items = [{}], onError = 'stopWorkflow', retryOnFail = false, executeOnce = false } = options;
	const credential = typeChosen(parameters);
	const nodes: INode[] = [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'node',
			name: 'Business Verification',
			type: options.asTool ? `${nodeType}Tool` : nodeType,
			typeVersion: 1,
			position: [200, 0],
			parameters,
			onError,
			retryOnFail,
			executeOnce,
			maxTries: 3,
			waitBetweenTries: 1,
			credentials: { [credential]: { id: idOf(options.credential), name: 'test' } },
		},
	];
	if (options.hasTwin) nodes.push({ ...nodes[1], name: 'Twin' });
	const targets = nodes.slice(1).map(({ name }) => ({ node: name, type: NodeConnectionTypes.Main, index: 0 }));
	const typeOf = (type: string) => (type.startsWith(nodeType) && options.node) || nodeTypes[type];
	const executionId = options.executionId ?? `test-${++executions}`;
	const workflow = new Workflow({
		id: 'workflow',
		nodes,
		connections: { Start: { main: [targets] } },
		active: false,
		nodeTypes: {
			getByName: (type) => typeOf(type),
			getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(typeOf(type), version),
			getKnownTypes: () => ({}),
		},
	});
	const start = workflow.getStartNode()!;
	const execute = new WorkflowExecute(
		additionalData(executionId, workflow, options.credential),
		'manual',
		createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{ node: start, data: { main: [items.map((json) => ({ json: json as never }))] }, source: null },
				],
			},
		}),
	);
	const running = execute.processRunExecutionData(workflow);
	options.started?.({ cancel: () => void running.cancel() });
	const { data, status, waitTill } = await running;
	const [run] = data.resultData.runData['Business Verification'] ?? [];
	const error = (run?.error ?? data.resultData.error) as RunResult['error'];
	return {
		status,
		items: run?.data?.main[0] ?? [],
		failed: run?.data?.main[1] ?? [],
		hints: (run?.hints ?? []).map(({ message }) => message),
		...(error && { error }),
		...(waitTill && { waitTill }),
	};
}

export interface ToolOptions {
	parameters: INodeParameters;
	credential: ICredentialDataDecryptedObject;
	/** What the model gives. */
	given: Record<string, unknown>;
	/** Undefined as over MCP, where n8n starts none. */
	executionId: string | undefined;
	/** The node in whose name n8n calls. */
	caller?: 'agent' | 'mcpTrigger' | 'none';
	retryOnFail?: boolean;
}

/** A call as Agent v2 and the MCP server make it: outside of the engine, which only lends them its contexts. */
export async function callTool({
	parameters,
	credential,
	given,
	executionId,
	caller = executionId === undefined ? 'mcpTrigger' : 'agent',
	retryOnFail,
}: ToolOptions): Promise<string> {
	const type = `${nodeType}Tool`;
	const { node, workflow } = alone({ id: 'tool', name: 'tool', type, parameters, retryOnFail }, credential);
	const data = additionalData(executionId as string, workflow, credential);
	const run = createRunExecutionData({});
	const tool = workflow.nodes.tool;
	const parent = { ...node, name: caller, type: `@n8n/n8n-nodes-langchain.${caller}` };
	const contextOf = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			tool,
			data,
			'manual',
			run,
			runIndex,
			[],
			{},
			NodeConnectionTypes.AiTool,
			{ node: tool, data: { ai_tool: [[{ json: given as never }]] }, source: null },
			[],
			undefined,
			caller === 'none' ? undefined : parent,
		);
	return await makeHandleToolInvocation(contextOf, tool, nodeTypes[type], run)(given);
}

/** What a method of the node that fills a list of the editor is called with. */
export function editor(parameters: INodeParameters, credential: ICredentialDataDecryptedObject): ILoadOptionsFunctions {
	const { node, workflow } = alone(
		{ id: 'node', name: 'Business Verification', type: nodeType, parameters },
		credential,
	);
	return new LoadOptionsContext(workflow, node, additionalData('editor', workflow, credential), '');
}

/** A node in a workflow of its own. */
function alone(
	given: Omit<INode, 'typeVersion' | 'position'>,
	credential: ICredentialDataDecryptedObject,
): { node: INode; workflow: Workflow } {
	const credentials = { [typeChosen(given.parameters)]: { id: idOf(credential), name: 'test' } };
	const retries = { maxTries: 3, waitBetweenTries: 1 };
	const node: INode = { ...given, ...retries, typeVersion: 1, position: [0, 0], credentials };
	const workflow = new Workflow({
		id: 'workflow',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: (name) => nodeTypes[name],
			getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(nodeTypes[name], version),
			getKnownTypes: () => ({}),
		},
	});
	return { node, workflow };
}

function additionalData(
	executionId: string,
	workflow: Workflow,
	credential: ICredentialDataDecryptedObject,
): IWorkflowExecuteAdditionalData {
	const url = 'http://127.0.0.1/';
	const urls = [
		'restApiUrl',
		'instanceBaseUrl',
		'formBaseUrl',
		'formWaitingBaseUrl',
		'formTestBaseUrl',
		'webhookBaseUrl',
	];
	const moreUrls = ['webhookWaitingBaseUrl', 'webhookTestBaseUrl', 'mcpBaseUrl', 'mcpTestBaseUrl'];
	return {
		executionId,
		currentNodeExecutionIndex: 0,
		variables: {},
		hooks: new ExecutionLifecycleHooks('manual', executionId, {
			id: workflow.id,
			name: 'test',
			active: false,
			nodes: [],
			connections: {},
			createdAt: new Date(),
			updatedAt: new Date(),
		} as never),
		...Object.fromEntries([...urls, ...moreUrls].map((name) => [name, url])),
		credentialsHelper: credentialsHelper(credential),
	} as unknown as IWorkflowExecuteAdditionalData;
}

type Decrypting = Parameters<ICredentialsHelper['getDecrypted']>;

/** A credential may hold expressions, which n8n evaluates for the item that it is read for. */
function evaluated(
	credential: ICredentialDataDecryptedObject,
	mode: Decrypting[3],
	executeData: Decrypting[4],
	item: Decrypting[6],
): ICredentialDataDecryptedObject {
	const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');
	if (item === undefined || !Object.values(credential).some(isExpression)) return credential;
	const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = item;
	return workflow.expression.getParameterValue(
		credential as never,
		runExecutionData,
		runIndex,
		itemIndex,
		node.name,
		connectionInputData,
		mode,
		{},
		executeData,
	) as unknown as ICredentialDataDecryptedObject;
}

/** What n8n's own helper does with a credential, without its database. */
function credentialsHelper(stored: ICredentialDataDecryptedObject) {
	return {
		getParentTypes: (type: string) => credentialTypes[type]?.extends ?? [],
		isCredentialUsableByNode: () => true,
		getDecrypted: (...[, , type, mode, executeData, , item]: Decrypting) =>
			Promise.resolve(evaluated({ ...defaults(type), ...stored }, mode, executeData, item)),
		authenticate: async (credential: ICredentialDataDecryptedObject, type: string, request: never) => {
			const { authenticate } = credentialTypes[type];
			return typeof authenticate === 'function' ? await authenticate(credential, request) : request;
		},
		preAuthentication: async (
			helpers: never,
			credential: ICredentialDataDecryptedObject,
			type: string,
			_node: INode,
			expired: boolean,
		) => {
			const { preAuthentication } = credentialTypes[type];
			if (preAuthentication === undefined || !(expired || credential.tested === '')) return undefined;
			const renewed = await preAuthentication.call(helpers, credential);
			return renewed.tested === undefined ? undefined : Object.assign(credential, renewed);
		},
		updateCredentials: () => Promise.resolve(),
		runPreAuthentication: () => Promise.resolve(),
		updateCredentialsOauthTokenData: async (_node: INode, _type: string, { oauthTokenData }: typeof stored) =>
			void Object.assign(stored, { oauthTokenData }),
	};
}

const defaults = (type: string) =>
	Object.fromEntries(
		credentialProperties(credentialTypes[type]).map(({ name, default: initial }) => [name, initial]),
	) as ICredentialDataDecryptedObject;
