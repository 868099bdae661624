import type { Call, Imitation, Reply } from './internet';

interface Message {
	channel: string;
	text: string;
}

/** A Slack workspace: its channels keep what was posted. */
export class Slack implements Imitation {
	readonly hosts = ['slack.com'];
	readonly token = 'made-up-bot-token';
	readonly messages: Message[] = [];
	private readonly channels = ['verifications', 'compliance'];

	answer({ path, headers, body }: Call): Reply {
		if (headers.authorization !== `Bearer ${this.token}`) return { body: { ok: false, error: 'invalid_auth' } };
		if (path !== '/api/chat.postMessage') return { status: 404, body: { ok: false, error: 'unknown_method' } };
		const channel = String(body.channel).replace(/^#/, '');
		if (!this.channels.includes(channel)) return { body: { ok: false, error: 'channel_not_found' } };
		const { text } = body;
		this.messages.push({ channel, text });
		return { body: { ok: true, channel, ts: String(this.messages.length), message: { text } } };
	}
}
