import fastify, { type FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';

interface Message {
	role: string;
	content: unknown;
}

/** What the model says next: it calls a tool, or it answers. `heard` is what its tools have answered so far. */
export type Turn = (heard: string[]) => { tool: string; args: object } | string;

interface Offered {
	function: { name: string; description: string; parameters: { properties?: object } };
}

/** A language model behind OpenAI's interface that says what the test has written down. */
export class Model {
	/** What it was offered and told in the last conversation. */
	tools: Offered['function'][] = [];
	heard: string[] = [];
	private turns: Turn[] = [];

	private constructor(private readonly server: FastifyInstance) {
		server.post('/v1/chat/completions', (request, reply) => {
			const {
				messages,
				tools = [],
				stream,
			} = request.body as {
				messages: Message[];
				tools?: Offered[];
				stream?: boolean;
			};
			this.tools = tools.map(({ function: offered }) => offered);
			this.heard = messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
			const turn = this.turns.shift()?.(this.heard) ?? 'I have nothing to say.';
			const said =
				typeof turn === 'string'
					? { content: turn }
					: {
							content: null,
							tool_calls: [
								{
									id: `call_${++this.calls}`,
									type: 'function',
									function: { name: turn.tool, arguments: JSON.stringify(turn.args) },
								},
							],
						};
			const finished = typeof turn === 'string' ? 'stop' : 'tool_calls';
			if (stream === true) return reply.type('text/event-stream').send(streamed(said, finished));
			return {
				id: 'completion',
				object: 'chat.completion',
				created: 0,
				model: 'scripted',
				choices: [
					{
						index: 0,
						message: { role: 'assistant', ...said },
						finish_reason: finished,
					},
				],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			};
		});
	}

	private calls = 0;

	static async start(): Promise<Model> {
		const server = fastify();
		const model = new Model(server);
		await server.listen({ host: '127.0.0.1', port: 0 });
		return model;
	}

	get url() {
		return `http://127.0.0.1:${(this.server.server.address() as AddressInfo).port}/v1`;
	}

	says(...turns: Turn[]) {
		this.turns = turns;
		this.heard = [];
	}

	close = () => this.server.close();
}

/** The same in two events, as who asks for a stream reads it. */
function streamed(said: { content: string | null; tool_calls?: object[] }, finished: string): string {
	const event = (delta: object, finish_reason: string | null) =>
		`data: ${JSON.stringify({
			id: 'completion',
			object: 'chat.completion.chunk',
			created: 0,
			model: 'scripted',
			choices: [{ index: 0, delta, finish_reason }],
		})}\n\n`;
	const calls = said.tool_calls?.map((call, index) => ({ index, ...call }));
	const delta = { role: 'assistant', content: said.content, ...(calls && { tool_calls: calls }) };
	return `${event(delta, null)}${event({}, finished)}data: [DONE]\n\n`;
}

const textOf = (content: unknown): string =>
	Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : String(content);
