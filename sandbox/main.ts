import { parseArgs } from 'node:util';
import { startSandbox } from '.';
import { switchNames, switchProblem, switchTable, type Switches } from './switches';

/** `npm run sandbox -- --port 4010 --switch errorForm=message --switch planningMs=0` */

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		switch: { type: 'string', multiple: true, default: [] },
		seed: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

function switchesFrom(settings: string[]): Partial<Switches> {
	return Object.fromEntries(settings.map(switchFrom));
}

function switchFrom(setting: string): [string, unknown] {
	const [name, ...rest] = setting.split('=');
	const text = rest.join('=');
	const start = switchNames.includes(name as never) ? switchTable[name as keyof Switches].start : text;
	const value = typeof start === 'number' ? Number(text) : typeof start === 'boolean' ? text === 'true' : text;
	const problem = switchProblem(name, value);
	if (problem) throw new TypeError(problem);
	return [name, value];
}

function printSwitches(): void {
	for (const name of switchNames) {
		const { meaning, room, start, values } = switchTable[name];
		console.log(
			`  ${name}=${start}\n      ${meaning}${values ? `; one of ${values.join(', ')}` : ''}\n      because: ${room}`,
		);
	}
}

async function main(): Promise<void> {
	if (values.help) {
		console.log('Options: --port N  --seed N  --switch NAME=VALUE (as often as needed)\n');
		printSwitches();
		return;
	}
	const sandbox = await startSandbox({
		port: Number(values.port),
		switches: switchesFrom(values.switch),
	});
	if (values.seed) sandbox.inquiries.seed(Number(values.seed));
	const { organization, switches, url } = sandbox;
	console.log(`Sandbox of the Business Verification service

  Base URL        ${url}
  API key         ${organization.apiKey}   (header ${switches.apiKeyHeader}: ${switches.apiKeyScheme} <key>)
  Token           ${organization.jwt}
  Token URL       ${url}/oauth/token
  Client id       ${organization.clientId}
  Client secret   ${organization.clientSecret}
  Seller id       ${organization.sellerId}   (known, for license verification)
  Seller status   ${switches.sellerLookupMethod} ${switches.sellerStatusPath}
  Seller result   ${switches.sellerLookupMethod} ${switches.sellerResultPath}
  An inquiry ends after ${switches.planningMs + switches.runningMs + switches.enrichingMs} ms
  Errors look like ${switches.errorForm}; every other switch: --help

Stop with Ctrl+C.`);
	const stop = () => void sandbox.close();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

void main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
