/** Why the service could hardly reach a URL; undefined when nothing speaks against it. Only the text is looked at. */
export function privateHost(url: string): string | undefined {
	if (!URL.canParse(url)) return `'${url}' is not a complete URL`;
	// The parser also spells out 127.1, 0x7f000001 and full-width digits.
	const host = new URL(url).hostname.replace(/\.$/, '').toLowerCase();
	if (host === '') return `'${url}' names no host`;
	if (host === 'localhost' || host.endsWith('.localhost')) return `${host} is a local address`;
	if (host.startsWith('[')) return aboutIpv6(host.slice(1, -1));
	if (/^[\d.]+$/.test(host)) return aboutIpv4(host.split('.').map(Number));
	if (!host.includes('.')) return `${host} is a name without a domain, known inside one network only`;
	const privateName =
		/\.(local|internal|intranet|lan|home|corp|private|localdomain|home\.arpa|test|invalid|example)$/.exec(host);
	return privateName === null ? undefined : `names under .${privateName[1]} are not known on the internet`;
}

function aboutIpv4(bytes: number[]): string | undefined {
	const [first, second] = bytes;
	const address = bytes.join('.');
	if (first === 127) return `${address} is a local address`;
	if (first === 0) return `${address} is no address to call`;
	if (first === 169 && second === 254) return `${address} is a link-local address`;
	if (first === 100 && second >= 64 && second <= 127) return `${address} is behind a provider's address translation`;
	const isPrivate =
		first === 10 || (first === 172 && second >= 16 && second <= 31) || (first === 192 && second === 168);
	if (isPrivate) return `${address} is an address of a private network`;
	if (first >= 224 || (first === 198 && (second === 18 || second === 19))) return `${address} is a reserved address`;
	return undefined;
}

function aboutIpv6(address: string): string | undefined {
	const groups = groupsOf(address);
	const leadingZeros = groups.findIndex((group) => group !== 0);
	if (leadingZeros === 7 && groups[7] === 1) return `${address} is a local address`;
	if (leadingZeros === -1 || leadingZeros >= 6) return `${address} is no address to call`;
	const isMapped = leadingZeros === 5 && groups[5] === 0xffff;
	const isTranslated = groups[0] === 0x64 && groups[1] === 0xff9b;
	if (isMapped || isTranslated) return aboutIpv4(groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]));
	if ((groups[0] & 0xfe00) === 0xfc00) return `${address} is an address of a private network`;
	if ((groups[0] & 0xffc0) === 0xfe80) return `${address} is a link-local address`;
	if ((groups[0] & 0xff00) === 0xff00) return `${address} is a reserved address`;
	return undefined;
}

/** The eight groups; the URL parser has already written a trailing IPv4 part as two of them. */
function groupsOf(address: string): number[] {
	const [head, tail] = address
		.split('::')
		.map((part) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16))));
	return tail === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
