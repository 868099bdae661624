import { formChecks } from '../credentials/form';
import { httpRequestChecks } from '../credentials/httpRequest';
import { loginChecks } from '../credentials/login';
import type { Suite } from '../suite';

/** The credentials as n8n itself uses them: in their forms, in its HTTP Request node, and in its own OAuth2. */
const credentials: Suite = {
	checks: (world) => ({
		...formChecks(world),
		...httpRequestChecks(world),
		...loginChecks(world),
	}),
};

export default credentials;
