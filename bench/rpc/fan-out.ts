/**
 * `npm run bench -- fan-out`: flashblocks of 5 kB from one source through the leader to 1 000 websocket clients of k6;
 * how old they are when they arrive, whether any is lost, and what a message to a client costs the server.
 */
import type { ConductorProcess, Conductors } from './conductors.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { runDirectory } from '../directories.ts';
import { FlashblocksSource } from './flashblocks-source.ts';
import { benchScript, valueOf, type ScriptMeasured } from './k6-script-rounds.ts';
import { runK6 } from './k6.ts';

const CLIENTS = 1000;
const ROUNDS = { full: 3, quick: 1 };
const SECONDS = { full: 20, quick: 6 };
/** As rollup-boost sends them. */
const FLASHBLOCK_MS = 250;
const P99_MS_MAX = 1000;

export async function benchFanOut(options: BenchRun): Promise<void> {
  const seconds = amountAt(options, SECONDS);
  const source = new FlashblocksSource(FLASHBLOCK_MS);
  try {
    await benchScript(options, {
      name: 'fan-out',
      rounds: amountAt(options, ROUNDS),
      sides: options.sides,
      method: { clients: CLIENTS, seconds, flashblockMs: FLASHBLOCK_MS },
      flagsOf: () => [`--rollupboost.ws-url=${source.url}`],
      play: (cluster, k6) => playOnce(cluster, k6, seconds),
    });
  } finally {
    await source.stop();
  }
}

async function playOnce(
  { leader }: Conductors,
  k6: string,
  seconds: number,
): Promise<Omit<ScriptMeasured, 'side' | 'round'>> {
  const settings = {
    WS_URL: webSocketUrl(leader),
    CLIENTS: String(CLIENTS),
    SECONDS: String(seconds),
    P99_MS_MAX: String(P99_MS_MAX),
  };
  const cpuBefore = leader.cpuMs();
  const run = await runK6(k6, 'fan-out.ts', settings, runDirectory());
  const cpuMs = leader.cpuMs() - cpuBefore;
  const received = valueOf(run, 'messages_received', 'count');
  const lost = valueOf(run, 'messages_lost', 'count');
  const values = {
    p50Ms: valueOf(run, 'message_age', 'med'),
    p99Ms: valueOf(run, 'message_age', 'p(99)'),
    cpuMicros: (cpuMs * 1000) / received,
    received,
    lostPercent: (lost / (received + lost)) * 100,
    residentMb: leader.residentMb(),
  };
  return { failedThresholds: run.failedThresholds, values };
}

/** Where a conductor passes flashblocks on. */
export function webSocketUrl({ websocketPort }: ConductorProcess): string {
  return `ws://127.0.0.1:${websocketPort}/ws`;
}
