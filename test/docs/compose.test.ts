import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { QUEUE_MODE } from '../e2e/queueMode';

/** Docker is not needed here: `docker compose -f docs/development/compose.yaml config` says more about the form. */

interface Service {
	image: string;
	command?: string;
	environment?: Record<string, string>;
	depends_on?: Record<string, { condition: string }>;
	healthcheck?: unknown;
	volumes?: string[];
	deploy?: { replicas: number };
}

const ROOT = join(__dirname, '../..');
const text = readFileSync(join(ROOT, 'docs', 'development', 'compose.yaml'), 'utf8');
const { services, volumes } = parse(text, { merge: true }) as {
	services: Record<string, Service>;
	volumes: Record<string, null>;
};

const n8n = Object.entries(services).filter(([, { image }]) => image.startsWith('n8nio/'));

it('has the processes that the queue suite runs', () => {
	expect(n8n.map(([name, { command, deploy }]) => [name, command?.split(' ')[0], deploy?.replicas ?? 1])).toEqual([
		['main', 'start', 1],
		['worker', 'worker', 2],
		['webhook', 'webhook', 2],
	]);
});

it.each(n8n)('%s has the settings that the queue suite runs with, and the pinned n8n', (_, { image, environment }) => {
	expect(environment).toMatchObject(QUEUE_MODE);
	const pinned = JSON.parse(readFileSync(join(ROOT, 'host', 'newest', 'package.json'), 'utf8'));
	expect(image).toBe(`n8nio/n8n:${pinned.dependencies.n8n}`);
});

it('says which paths belong to the webhook processors: all that the main process does not serve any more', () => {
	const said = /The proxy sends ([^#]*?) here/.exec(text.replaceAll(/\s+#\s+/g, ' '))![1];
	expect(said.match(/\/[\w-]+\//g)?.sort()).toEqual([
		'/form-waiting/',
		'/form/',
		'/mcp/',
		'/webhook-waiting/',
		'/webhook/',
	]);
});

it('shares one key, one database and one queue, keeps no good execution and prunes the others', () => {
	for (const [, { environment }] of n8n) {
		expect(environment).toMatchObject({
			N8N_ENCRYPTION_KEY: '${N8N_ENCRYPTION_KEY:?}',
			QUEUE_BULL_REDIS_HOST: 'redis',
			DB_POSTGRESDB_HOST: 'postgres',
			EXECUTIONS_DATA_PRUNE: 'true',
			EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
		});
	}
});

it('waits only for services that are there and say when they are healthy', () => {
	const awaited = Object.values(services).flatMap(({ depends_on = {} }) => Object.entries(depends_on));
	expect(awaited.length).toBeGreaterThan(3);
	for (const [name, { condition }] of awaited) {
		expect([name, condition]).toEqual([name, 'service_healthy']);
		expect(services[name]?.healthcheck).toBeDefined();
	}
});

it('declares the volumes it mounts, and only those', () => {
	const mounted = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
		mounts.map((mount) => mount.split(':')[0]),
	);
	expect(mounted.sort()).toEqual(Object.keys(volumes).sort());
});

it('holds no secret, and names at its top each value that has to be filled in', () => {
	const values = new Set([...text.matchAll(/\$\{(\w+)(:\?)?\}/g)].map(([, name, required]) => `${name}${required}`));
	expect([...values].sort()).toEqual(['N8N_ADDRESS:?', 'N8N_ENCRYPTION_KEY:?', 'POSTGRES_PASSWORD:?']);
	const [top] = text.split('x-n8n:');
	for (const value of values) expect(top).toContain(value.replace(':?', ''));
});
