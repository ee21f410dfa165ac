/**
 * What clients that do not read, do not finish or do nothing cost a conductor: memory within bounds, and no time of
 * others. Real process, real sockets.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { post, RawClient } from '#conductor/adapters/http/testing/raw-client';
import { descriptorLimit } from '#conductor/adapters/system/descriptors';
import { waitFor } from '../cluster/wait.ts';
import { LoneConductor } from './lone-conductor.ts';

const MEGABYTE = 1_000_000;
const WAIT_MS_MAX = 20_000;
const UNREAD = 100;
const ANSWER_BYTES = 5 * MEGABYTE;
/** Fewer than wait for a backend at once. */
const ASKED_AT_ONCE = 4;
const UNREAD_BYTES_MAX = 150 * MEGABYTE;
const IDLE = 5000;
const SLOW = 1100;
const HELD_BYTES_MAX = 100 * MEGABYTE;
const PROBES = 200;
const ROUNDS = 3;
const ANSWER_MS_MAX = 20;
/** On a machine that is slow without them, so much slower than that. */
const SLOWDOWN_MAX = 2;

const folder = mkdtempSync(join(tmpdir(), 'conductor-bounds-'));
const conductor = new LoneConductor(join(folder, 'solo'), 'solo');
const sockets: Socket[] = [];

beforeAll(async () => {
  conductor.largeBlockBytes = ANSWER_BYTES;
  conductor.start(['--raft.bootstrap', '--rpc.enable-proxy']);
  await conductor.answers('conductor_leader', true);
}, 60_000);
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await conductor[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Connects, sends and reads nothing. */
function silent(bytes: string): Socket {
  const socket = createConnection({ host: '127.0.0.1', port: conductor.rpcPort });
  sockets.push(socket);
  socket.on('error', () => socket.destroy());
  socket.pause();
  if (bytes !== '') socket.write(bytes);
  return socket;
}

/** The value of a line of the metrics page; 0 where there is none. */
async function metric(pattern: RegExp): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${conductor.metricsPort}/metrics`)).text();
  return Number(pattern.exec(page)?.[1] ?? 0);
}

test('a hundred answers of 5 MB that nobody reads hold 150 MB at most', { timeout: 60_000 }, async () => {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getBlockByNumber',
    params: [LoneConductor.LARGE_BLOCK_HEIGHT, false],
  };
  const request = post(JSON.stringify(body));
  const answered = /^op_conductor_rpc_server_responses_total\{[^}]*method="eth_getBlockByNumber"[^}]*\} (\d+)$/m;
  for (let asked = ASKED_AT_ONCE; asked <= UNREAD; asked += ASKED_AT_ONCE) {
    for (let each = 0; each < ASKED_AT_ONCE; each += 1) silent(request);
    await waitFor('the answers to be there', WAIT_MS_MAX, async () =>
      (await metric(answered)) >= asked ? true : null,
    );
  }
  const shed = await metric(/^op_conductor_http_connections_shed_total\{reason="memory"\} (\d+)$/m);
  // What is left after the answers were made is the collector's, which takes its time.
  const held = await waitFor(`${UNREAD_BYTES_MAX} bytes to be enough`, WAIT_MS_MAX, () => {
    const bytes = conductor.residentBytes();
    return bytes < UNREAD_BYTES_MAX ? bytes : null;
  });
  console.log(`${Math.round(held / MEGABYTE)} MB, ${shed} given up`);
  expect(shed).toBeGreaterThan(0);
  const last = sockets.at(-1) as Socket;
  let bytes = 0;
  last.on('data', (chunk: Buffer) => (bytes += chunk.length));
  last.resume();
  await waitFor('the last answer to arrive', WAIT_MS_MAX, () => (bytes > ANSWER_BYTES ? true : null));
});

/** The 99th percentile of the times of reads on connections of their own, milliseconds: the best of some rounds. */
async function slowestRead(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: number[] = [];
    for (let probe = 0; probe < PROBES; probe += 1) {
      const began = performance.now();
      const client = new RawClient(conductor.rpcPort);
      client.send(post('{"jsonrpc":"2.0","id":1,"method":"conductor_leader"}'));
      expect(await client.until((received) => received.endsWith('\n'))).toContain('"result":true');
      times.push(performance.now() - began);
      client.destroy();
    }
    rounds.push(times.toSorted((a, b) => a - b)[Math.floor(PROBES * 0.99) - 1] ?? Infinity);
  }
  return Math.min(...rounds);
}

test('5,000 idle and 1,100 slow connections cost others nothing', { timeout: 120_000 }, async (context) => {
  if (descriptorLimit() < 2 * (IDLE + SLOW)) context.skip('too few files may be open');
  const bytesBefore = conductor.residentBytes();
  const before = await slowestRead();
  for (let each = 0; each < IDLE; each += 1) silent('');
  const begun = `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 30000\r\n\r\n${'['.repeat(20_000)}`;
  for (let each = 0; each < SLOW; each += 1) silent(begun);
  await waitFor('all to be connected', WAIT_MS_MAX, () =>
    sockets.every(({ readyState, writableLength }) => readyState === 'open' && writableLength === 0) ? true : null,
  );
  const during = await slowestRead();
  const held = conductor.residentBytes() - bytesBefore;
  console.log(`p99 ${before.toFixed(1)} ms before, ${during.toFixed(1)} with them; ${Math.round(held / MEGABYTE)} MB`);
  expect(during).toBeLessThan(Math.max(ANSWER_MS_MAX, SLOWDOWN_MAX * before));
  expect(held).toBeLessThan(HELD_BYTES_MAX);
});
