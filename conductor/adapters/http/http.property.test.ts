/**
 * Whatever bytes come, the server answers or closes, goes on serving others, and what it answers is HTTP
 * and JSON-RPC. Real sockets; nothing that is sent here may end the process.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methodTable } from '#conductor/core/rpc/methods';
import type { Outcome } from '#conductor/core/rpc/message';
import type { HttpListener } from './server.ts';
import { post, RawClient } from './testing/raw-client.ts';
import { unchunked } from './testing/unchunked.ts';
import { serveHttp } from './http.ts';
import { createMetrics } from '../metrics/prometheus.ts';

/** Longest run of one property, milliseconds, on a busy machine. */
const propertyMs = 60_000;

let server: HttpListener;
beforeAll(() => {
  const result: Outcome = { kind: 'result', json: 'true' };
  let calls = 0;
  server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax: 64 * 1024,
    batchItemsMax: 50,
    dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
    version: 'v0',
    metrics: createMetrics('v0'),
    invoke: () => ((calls += 1) % 2 === 0 ? result : Promise.resolve(result)),
    readiness: () => '',
  });
});
afterAll(() => server.stop(0));

/** Sends the pieces, says that nothing more comes, and returns all that came back. */
async function talk(pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const client = new RawClient(server.port);
  for (const piece of pieces) client.send(piece);
  const received = await client.finish().ended();
  client.destroy();
  return received;
}

/**
 * Sends a request and returns all that came back. It keeps its half of the connection open until then: a client that
 * closes it before an answer is there may get none (record 0070).
 */
async function ask(body: string): Promise<string> {
  const client = new RawClient(server.port).send(post(body, 'Content-Type: application/json\r\nConnection: close\r\n'));
  const received = await client.ended();
  client.destroy();
  return received;
}

/** The body of a whole answer; a large one comes in chunks. */
function bodyOf(received: string): string {
  const at = received.indexOf('\r\n\r\n') + 4;
  if (!/^transfer-encoding: chunked\r$/im.test(received.slice(0, at))) return received.slice(at);
  return unchunked(Buffer.from(received.slice(at), 'latin1'));
}

async function expectAlive(): Promise<void> {
  const received = await ask('{"jsonrpc":"2.0","id":7,"method":"conductor_leader"}');
  expect(received).toContain('{"jsonrpc":"2.0","id":7,"result":true}\n');
}

const statusLines = /^(HTTP\/1\.1 \d{3} [A-Z][^\r\n]*\r\n|$)/;

describe('bytes', () => {
  const word = fc.constantFrom(
    'POST',
    'GET',
    ' ',
    '/',
    'HTTP/1.1',
    '\r\n',
    '\n',
    ':',
    'Host: h',
    'Content-Length: ',
    '5',
    'Transfer-Encoding: chunked',
    '0\r\n\r\n',
    '{',
    '\0',
    'é',
    ';',
  );
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
  );

  test(
    'of any kind are answered or the connection is closed',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(noise, { minLength: 1, maxLength: 4 }), async (pieces) => {
          expect(await talk(pieces)).toMatch(statusLines);
        }),
        { numRuns: 400 },
      );
      await expectAlive();
    },
    propertyMs,
  );

  test(
    'changed in a good request do no more harm',
    async () => {
      const good = Buffer.from(post('[{"jsonrpc":"2.0","id":1,"method":"conductor_leader","params":[]}]'));
      const change = fc.tuple(fc.nat(good.length - 1), fc.constantFrom('set', 'insert', 'remove'), fc.nat(255));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
          const bytes = [...good];
          for (const [at, kind, byte] of changes) {
            bytes.splice(at, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [byte]));
          }
          expect(await talk([Uint8Array.from(bytes)])).toMatch(statusLines);
        }),
        { numRuns: 400 },
      );
      await expectAlive();
    },
    propertyMs,
  );
});

describe('JSON', () => {
  const call = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.jsonValue(),
      method: fc.oneof(fc.constantFrom(...methodTable.map(({ name }) => name)), fc.string()),
      params: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    fc.oneof(call, fc.array(call, { maxLength: 60 }), fc.jsonValue()).map((value) => JSON.stringify(value)),
    fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', 'e', 'null', '"id"', '"method"') }),
  );

  test(
    'of any kind is answered with nothing or with JSON-RPC',
    async () => {
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          const received = await ask(text);
          const answer = bodyOf(received);
          expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
          if (answer === '') return;
          const items = [JSON.parse(answer) as { jsonrpc: string; result?: unknown; error?: { code: number } }].flat();
          for (const item of items) {
            expect(item.jsonrpc).toBe('2.0');
            expect('result' in item).toBe(item.error === undefined);
          }
        }),
        { numRuns: 400 },
      );
      await expectAlive();
    },
    propertyMs,
  );

  test('a large answer of a batch comes in chunks, and is JSON-RPC as well', async () => {
    const received = await ask('[{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}]');
    expect(received).toContain('chunked');
    const [answer] = JSON.parse(bodyOf(received)) as [{ id: number; result: { openrpc: string } }];
    expect(answer.id).toBe(1);
    expect(answer.result.openrpc).toMatch(/^1\./);
  });

  test('nested as deep as it fits is refused, not followed', async () => {
    for (const open of ['[', '{"a":', '[{"a":']) {
      const text = `{"jsonrpc":"2.0","id":1,"method":"conductor_leader","params":${open.repeat(60_000 / open.length)}`;
      expect(await ask(text)).toContain('"code":-32700');
    }
    await expectAlive();
  });
});
