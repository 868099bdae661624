import type { Sandbox } from '../sandbox';
import { fateOf } from '../sandbox/variety';

const EVERY_MS = 20_000;
const MINUTE = 60_000;

const FIRST = ['Amber', 'Birch', 'Cedar', 'Dune', 'Elm', 'Fern', 'Granite', 'Heron', 'Iris', 'Juniper'];
const SECOND = ['Bakery', 'Clinic', 'Dairy', 'Logistics', 'Roofing', 'Tailors'];
const NAMES = SECOND.flatMap((what) => FIRST.map((whose) => `${whose} ${what}`));

/** What the demo's service knows from the start: ends of every kind and score, and some under way. */
export function fill({ inquiries, clock }: Sandbox): void {
	const now = clock.now();
	for (const [index, businessName] of NAMES.entries()) {
		const createdTo = now - (NAMES.length - index) * 20 * MINUTE;
		const { status, score } = fateOf({ submitted: { businessName } });
		const underWay = index % 12 === 11;
		inquiries.seed(1, {
			businessName,
			externalIdPrefix: `demo-${index + 1}-`,
			createdFrom: createdTo,
			createdTo,
			...(underWay ? { status: 'PLANNING' } : { status, scorecardScore: score }),
		});
	}
}

/** A service that others use too: every now and then somebody submits a business, which moves on by itself. */
export function liveOn({ inquiries, clock }: Sandbox, everyMs = EVERY_MS): () => void {
	let count = 0;
	const timer = setInterval(() => {
		const businessName = NAMES[count % NAMES.length];
		count += 1;
		const createdTo = clock.now();
		inquiries.seed(1, {
			businessName,
			externalIdPrefix: `live-${count}-`,
			createdFrom: createdTo,
			createdTo,
			status: 'PLANNING',
		});
	}, everyMs);
	return () => clearInterval(timer);
}
