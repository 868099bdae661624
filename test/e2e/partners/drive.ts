import type { GoogleSheets } from './google';
import type { Imitation, Reply } from './internet';
import type { Call } from './shapes';

interface Stored {
	name: string;
	mimeType: string;
	parents: string[];
	text: string;
}

const refused = (code: number, reason: string, message: string): Reply => ({
	status: code,
	body: { error: { code, message, errors: [{ domain: 'global', reason, message }] } },
});

/** A Google Drive: files that are read, and files that are uploaded in one piece, as n8n does it. */
export class GoogleDrive implements Imitation {
	readonly hosts = ['www.googleapis.com'];
	readonly folder = 'made-up-folder-of-results';
	readonly files = new Map<string, Stored>();
	/** Uploads that were announced, by the address that was given out for them. */
	private readonly sessions = new Map<string, Omit<Stored, 'text'>>();
	private number = 0;

	/** The same account: one token opens both. */
	constructor(private readonly account: GoogleSheets) {}

	/** By name, what was uploaded to the folder. */
	get saved(): Array<{ name: string; text: string }> {
		return [...this.files.values()].filter(({ parents }) => parents.includes(this.folder));
	}

	answer(call: Call): Reply {
		const { method, path, query } = call;
		const session = this.sessions.get(query.get('upload_id') ?? '');
		// The address of an upload is a secret of its own.
		if (method === 'PUT' && path === '/upload/drive/v3/files' && session !== undefined) return this.take(call, session);
		if (call.headers.authorization !== `Bearer ${this.account.accessToken}`) {
			return refused(401, 'authError', 'Request had invalid authentication credentials.');
		}
		if (method === 'POST' && path === '/upload/drive/v3/files' && query.get('uploadType') === 'resumable') {
			return this.announce(call);
		}
		const [, id = ''] = /^\/drive\/v3\/files\/([^/]+)$/.exec(path) ?? [];
		const file = this.files.get(id);
		if (file === undefined) return refused(404, 'notFound', `File not found: ${id}.`);
		if (method === 'PATCH' && query.get('addParents') === this.folder) {
			Object.assign(file, call.body);
			return { body: { id, ...described(file) } };
		}
		if (method !== 'GET') return refused(403, 'insufficientFilePermissions', 'Not in this imitation.');
		return query.get('alt') === 'media'
			? { headers: { 'content-type': file.mimeType }, body: file.text }
			: { body: described(file) };
	}

	private announce({ headers, body }: Call): Reply {
		if (body.parents[0] !== this.folder) return refused(404, 'notFound', `File not found: ${body.parents[0]}.`);
		const session = `session-${++this.number}`;
		const mimeType = String(headers['x-upload-content-type']);
		this.sessions.set(session, { name: body.name, mimeType, parents: body.parents });
		const location = `https://${this.hosts[0]}/upload/drive/v3/files?uploadType=resumable&upload_id=${session}`;
		return { headers: { location } };
	}

	private take({ headers, query, text }: Call, session: Omit<Stored, 'text'>): Reply {
		const size = Buffer.byteLength(text);
		if (headers['content-range'] !== `bytes 0-${size - 1}/${size}`) {
			return refused(400, 'badRequest', `Not one piece: ${headers['content-range']} of ${size} bytes.`);
		}
		this.sessions.delete(query.get('upload_id')!);
		const id = `made-up-file-${++this.number}`;
		this.files.set(id, { ...session, text });
		return { body: { id, ...described(this.files.get(id)!) } };
	}
}

const described = ({ name, mimeType }: Stored) => ({ kind: 'drive#file', name, mimeType });
