/**
 * Fifty bodies of 5 MB and four of 60 MB at once, twenty times over, to the leader of three conductors that make
 * blocks: leadership stays, blocks go on, other callers are answered, and memory stays bounded.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope } from '#conductor/core/payload/envelope';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { ownProcessorWaitMs, processorWaitMs } from '../cluster/processor-wait.ts';
import { waitFor } from '../cluster/wait.ts';

const MEGABYTE = 1_000_000;
const ROUNDS = 20;
/** How large and how many. */
const BODIES = [
  { bytes: 5 * MEGABYTE, count: 50 },
  { bytes: 60 * MEGABYTE, count: 4 },
];
const ROUND_MS_MAX = 60_000;
const ANSWER_MS_MAX = 150;
const RESIDENT_BYTES_MAX = 400 * MEGABYTE;
const PROBE_MS = 10;

const folder = mkdtempSync(join(tmpdir(), 'conductor-bodies-'));
const cluster = new ServiceCluster({
  implementations: ['bun', 'bun', 'bun'],
  settings: { healthIntervalSeconds: 1, unsafeIntervalSeconds: 10 },
});
beforeAll(() => cluster.form(), 120_000);
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Writes a request that commits a valid block of another chain; the words name it for the sender. */
function requestFile(bytes: number, count: number): string {
  const transactions = Array.from({ length: bytes / 1000 }, (_, at) => new Uint8Array(498).fill(at));
  const params = [formatEnvelope(buildBlock({ parent: null, timestamp: 1_700_000_000, transactions }))];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'conductor_commitUnsafePayload', params });
  const head = ['POST / HTTP/1.1', 'Host: h', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  const path = join(folder, `${bytes}.http`);
  writeFileSync(path, `${head.join('\r\n')}\r\n\r\n${body}`);
  return `${path}=${count}`;
}

function residentPeakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Infinity) * 1024;
}

/**
 * Asks who leads, again and again; tells the longest wait, the longest without the time in which server or test stood
 * ready and got no processor, and how often the answer was not `true`.
 */
class Prober {
  readonly #node: ServiceNode;
  #isStopped = false;
  longestMs = 0;
  longestOwnMs = 0;
  denied = 0;
  readonly ended: Promise<void>;

  constructor(node: ServiceNode) {
    this.#node = node;
    this.ended = this.#run();
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.ended;
  }

  #starvedMs(): number {
    return processorWaitMs(this.#node.conductor.pid) + ownProcessorWaitMs();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now();
      const starvedMs = this.#starvedMs();
      const leads = await this.#node.callConductor('conductor_leader', [], ROUND_MS_MAX);
      const waitMs = performance.now() - began;
      this.longestMs = Math.max(this.longestMs, waitMs);
      this.longestOwnMs = Math.max(this.longestOwnMs, waitMs - (this.#starvedMs() - starvedMs));
      if (leads !== true) this.denied += 1;
      await Bun.sleep(PROBE_MS);
    }
  }
}

test('large legitimate bodies cannot cost the lead', { timeout: 600_000 }, async () => {
  const leader = await cluster.steady();
  const files = BODIES.map(({ bytes, count }) => requestFile(bytes, count));
  const sender = Bun.spawn(
    [process.execPath, join(import.meta.dirname, 'body-sender.ts'), leader.addresses.rpc.split(':')[1] ?? '', ...files],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
  );
  try {
    const lines: string[] = [];
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of sender.stdout) lines.push(...decoder.decode(chunk).trimEnd().split('\n'));
    })();
    const before = cluster.highest;
    const prober = new Prober(leader);
    for (let round = 1; round <= ROUNDS; round += 1) {
      sender.stdin.write('\n');
      await sender.stdin.flush();
      await waitFor(`the answers of round ${round}`, ROUND_MS_MAX, () => (lines.length >= round ? true : null));
    }
    await prober.stop();
    const peak = residentPeakBytes(leader.conductor.pid);
    console.log(
      `answers ${lines.join(' ')}; others waited ${Math.round(prober.longestMs)} ms at most, ${Math.round(prober.longestOwnMs)} with a processor; peak ${Math.round(peak / MEGABYTE)} MB`,
    );
    expect(prober.denied).toBe(0);
    expect(await cluster.leader()).toBe(leader);
    for (const line of lines) expect(JSON.parse(line)).toEqual({ '200': 54 });
    expect(cluster.highest).toBeGreaterThan(before + ROUNDS / 2);
    expect(peak).toBeLessThan(RESIDENT_BYTES_MAX);
    expect(prober.longestOwnMs).toBeLessThan(ANSWER_MS_MAX);
  } finally {
    sender.kill();
  }
  await cluster.steady();
  expect(cluster.brokenLaws()).toEqual([]);
});
