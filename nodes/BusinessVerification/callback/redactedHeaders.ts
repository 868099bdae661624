/** Headers as they may stand in an execution, which everybody with access to the workflow can read and n8n keeps. */

const secretName = /auth|cookie|key|token|secret|passw|signature|credential|session|jwt|csrf|assertion/i;
const secretValue =
	/\b(bearer|basic|digest|negotiate)\s+\S|\beyJ[\w-]+\.[\w-]+|\b1\.[\w-]{22}\.\d+\.|[?&](key|token|secret|signature|proof)=|[A-Za-z0-9+/_-]{40,}/i;

export function redactHeaders(headers: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => {
				const text = Array.isArray(value) ? value.join(', ') : String(value);
				return [name, secretName.test(name) || secretValue.test(text) ? '[redacted]' : text];
			}),
	);
}
