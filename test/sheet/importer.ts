import type { INode } from 'n8n-workflow';
import { type Sandbox, startSandbox, type Switches } from '../../sandbox';
import { hurry } from '../harness/hurry';
import { runNode, type RunResult } from '../harness/inProcess';
import { grouped } from './groups';

export type Row = Record<string, unknown>;

export interface ImportOptions {
	rows: Row[];
	/** Those of a mapping by hand. */
	columns?: object;
	/** Parameters beside those of a plain import. */
	more?: Record<string, unknown>;
	options?: Record<string, unknown>;
	onError?: INode['onError'];
	retryOnFail?: boolean;
}

export const mapped = (value: Record<string, unknown>) => ({
	columnsFrom: 'mapping',
	columns: { mappingMode: 'defineBelow', value },
});

/** An imitated service, and sheets that are imported into it through n8n's real engine. */
export class World {
	private constructor(readonly sandbox: Sandbox) {}

	static async open(switches: Partial<Switches> = {}): Promise<World> {
		return new World(await startSandbox({ switches }));
	}

	import({ rows, columns = {}, more = {}, options = {}, onError, retryOnFail }: ImportOptions): Promise<RunResult> {
		return runNode({
			parameters: {
				resource: 'batch',
				operation: 'submit',
				name: 'March leads',
				...columns,
				...grouped({ lookUpWait: 0, pollInterval: 1, maxRows: 0, includeDetails: true, ...options }),
				...more,
			} as never,
			credential: { baseUrl: this.sandbox.url, apiKey: this.sandbox.organization.apiKey },
			items: rows,
			onError,
			retryOnFail,
		});
	}

	/** How often each row was submitted, by its external ID. */
	submissions(): Map<string, number> {
		const times = new Map<string, number>();
		for (const { keys = [] } of this.sandbox.ledger)
			for (const key of keys) times.set(String(key), (times.get(String(key)) ?? 0) + 1);
		return times;
	}

	batchSizes(): number[] {
		return this.sandbox.ledger.filter(({ kind }) => kind === 'batch').map(({ count }) => count);
	}

	/** The rows of the batches that were submitted, as they arrived, but for the external IDs that were made for them. */
	sentItems(): Row[] {
		const posts = this.sandbox.requests.filter(({ method, path }) => method === post.method && path === post.path);
		const items = posts.flatMap(({ body }) => (body as { inquiries: Row[] }).inquiries);
		const isMade = (id: unknown) => String(id).startsWith('row-');
		return items.map(({ externalId, ...item }) => (isMade(externalId) ? item : { ...item, externalId }));
	}
}

export const sheet = (count: number, from = 1): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		'Business Name': `Business ${from + index}`,
		City: 'Springfield',
		State: 'IL',
		Zip: '02139',
		'External ID': `crm-${from + index}`,
	}));

export const externalIds = (count: number): Map<string, number> =>
	new Map(Array.from({ length: count }, (_, index) => [`crm-${index + 1}`, 1]));

export const verificationsOf = ({ items }: RunResult): Row[] =>
	items.map(({ json }) => json.verification as unknown as Row);

export const withoutIds = (rows: Row[]): Row[] => rows.map(({ 'External ID': _, ...row }) => row as Row);

/** What a test submits from now on is of this day. */
export const onSecondOfMarch = () => world.sandbox.clock.set(Date.parse('2026-03-02T09:00:00Z'));

/** How to go on after a run that does not wait. */
export const forResults =
	"For the results, run the same import again with 'Wait for Completion': what was sent is not billed again.";

/** Of a service that shows no names with which a row could be compared. */
export const theirs =
	'Their results are those of the data submitted then: a row that has changed, or names another business, needs another External ID, which is billed.';

/** Of a batch that the service refused. */
export const orFewer =
	"If the batch holds too many rows, lower 'Rows per Batch' in the options. If the service expects the rows in another field than 'inquiries', set 'Batch Items Field' under 'Deployment Settings' in the credential.";
/** Where it is unclear which rows were submitted before. */
export const anyway =
	"To send and bill these rows anyway, set 'If Rows Cannot Be Matched' to 'Send Them' in the options.";
export const anotherSheet =
	"For another sheet, use another 'Batch Name'. If each run reads new rows only, give them External IDs. If it is the same sheet, its columns or its mapping changed: change them back.";
export const asReturned =
	"Write the external IDs as the service returns them, or use other ones with another 'Batch Name'.";
export const missingRows = 'Run the same import again in a minute to submit the missing rows.';

export let world: World;

/** Opens `world` for the tests of a file. No wait takes time in it, and each test finds it as new. */
export function useWorld(switches: Partial<Switches> = {}): void {
	beforeAll(async () => {
		hurry();
		world = await World.open();
	});
	afterAll(() => world.sandbox.close());
	beforeEach(() => {
		world.sandbox.reset();
		Object.assign(world.sandbox.switches, switches);
	});
}

let imports = 0;
/** Imports under one name: the process has a memory by name, so each test has its own. */
export function importing() {
	const name = `import ${++imports}`;
	return (rows: Row[], { more = {}, ...others }: Partial<ImportOptions> = {}) =>
		world.import({ rows, ...others, more: { name, ...more }, options: { chunkSize: 4, ...others.options } });
}

export const billed = () => [...world.submissions().values()].reduce((all, times) => all + times, 0);
export const twice = () => [...world.submissions()].filter(([, times]) => times > 1).map(([id]) => id);
export const post = { method: 'POST', path: '/v1/batch-inquiries/' };
