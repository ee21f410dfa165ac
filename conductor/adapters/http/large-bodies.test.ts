/** Large bodies share the process with everything else, however many are complete at once. Real sockets. */
import { afterEach, expect, test } from 'vitest';
import { blockHash } from '#conductor/core/payload/block-hash';
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope } from '#conductor/core/payload/envelope';
import { EnvelopeError, parseEnvelope } from '#conductor/core/payload/parse-envelope';
import type { ParamValue } from '#conductor/core/rpc/params';
import type { HttpListener } from './server.ts';
import { post, RawClient } from './testing/raw-client.ts';
import { serveHttp } from './http.ts';
import { createMetrics } from '../metrics/prometheus.ts';

const mebibyte = 1024 * 1024;

let server: HttpListener | null = null;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await server?.stop(0);
});

/** Serves calls with `true`; counts the turns of the event loop, and keeps at which a commit was read, and as what. */
function serve(bodyBytesMax: number): { readonly readAt: number[]; readonly read: ParamValue[] } {
  const readAt: number[] = [];
  const read: ParamValue[] = [];
  let turn = 0;
  const count = (): void => {
    turn += 1;
    if (server !== null) setImmediate(count);
  };
  server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax,
    batchItemsMax: 10,
    dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
    version: 'v0',
    metrics: createMetrics('v0'),
    invoke: ({ method, values: [value] }) => {
      if (method === 'conductor_commitUnsafePayload') {
        readAt.push(turn);
        read.push(value!);
      }
      return { kind: 'result', json: 'true' };
    },
    readiness: () => '',
  });
  setImmediate(count);
  return { readAt, read };
}

function connect(): RawClient {
  const client = new RawClient(server?.port ?? 0);
  clients.push(client);
  return client;
}

/** A commit whose body has about this many bytes. */
function commit(bytes: number): string {
  const transactions = Array.from({ length: Math.ceil(bytes / 8192) }, (_, at) => new Uint8Array(4096).fill(at));
  const block = buildBlock({ parent: null, timestamp: 1_700_000_000, transactions });
  const params = [formatEnvelope(block)];
  return post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'conductor_commitUnsafePayload', params }));
}

/** Whether a commit was read without a text of the whole, and its block has the hash that it says. */
function isWhole(value: ParamValue): boolean {
  const envelope = parseEnvelope((value as { readonly payload: unknown }).payload);
  if (envelope instanceof EnvelopeError || envelope.executionPayload.packedTransactions === undefined) return false;
  return Buffer.from(blockHash(envelope)).equals(envelope.executionPayload.blockHash);
}

const isAnswered = (received: string): boolean => received.includes('"result":true');

test.each([
  ['a hundred kilobytes', 100 * 1024],
  ['half a megabyte', mebibyte / 2],
  ['two megabytes', 2 * mebibyte],
])('bodies of %s that are complete at once are read in turns of their own', async (_, bytes) => {
  const { readAt } = serve(64 * mebibyte);
  const body = commit(bytes);
  const senders = Array.from({ length: 12 }, connect);
  for (const sender of senders) sender.send(body.slice(0, -1));
  await connect().send(post('{"jsonrpc":"2.0","id":1,"method":"conductor_leader"}')).until(isAnswered);
  for (const sender of senders) sender.send('}');
  for (const sender of senders) expect(await sender.until(isAnswered)).toMatch(/^HTTP\/1\.1 200 /);
  expect(readAt).toHaveLength(12);
  expect(new Set(readAt).size).toBe(12);
});

test('one of many megabytes is read in many turns', async () => {
  serve(64 * mebibyte);
  const body = commit(48 * mebibyte);
  const sender = connect().send(body.slice(0, -1));
  const asker = connect();
  const ask = async (): Promise<void> => {
    const count = asker.received.split('"result":true').length;
    asker.send(post('{"jsonrpc":"2.0","id":1,"method":"conductor_leader"}'));
    await asker.until((received) => received.split('"result":true').length > count);
  };
  await ask();
  sender.send('}');
  let asked = 0;
  while (!isAnswered(sender.received)) {
    await ask();
    asked += 1;
  }
  expect(asked).toBeGreaterThan(4);
});

test('one of many megabytes is read whole while small ones are read between its turns', async () => {
  const { read } = serve(64 * mebibyte);
  const large = connect().send(commit(48 * mebibyte));
  const small = commit(20 * 1024);
  const sender = connect();
  let answers = 0;
  while (!isAnswered(large.received)) {
    answers += 1;
    sender.send(small);
    await sender.until((received) => received.split('"result":true').length > answers);
  }
  expect(answers).toBeGreaterThan(4);
  expect(read).toHaveLength(answers + 1);
  expect(read.map(isWhole)).not.toContain(false);
});

test('more than there is room for wait unread, and all are answered', async () => {
  serve(8 * mebibyte);
  const body = commit(7 * mebibyte);
  const senders = Array.from({ length: 10 }, () => connect().send(body));
  for (const sender of senders) expect(await sender.until(isAnswered)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a large body that stops arriving gives its room to one that waits, and is told', async () => {
  serve(8 * mebibyte);
  const body = commit(7 * mebibyte);
  const stopped = Array.from({ length: 3 }, () => connect().send(body.slice(0, -1)));
  await connect().send(post('{"jsonrpc":"2.0","id":1,"method":"conductor_leader"}')).until(isAnswered);
  const waiting = connect().send(body);
  expect(await waiting.until(isAnswered)).toMatch(/^HTTP\/1\.1 200 /);
  const refused = await Promise.race(stopped.map((client) => client.ended()));
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*[^]*too many bodies arrive at once/);
});

test('a large body of a client that goes while it is read harms nobody', async () => {
  const { readAt } = serve(8 * mebibyte);
  const body = commit(7 * mebibyte);
  for (let each = 0; each < 8; each += 1) {
    const gone = connect();
    gone.send(body);
    await connect().send(post('{"jsonrpc":"2.0","id":1,"method":"conductor_leader"}')).until(isAnswered);
    gone.destroy();
  }
  expect(await connect().send(body).until(isAnswered)).toMatch(/^HTTP\/1\.1 200 /);
  expect(readAt.length).toBeGreaterThan(0);
});
