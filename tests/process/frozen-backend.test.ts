/** A backend that hangs takes no caller but its own: real process, real sockets, more proxied calls than connections. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, RawClient } from '#conductor/adapters/http/testing/raw-client';
import { proxiesWaitingMax } from '#conductor/core/rpc/proxy';
import { ownProcessorWaitMs, processorWaitMs } from '../cluster/processor-wait.ts';
import { waitFor } from '../cluster/wait.ts';
import { LoneConductor } from './lone-conductor.ts';

const CALLS = 1100;
const PROBES = 40;
const ANSWER_MS_MAX = 50;
const WAIT_MS_MAX = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'conductor-frozen-'));
const conductor = new LoneConductor(join(folder, 'solo'), 'solo');
const clients: RawClient[] = [];

beforeAll(async () => {
  conductor.start(['--raft.bootstrap', '--rpc.enable-proxy']);
  await conductor.answers('conductor_leader', true);
}, 60_000);
afterAll(async () => {
  for (const client of clients) client.destroy();
  await conductor[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function call(method: string, params: readonly unknown[] = []): string {
  return post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
}

const starvedMs = (): number => processorWaitMs(conductor.pid) + ownProcessorWaitMs();

/** The time a request takes on a connection of its own, milliseconds, without what the machine kept from both sides. */
async function timeOf(request: string, answer: RegExp): Promise<number> {
  const began = performance.now() - starvedMs();
  const client = new RawClient(conductor.rpcPort);
  try {
    expect(await client.send(request).until((received) => received.endsWith('\n'))).toMatch(answer);
    return performance.now() - starvedMs() - began;
  } finally {
    client.destroy();
  }
}

test.each([
  ['op-node', 'optimism_syncStatus', []],
  ['execution client', 'eth_getBlockByNumber', ['latest', false]],
])('calls to a frozen %s leave every other caller alone', { timeout: 60_000 }, async (_, method, params) => {
  conductor.freezeNode();
  try {
    const waiting = Array.from({ length: CALLS }, () => new RawClient(conductor.rpcPort).send(call(method, params)));
    clients.push(...waiting);
    // This process needs its time for so many connections, which is not to be mistaken for the server's.
    const hanging = (): number => waiting.filter(({ received, isClosed }) => received === '' && !isClosed).length;
    await waitFor('all but those that hang to be refused', WAIT_MS_MAX, () =>
      hanging() === proxiesWaitingMax ? true : null,
    );
    const times: number[] = [];
    for (let probe = 0; probe < PROBES; probe += 1) {
      times.push(await timeOf(call('conductor_leader'), /"result":true/));
      times.push(await timeOf(call('conductor_clusterMembership'), /"servers":/));
      times.push(await timeOf('GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n', /^HTTP\/1\.1 200 /));
    }
    console.log(`others waited ${Math.max(...times).toFixed(1)} ms at most`);
    expect(Math.max(...times)).toBeLessThan(ANSWER_MS_MAX);
    expect(hanging()).toBe(proxiesWaitingMax);
    // What the conductor asks for itself does not queue behind them.
    expect(await timeOf(call('conductor_sequencerHealthy'), /"result":/)).toBeLessThan(ANSWER_MS_MAX);
  } finally {
    for (const client of clients.splice(0)) client.destroy();
    conductor.thawNode();
  }
  await conductor.answers('conductor_sequencerHealthy', true);
});
