import { LEGS } from '../../scripts/legs.mjs';
import { provide } from '../../scripts/machine.mjs';

/* Runs on the machine of the rehearsal: whether the workflow has installed what every leg needs, also those left out. */
const missing = await provide([...new Set(LEGS.flatMap(({ needs }) => needs))]);
for (const { name, why } of missing) console.log(`This machine has no ${name} (${why})`);
process.exitCode = missing.length === 0 ? 0 : 1;
