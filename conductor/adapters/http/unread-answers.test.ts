/** Answers that clients do not read, over real sockets: what they hold together, and who goes. */
import { createConnection, type Socket } from 'node:net';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenHttp, pathOf, type HttpEnv } from './server.ts';
import { UnreadAnswers } from './unread-answers.ts';

const mebibyte = 1024 * 1024;
const answerBytes = 8 * mebibyte;
const bytesMax = 4 * answerBytes;
const waitMs = 10_000;

interface World {
  readonly answers: UnreadAnswers;
  readonly shed: string[];
  /** A client that asks for an answer, by its text and how often it is repeated, and reads nothing. */
  ask(path?: string): Socket;
  skip(ms: number): void;
}

function serve(): World {
  let skippedMs = 0;
  const shed: string[] = [];
  const answers = new UnreadAnswers({
    bytesMax,
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
  for (let each = 1; each <= 12; each += 1) {
    clients.push(ask());
    await until(() => answers.bytes === Math.min(each, 4) * answerBytes && shed.length === Math.max(0, each - 4));
  }
  expect(shed).toEqual(Array.from({ length: 8 }, () => 'memory'));
  const results = await Promise.all(clients.map(read));
  expect(results.map(({ isWhole }) => isWhole)).toEqual([...Array(8).fill(false), ...Array(4).fill(true)]);
  await until(() => answers.bytes === 0);
});

test('who reads is not the one to go', async () => {
  const { answers, shed, ask } = serve();
  const reader = ask(`/x/${3 * answerBytes}`);
  await until(() => answers.bytes === 3 * answerBytes);
  const silent = ask();
  await until(() => answers.bytes === 4 * answerBytes);
  // What the kernel holds is read, so the socket takes another piece.
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  reader.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes < 2 * answerBytes) return;
    reader.pause();
    resolve();
  });
  reader.resume();
  await promise;
  reader.removeAllListeners('data');
  ask();
  await until(() => shed.length === 1);
  expect((await read(silent)).isWhole).toBe(false);
  expect((await read(reader)).isWhole).toBe(true);
});

test('one of which nothing is read for half a minute goes, whoever else waits', async () => {
  const { answers, shed, ask, skip } = serve();
  const silent = ask();
  await until(() => answers.bytes === answerBytes);
  skip(29_000);
  const later = ask();
  await until(() => answers.bytes === 2 * answerBytes);
  skip(2000);
  await until(() => answers.bytes === answerBytes);
  expect(shed).toEqual(['slow']);
  expect((await read(silent)).isWhole).toBe(false);
  expect((await read(later)).isWhole).toBe(true);
});

test('one alone may be larger than the bound, and one whose client goes is forgotten', async () => {
  const { answers, shed, ask } = serve();
  const alone = ask(`/x/${bytesMax + mebibyte}`);
  await until(() => answers.bytes === bytesMax + mebibyte);
  expect((await read(alone)).isWhole).toBe(true);
  const gone = ask();
  await until(() => answers.bytes === answerBytes);
  gone.destroy();
  await until(() => answers.bytes === 0);
  expect(shed).toEqual([]);
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
