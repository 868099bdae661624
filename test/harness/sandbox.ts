import { type Sandbox, startSandbox, type Switches } from '../../sandbox';

/** The mock service of a suite. */
export let sandbox: Sandbox;

/** Starts it for the suite, and makes it as new before each test. */
export function useSandbox(switches: Partial<Switches> = {}): void {
	beforeAll(async () => {
		sandbox = await startSandbox({ switches });
	});
	afterAll(() => sandbox.close());
	beforeEach(() => {
		sandbox.reset();
		renewAccount();
	});
}

export const credential = () => ({ baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey });

let accounts = 0;
export const renewAccount = () => ++accounts;

/** The process remembers what agents have submitted: each test has an account of its own, which a gateway tells by a header. */
export const ownAccount = () => ({ ...credential(), extraHeaders: JSON.stringify({ 'X-Test': String(accounts) }) });

/** Submits an inquiry as another process does, of which this one knows nothing. */
export async function submitElsewhere(
	body: Record<string, unknown>,
	{ apiKey } = sandbox.organization,
): Promise<string> {
	const answer = await fetch(`${sandbox.url}/v1/inquiries/`, {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ businessCity: 'Springfield', businessState: 'IL', ...body }),
	});
	return ((await answer.json()) as { id: string }).id;
}
