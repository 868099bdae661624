import { type Sandbox, startSandbox, type Switches } from '../../sandbox';

/** The mock service of a suite. */
export let sandbox: Sandbox;

/** Starts it for the suite, and makes it as new before each test. */
export function useSandbox(switches: Partial<Switches> = {}): void {
	beforeAll(async () => {
		sandbox = await startSandbox({ switches });
	});
	afterAll(() => sandbox.close());
	beforeEach(() => sandbox.reset());
}

export const credential = () => ({ baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey });
