import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Tool {
	name: string;
	description: string;
	inputSchema: { properties?: Record<string, { description?: string }>; required?: string[] };
}

interface Sdk {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{ tools: Tool[] }>;
	callTool(call: object, schema?: object, options?: object): Promise<{ content: Array<{ text: string }> }>;
	close(): Promise<void>;
}

/** The client of the protocol's own library, as an assistant has it. n8n brings the library with it. */
export class McpClient {
	private constructor(private readonly client: Sdk) {}

	static async connect(host: string, url: string): Promise<McpClient> {
		const n8n = realpathSync(join(__dirname, '..', '..', '..', 'host', host, 'node_modules', 'n8n'));
		const nodes = realpathSync(join(n8n, '..', '@n8n', 'n8n-nodes-langchain'));
		const require = createRequire(join(nodes, 'package.json'));
		const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
		const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
		const client: Sdk = new Client({ name: 'test', version: '1' });
		await client.connect(new StreamableHTTPClientTransport(new URL(url)));
		return new McpClient(client);
	}

	tools = async (): Promise<Tool[]> => (await this.client.listTools()).tools;

	/** What a model would read. A client gives up after 60 seconds. */
	async call(name: string, args: object = {}): Promise<string> {
		const { content } = await this.client.callTool({ name, arguments: args }, undefined, { timeout: 60_000 });
		return content.map(({ text }) => text).join('');
	}

	close = () => this.client.close();
}
