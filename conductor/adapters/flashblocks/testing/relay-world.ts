/**
 * A relay on real sockets with short times, for tests: a source, clients, counted metrics. All of it is
 * taken down after each test.
 */
import { onTestFinished } from 'vitest';
import type { WithheldReason } from '#conductor/core/flashblocks';
import { monotonicMs } from '../../clock/clock.ts';
import { flashblocksLimits, type FlashblocksLimits } from '../limits.ts';
import { connectFlashblocks } from '../relay.ts';
import { FakeSource } from './fake-source.ts';
import { rawClient, type RawClient } from './raw-websocket.ts';

/** Longest wait for anything; far above what it takes. */
const waitMs = 20_000;
export const testTimeoutMs = 3 * waitMs;

export const quickLimits: FlashblocksLimits = {
  ...flashblocksLimits,
  startTriesMax: 2,
  reconnectMs: 50,
  dialMs: 2000,
  sweepMs: 20,
};

/** Runs after the test, last one first. */
export function afterwards(cleanup: () => unknown): void {
  onTestFinished(async () => {
    await cleanup();
  });
}

/** Waits for a condition. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + waitMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`${what} did not happen within ${waitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Counts by name and labels, gauges by name. */
export class Counts {
  readonly seen = new Map<string, number>();
  readonly gauges = new Map<string, number>();
  readonly lines: string[] = [];
  readonly metrics = {
    count: (name: string, labels: Readonly<Record<string, string>> = {}) => {
      const key = [name, ...Object.entries(labels).map(([label, value]) => `${label}=${value}`)].join(' ');
      this.seen.set(key, this.of(key) + 1);
    },
    gauge: (name: string, value: number) => void this.gauges.set(name, value),
    observe: () => undefined,
  };
  readonly logger = {
    log: (level: string, message: string, fields: unknown = {}) =>
      void this.lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
  };
  get clients(): number {
    return this.gauges.get('websocket_clients_connected') ?? 0;
  }
  of(key: string): number {
    return this.seen.get(key) ?? 0;
  }
  dropped(reason: string): number {
    return this.of(`flashblocks_clients_dropped_total reason=${reason}`);
  }
}

/** A relay that listens on a port of its own. */
export async function startRelay(url: string, changes: Partial<FlashblocksLimits> = {}) {
  const counts = new Counts();
  const world = { withheld: null as WithheldReason | null, counts, port: 0 };
  const limits = { ...quickLimits, ...changes };
  const { metrics, logger } = counts;
  const relay = await connectFlashblocks({ sourceUrl: url, metrics, logger, now: monotonicMs, limits });
  afterwards(() => relay.stop());
  world.port = relay.listen({ hostname: '127.0.0.1', port: 0, withheld: () => world.withheld }).port;
  return { relay, ...world, setWithheld: (reason: WithheldReason | null) => (world.withheld = reason) };
}

/** A source that is stopped after the test. */
export function newSource(): FakeSource {
  const source = new FakeSource();
  afterwards(() => source.stop());
  return source;
}

/** A client that remembers everything. */
export async function listen(port: number) {
  const got: (string | Buffer)[] = [];
  const state = { closed: 0 };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  socket.binaryType = 'nodebuffer';
  socket.addEventListener('message', (event) => got.push(event.data as string | Buffer));
  socket.addEventListener('close', (event) => (state.closed = event.code));
  afterwards(() => socket.terminate());
  await until('the upgrade', () => socket.readyState === WebSocket.OPEN || state.closed > 0);
  return { got, state, socket };
}

/** A bare connection. */
export function raw(port: number, bytes: string | Uint8Array, isDeaf = false): RawClient {
  const client = rawClient(port, bytes, isDeaf);
  afterwards(() => client.socket.destroy());
  return client;
}
