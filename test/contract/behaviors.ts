import type { Fault, SwitchName, Switches } from '../../sandbox';
import { switchTable } from '../../sandbox/switches';

/** One way the service or the network may turn out to be, without a setting that a user could make for it. */
export interface Turn {
	name: string;
	switches?: Partial<Switches>;
	/** What happens to everything that is submitted, from the second on. */
	fault?: Fault;
	/** A clear refusal of what was performed: nobody can tell, so only that it is not sent again is asked for. */
	believed?: true;
	/** Another process finds nowhere what this one sent, or cannot recognise it: that it sends again is not judged. */
	unseen?: true;
	/** Proxies that perform a request twice bill twice: the client can only say so. */
	performed?: number;
}

/** Each value but the first, which is what we assume. */
const each = (...names: SwitchName[]): Record<string, Turn[]> =>
	Object.fromEntries(
		names.map((name) => {
			const { values = [] } = switchTable[name] as { values?: readonly unknown[] };
			return [name, values.slice(1).map((value) => ({ name: `${name} ${value}`, switches: { [name]: value } }))];
		}),
	);

const amounts = (values: Partial<Switches>): Record<string, Turn[]> =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [name, [{ name: `${name} ${value}`, switches: { [name]: value } }]]),
	);

/** Turns by name. The external ID is looked for by search alone, exactly as it was sent. */
const unseen = [
	'inquiryListDelayMs 600000',
	'batchListDelayMs 600000',
	'searchDelayMs 600000',
	'replicaLagMs 600000',
	'searchMatch plainWords',
	'searchMatch names',
	'searchMatch nothing',
	'externalIdStored upperCase',
	'externalIdStored dropped',
	// The first run stops, and its error names the name to use from then on.
	'batchNameStored stamped',
];

const html = '<!doctype html><title>504</title><h1>Gateway Time-out</h1>';
const done = (status: number, rest: Fault = {}): Turn => ({
	name: `performed, then ${status}`,
	fault: { after: true, status, ...rest },
});
const refused = (status: number, rest: Fault = {}): Turn => ({
	name: `not performed: ${status}`,
	fault: { status, ...rest },
});

/** How a submission fares on its way: performed or not, and what the client sees of it. */
const submissions: Turn[] = [
	{ name: 'answered' },
	{ name: 'performed, answer lost', fault: { after: true, drop: true } },
	{ name: 'lost on its way', fault: { drop: true } },
	{ name: 'performed an hour after the connection was cut', fault: { performedAfterMs: 3_600_000 } },
	{ name: 'performed twice by a proxy', fault: { twice: true }, performed: 2 },
	done(504, { body: html }),
	done(500),
	done(503, { headers: { 'retry-after': '1' } }),
	done(408),
	done(499),
	{ ...done(422), believed: true },
	{ ...done(404), believed: true },
	{ ...done(409), believed: true },
	done(303, { redirect: '/v1/inquiries/' }),
	done(302, { redirect: '/v1/inquiries/' }),
	done(200, { html: true }),
	done(200, { body: { error: 'The limit is reached' } }),
	refused(400),
	refused(402),
	refused(409),
	refused(500),
	refused(503),
	refused(200, { body: { success: false, message: 'Not today' } }),
	refused(301, { redirect: '/v1/inquiries/' }),
];

const turns: Record<string, Turn[]> = {
	/** For reads; for submissions it is "answered". */
	assumed: [{ name: 'everything as we assume' }],
	submissions,
	...each(
		'writeAnswer',
		'readAnswer',
		'licenseAnswer',
		'processStatusesForm',
		'externalIdStored',
		'batchNameStored',
		'emptyList',
		'listTotal',
		'listOrder',
		'listRefused',
		'searchMatch',
		'batchMembersListed',
		'listRowsId',
		'batchRowsShape',
		'batchIdKey',
		'batchNameKey',
		'batchListCounts',
		'batchTakes',
		'progressScale',
		'externalIdRepeated',
		'principalRepeated',
		'licenseRepeated',
		'searchRepeated',
		'callbackRepeated',
		'additionsWhileRunning',
		'timestampForm',
	),
	...amounts({
		pageCap: 2,
		listWindowMs: 3_600_000,
		inquiryListDelayMs: 600_000,
		searchDelayMs: 600_000,
		batchListDelayMs: 600_000,
		readDelayMs: 600_000,
		replicaLagMs: 600_000,
		completedAtDelayMs: 600_000,
	}),
};

/** Worlds without a setting, each with the turns it may take. */
export const worlds: Record<string, Turn[]> = Object.fromEntries(
	Object.entries(turns).map(([world, its]) => [
		world,
		its.map((turn) => (unseen.includes(turn.name) ? { ...turn, unseen: true as const } : turn)),
	]),
);
