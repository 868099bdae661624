/** Services that change or drop external IDs: how much each run sends, in one process and after restarts. */
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { Model, Process, type Row } from './model';

const spellings: Record<string, (id: string) => string | number> = {
	upper: (id) => id.toUpperCase(),
	lower: (id) => id.toLowerCase(),
	zeros: (id) => id.replace(/^0+/, ''),
	'zeros inside': (id) => id.replace(/-0+/, '-'),
	number: (id) => (/^\d+$/.test(id) ? Number(id) : id),
	'cut 20': (id) => id.slice(0, 20),
	'cut 8': (id) => id.slice(0, 8),
	prefix: (id) => `lender:${id}`,
	'without -': (id) => id.replace(/-/g, ''),
	hash: (id) => Buffer.from(id).toString('hex').slice(-20),
	constant: () => 'x',
};
const ids: Record<string, (n: number) => string> = {
	'crm-7': (n) => `crm-${n}`,
	'007': (n) => `00${n}`,
	'A-007': (n) => `A-00${n}`,
	url: (n) => `https://crm.example/companies/of/the/${n}`,
	'mixed case': (n) => (n % 2 ? `CRM-${n}` : `crm-${n}`),
	'mixed kinds': (n) => [`00${n}`, `crm-A${n}`, `crm.io/${n}/of the spring campaign`][n % 3],
	made: () => '',
};
const sizes = [3, 10, 40];
const edits: Record<string, (rows: Row[]) => Row[]> = {
	same: (rows) => rows,
	reversed: (rows) => [...rows].reverse(),
	'first removed': (rows) => rows.slice(1),
	'one added': (rows) => [...rows, { ...rows[0], 'External ID': rows[0]['External ID'] ? 'new-1' : '', Name: 'New' }],
};

async function main() {
	const tally = { scenes: 0, changed: 0, firstOver: 0, laterSame: 0, laterNew: 0, twice: 0 };
	const worst = new Map<string, number>();
	for (const [how, spelled] of Object.entries(spellings))
		for (const [kind, idOf] of Object.entries(ids))
			for (const count of sizes)
				for (const chunkSize of [4, 250])
					for (const idsIn of ['rows', 'records'] as const)
						for (const restarts of [false, true])
							for (const change of Object.values(edits)) {
								tally.scenes++;
								const model = new Model({ lag: 0, keepsInList: 255, keepsItself: 255, idsIn, spelled });
								const rows = Array.from({ length: count }, (_, n) => ({
									'External ID': idOf(n + 1),
									Name: `B ${n + 1}`,
									City: 'Salem',
									State: 'OR',
								}));
								let n8n = new Process(0);
								const run = async (sheet: Row[]) => {
									const before = model.batches.length;
									if (restarts) n8n = new Process(model.now);
									model.now += 3_600_000;
									const result = await model.run(n8n, sheet, {
										chunkSize,
										concurrency: 2,
										stopsOnFailure: true,
										fates: [],
									});
									return { sent: model.batches.length - before, isError: result instanceof Failure };
								};
								const first = await run(rows);
								const isChanged = model.batches.some(({ externalIds }) =>
									externalIds.some((id) => String(spelled(String(id))) !== id),
								);
								if (!isChanged) continue;
								tally.changed++;
								if (first.sent > 1) tally.firstOver++;
								let later = 0;
								for (let go = 0; go < 3; go++) later += (await run(change(rows))).sent;
								const twice = [...model.billed.values()].filter((times) => times > 1).length;
								if (later > 0) tally[restarts ? 'laterNew' : 'laterSame']++;
								if (twice > 0) {
									tally.twice++;
									const key = `${how}, ${kind}`;
									worst.set(key, Math.max(worst.get(key) ?? 0, twice));
								}
							}
	console.log(JSON.stringify(tally), [...worst].map(([key, rows]) => `${key}: ${rows} rows twice`).join('; '));
}
void main();
