import { join } from 'node:path';
import { World } from '../world';

interface Counts {
	submissions: number;
	rows: number;
	/** How often the row that was sent most was sent. */
	most: number;
}

/** The newest n8n, and a service that counts the rows it is sent. */
export type ImportWorld = World<Counts>;

export const inImportWorld = (measure: (world: ImportWorld) => Promise<boolean>): Promise<boolean> =>
	World.during(join(__dirname, 'service.ts'), measure);
