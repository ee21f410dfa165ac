/** Answers that clients do not read, over real sockets: what they hold together, and who goes. */
import { createConnection, type Socket } from 'node:net';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenHttp, pathOf, type HttpEnv } from './server.ts';
import { UnreadAnswers } from './unread-answers.ts';

const mebibyte = 1024 * 1024;
/** More than the kernel takes of one, which is some megabytes. */
const answerBytes = 16 * mebibyte;
const bytesMax = 40 * mebibyte;
const waitMs = 10_000;

interface World {
  readonly answers: UnreadAnswers;
  readonly shed: string[];
  /** A client that asks for an answer, by its text and how often it is repeated, and reads nothing. */
  ask(path?: string): Socket;
  skip(ms: number): void;
  /** Changes the bound. */
  limit(bytes: number): void;
}

function serve(): World {
  let skippedMs = 0;
  let bytesMaxNow = bytesMax;
  const shed: string[] = [];
  const answers = new UnreadAnswers({
    get bytesMax() {
      return bytesMaxNow;
    },
    now: () => performance.now() + skippedMs,
    shed: (why) => shed.push(why),
  });
  const app = new Hono<HttpEnv>({ getPath: pathOf });
  app.get('/:text/:length', ({ req }) => {
    const { text, length } = req.param();
    return new Response(answers.body(text.repeat(Number(length))));
  });
  const server = listenHttp({ hostname: '127.0.0.1', port: 0, app });
  onTestFinished(async () => {
    await server.stop(0);
    answers.close();
  });
  return {
    answers,
    shed,
    ask: (path = `/x/${answerBytes}`) => {
      const socket = createConnection({ host: '127.0.0.1', port: server.port });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => socket.destroy());
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
      return socket;
    },
    skip: (ms) => (skippedMs += ms),
    limit: (bytes) => (bytesMaxNow = bytes),
  };
}

/** Reads on; resolves with the bytes of the answer and whether it came whole. */
async function read(socket: Socket): Promise<{ readonly bytes: number; readonly isWhole: boolean }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  const isWhole = (): boolean => chunks.at(-1)?.toString('latin1').endsWith('0\r\n\r\n') === true;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (isWhole()) resolve();
  });
  socket.on('close', () => resolve());
  socket.resume();
  await promise;
  return { bytes: Buffer.concat(chunks).length, isWhole: isWhole() };
}

const until = (holds: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(holds()).toBe(true), { timeout: waitMs, interval: 5 });

test('answers that nobody reads are bounded together: who has not read for longest goes', async () => {
  const { answers, shed, ask } = serve();
  const clients: Socket[] = [];
  for (let each = 1; each <= 10; each += 1) {
    const held = answers.bytes;
    const given = shed.length;
    clients.push(ask());
    await until(() => shed.length > given || answers.bytes > held);
    expect(answers.bytes).toBeLessThanOrEqual(bytesMax);
    expect(answers.bytes).toBeGreaterThan(Math.min(each, 2) * mebibyte);
  }
  const results = await Promise.all(clients.map(read));
  const whole = results.map(({ isWhole }) => isWhole);
  expect(whole).toEqual([...shed.map(() => false), ...whole.slice(shed.length).map(() => true)]);
  expect(shed.length).toBeGreaterThan(0);
  expect(shed.length).toBeLessThan(10);
  expect(new Set(shed)).toEqual(new Set(['memory']));
  await until(() => answers.bytes === 0);
});

test('who reads is not the one to go', async () => {
  const { answers, shed, ask, limit } = serve();
  limit(4 * bytesMax);
  const reader = ask(`/x/${2 * answerBytes}`);
  await until(() => answers.bytes > 0);
  const held = answers.bytes;
  const silent = ask();
  await until(() => answers.bytes > held);
  const both = answers.bytes;
  const { promise, resolve } = Promise.withResolvers<void>();
  const pause = (): void => {
    if (answers.bytes >= both) return;
    reader.pause();
    resolve();
  };
  reader.on('data', pause).resume();
  await promise;
  reader.off('data', pause);
  limit(answers.bytes + (both - held) / 2);
  ask();
  await until(() => shed.length === 1);
  limit(4 * bytesMax);
  expect((await read(silent)).isWhole).toBe(false);
  expect((await read(reader)).isWhole).toBe(true);
});

test('one of which nothing is read for half a minute goes, whoever else waits', async () => {
  const { answers, shed, ask, skip } = serve();
  const silent = ask();
  await until(() => answers.bytes > 0);
  const { bytes } = answers;
  skip(29_000);
  const later = ask();
  await until(() => answers.bytes > 1.5 * bytes);
  skip(2000);
  await until(() => answers.bytes < 1.5 * bytes);
  expect(shed).toEqual(['slow']);
  expect((await read(silent)).isWhole).toBe(false);
  expect((await read(later)).isWhole).toBe(true);
});

test('one alone may be larger than the bound, and one whose client goes is forgotten', async () => {
  const { answers, shed, ask } = serve();
  const alone = ask(`/x/${bytesMax + answerBytes}`);
  await until(() => answers.bytes > bytesMax);
  expect((await read(alone)).isWhole).toBe(true);
  await until(() => answers.bytes === 0);
  const gone = ask();
  await until(() => answers.bytes > 0);
  gone.destroy();
  await until(() => answers.bytes === 0);
  expect(shed).toEqual([]);
});

test('one of a few kilobytes counts as that, smaller ones do not', async () => {
  const { answers, shed, limit } = serve();
  limit(100_000);
  expect(answers.body('x'.repeat(8191))).toBeTypeOf('string');
  for (let each = 0; each < 20; each += 1) expect(answers.body('x'.repeat(10_000))).toBeInstanceOf(ReadableStream);
  await until(() => shed.length === 10);
  expect(answers.bytes).toBe(100_000);
});

test('answers of any length and alphabet arrive byte for byte, also where a piece ends in a character', async () => {
  const { answers } = serve();
  for (const text of ['x', 'é', '😀'])
    for (const length of [0, 1, 10_000, 32_768, 43_691, 65_536, 131_072, 400_000]) {
      const body = answers.body(text.repeat(length));
      expect(await new Response(body).text()).toBe(text.repeat(length));
    }
  expect(answers.bytes).toBe(0);
});
