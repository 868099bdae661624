import { conclude, type Goal, table } from './report';
import { type Flow, steady } from './trigger/steady';

const MINUTES_A_MONTH = 30 * 24 * 60;
const ROWS_PER_BATCH = 250;
const PAGE = 500;
/** The model holds no more; `trigger-flat` shows that the history does not change the requests of a poll. */
const MOST_HISTORY = 1_000_000;

const months = [1_000, 100_000, 10_000_000];

/** What so many inquiries a month ask of the service, two minutes each, spread evenly; polls by the model, the rest by arithmetic. */
export async function run(): Promise<boolean> {
	const byMinute: Flow[] = [];
	const byFiveMinutes: Flow[] = [];
	for (const perMonth of months) {
		const load = {
			createdPerMinute: perMonth / MINUTES_A_MONTH,
			lifeMs: 120_000,
			history: Math.min(12 * perMonth, MOST_HISTORY),
		};
		byMinute.push(await steady({ ...load, polls: 90 }));
		byFiveMinutes.push(await steady({ ...load, polls: 36, intervalMs: 300_000 }));
	}
	const requestsAMonth = ({ mean }: Flow, minutes: number) => rounded((mean * MINUTES_A_MONTH) / minutes);
	const row = (name: string, figure: (perMonth: number, place: number) => string | number) => [
		name,
		...months.map(figure),
	];
	const perPoll = ({ median, most }: Flow) => `${median} (${most} at most)`;
	table(
		'Inquiries a month, each in flight for two minutes, a year of history (a million rows at most)',
		['', ...months.map((perMonth) => perMonth.toLocaleString('en'))],
		[
			row('new inquiries a minute, evenly', (perMonth) => rounded(perMonth / MINUTES_A_MONTH)),
			row('requests of a poll of the trigger, one poll a minute', (_, place) => perPoll(byMinute[place])),
			row('requests a month', (_, place) => requestsAMonth(byMinute[place], 1)),
			row('requests of a poll, one every five minutes', (_, place) => perPoll(byFiveMinutes[place])),
			row('requests a month, one poll every five minutes', (_, place) => requestsAMonth(byFiveMinutes[place], 5)),
			row('saved memory of the trigger, kB', (_, place) => (byMinute[place].bytes / 1_000).toFixed(1)),
			row('batch requests of imports, 250 rows each', (perMonth) => perMonth / ROWS_PER_BATCH),
			row('pages of one look at the batch list, after a year', (perMonth) =>
				Math.ceil((12 * perMonth) / ROWS_PER_BATCH / PAGE),
			),
			row('hours in which a re-run that no poll saw is found, after a year, a page a minute', (perMonth) =>
				rounded((12 * perMonth) / PAGE / 60),
			),
		],
	);
	const goals = months.flatMap((perMonth, place): Goal[] => [
		{
			name: `requests per poll in the median, ${perMonth.toLocaleString('en')} a month`,
			value: byMinute[place].median,
			atMost: BOUNDS[place],
		},
	]);
	return conclude('scaling', goals);
}

/** Of `trigger-flat` for a quiet trigger, and of `trigger-burst` for 500 ends a minute. */
const BOUNDS = [4, 4, 25];

const rounded = (value: number) => Number(value.toPrecision(3));
