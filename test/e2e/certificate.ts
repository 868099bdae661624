import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate for these names (`DNS:a.example`, `IP:127.0.0.1`) that signs itself: made for one run and thrown away. */
export function certificateFor(names: string[]): { key: string; cert: string } {
	const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
	const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
	const args = [
		...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
		...['-subj', '/CN=Made up', '-addext', `subjectAltName=${names.join(',')}`, '-keyout', key, '-out', cert],
	];
	execFileSync('openssl', args, { stdio: 'ignore' });
	const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
	rmSync(folder, { recursive: true });
	return pair;
}
