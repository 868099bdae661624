/** What is said of a URL that the service is given, if it could hardly reach it. */
export function doubtsAbout(url: string, place: string): string | undefined {
	const reason = privateHost(url);
	if (reason === undefined) return undefined;
	return `The service probably cannot reach ${place}: ${reason}. Set WEBHOOK_URL to n8n's public address.`;
}

/** Why the service could hardly reach a URL; undefined when nothing speaks against it. Only the text is looked at. */
export function privateHost(url: string): string | undefined {
	if (!URL.canParse(url)) return `'${url}' is not a complete URL`;
	const host = addressOf(new URL(url));
	if (host === '') return `'${url}' names no host`;
	const [, domain] = privateName.exec(host) ?? [];
	if (domain !== undefined) return `names under .${domain} are not known on the internet`;
	const [, reason] = unreachable.find(([pattern]) => pattern.test(host)) ?? [];
	return reason === undefined ? undefined : `${host} ${reason}`;
}

const privateName = /\.(local|internal|intranet|lan|home|corp|private|localdomain|home\.arpa|test|invalid|example)$/;

const unreachable: Array<[RegExp, string]> = [
	[/^(.+\.)?localhost$|^127\.[\d.]+$|^::1$/, 'is a local address'],
	[/^0\.[\d.]+$|^::([\da-f]+(:[\da-f]+)?)?$/, 'is no address to call'],
	[/^169\.254\.[\d.]+$|^fe[89ab][\da-f]:/, 'is a link-local address'],
	[/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.[\d.]+$/, "is behind a provider's address translation"],
	[/^(10|172\.(1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$|^f[cd][\da-f]{2}:/, 'is an address of a private network'],
	[/^(22[4-9]|2[3-5]\d|198\.1[89])\.[\d.]+$|^ff[\da-f]{2}:/, 'is a reserved address'],
	[/^[^.:]+$/, 'is a name without a domain, known inside one network only'],
];

/** The parser has already spelled out 127.1, 0x7f000001 and full-width digits; here an IPv4 address leaves its IPv6 clothes. */
function addressOf({ hostname }: URL): string {
	const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
	const [, high, low] = /^(?:::ffff|64:ff9b.*?):([\da-f]*):([\da-f]+)$/.exec(host) ?? [];
	if (low === undefined) return host;
	return [high, low].flatMap((group) => [parseInt(group || '0', 16) >> 8, parseInt(group || '0', 16) & 0xff]).join('.');
}
