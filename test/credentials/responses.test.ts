import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { inTime, parsedBody, wholeResponse } from '../../credentials/responses';

const megabyte = Buffer.alloc(1024 * 1024, ' ');
const response = (chunks: Buffer[]) => async () => ({ statusCode: 200, headers: {}, body: Readable.from(chunks) });
const bodyOf = async (chunks: Buffer[]) => (await wholeResponse(response(chunks) as never, 10_000)).body;

it('a body in one piece and in several is whole, and read no further than 64 MB', async () => {
	expect(await bodyOf([Buffer.from('{}')])).toEqual(Buffer.from('{}'));
	expect(parsedBody(await bodyOf(['{"a":', '[1,', '2]}'].map((text) => Buffer.from(text))))).toEqual({ a: [1, 2] });
	expect(await bodyOf(Array<Buffer>(64).fill(megabyte))).toHaveLength(64 * 1024 * 1024);
	await expect(bodyOf([...Array<Buffer>(64).fill(megabyte), Buffer.from(' ')])).rejects.toMatchObject({
		code: 'EMSGSIZE',
	});
});

it('JSON of 250,000 values is read, and of one more is text', () => {
	const list = (values: number) => Buffer.from(`[${Array<number>(values).fill(1).join()}]`);
	expect(parsedBody(list(250_000))).toHaveLength(250_000);
	expect(typeof parsedBody(list(250_001))).toBe('string');
});

it('what came in time leaves no listener behind, and what does not fails', async () => {
	const made: AbortSignal[] = [];
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		made.push(timeout(ms));
		return made.at(-1)!;
	});
	expect(await inTime(Promise.resolve('answer'), 10_000)).toBe('answer');
	expect(made.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0]);
	await expect(inTime(new Promise(() => {}), 5)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
	jest.restoreAllMocks();
});
