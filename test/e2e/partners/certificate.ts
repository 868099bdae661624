import { createSign, generateKeyPairSync } from 'node:crypto';

/** One ASN.1 value in DER. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const id = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const octets = (value: Buffer) => der(0x04, value);
const yes = der(0x01, Buffer.from([0xff]));

const ecdsaWithSha256 = sequence(id(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const commonName = id(0x55, 0x04, 0x03);
const basicConstraints = id(0x55, 0x1d, 0x13);
const subjectAltName = id(0x55, 0x1d, 0x11);

const name = (value: string) => sequence(der(0x31, sequence(commonName, text(0x0c, value))));
const day = (date: Date) => text(0x17, `${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`);

/** A certificate for these hosts that signs itself, and so is its own authority: made for one run and thrown away. */
export function certificateFor(hosts: string[]): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	const now = Date.now();
	const content = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		ecdsaWithSha256,
		name('Imitations'),
		sequence(day(new Date(now - 86_400_000)), day(new Date(now + 86_400_000))),
		name('Imitations'),
		publicKey.export({ type: 'spki', format: 'der' }),
		der(
			0xa3,
			sequence(
				sequence(basicConstraints, yes, octets(sequence(yes))),
				sequence(subjectAltName, octets(sequence(...hosts.map((host) => text(0x82, host))))),
			),
		),
	);
	const signature = createSign('sha256').update(content).sign(privateKey);
	const bytes = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
	const lines = bytes.toString('base64').match(/.{1,64}/g)!;
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
	};
}
