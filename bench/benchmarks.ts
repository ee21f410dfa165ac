/** Every benchmark by name: what runs it, what it needs to be compared with, and how long it takes. */
import { benchFailover } from './failover.ts';
import { benchGaps } from './gaps/gaps.ts';
import { benchIdle } from './idle.ts';
import { benchMemory } from './memory.ts';
import type { Amount, BenchOptions } from './options.ts';
import { benchProfiles } from './profiles/profiles.ts';
import { benchRaft } from './raft.ts';
import { benchRealNet } from './realnet/realnet.ts';
import { benchFanOut } from './rpc/fan-out.ts';
import { benchLeaderKill } from './rpc/leader-kill.ts';
import { benchRpc } from './rpc/rpc.ts';
import { benchSoak } from './rpc/soak.ts';
import { benchSimulator } from './sim.ts';
import { benchSite } from './site.ts';
import { benchSteady } from './steady/steady.ts';

export interface Benchmark {
  readonly run: (options: BenchOptions) => Promise<void>;
  /** What its other side is: the node built here on hashicorp/raft, the released op-conductor, or nothing. */
  readonly beside: 'gonode' | 'op-conductor' | 'nothing';
  /** About how long it takes on two cores, both sides together. */
  readonly minutes: Amount;
}

const table = {
  rpc: { run: benchRpc, beside: 'op-conductor', minutes: { full: 14, quick: 2 } },
  steady: { run: benchSteady, beside: 'op-conductor', minutes: { full: 6, quick: 1 } },
  'leader-kill': { run: benchLeaderKill, beside: 'op-conductor', minutes: { full: 3, quick: 0.6 } },
  'fan-out': { run: benchFanOut, beside: 'op-conductor', minutes: { full: 3.5, quick: 0.7 } },
  profiles: { run: benchProfiles, beside: 'nothing', minutes: { full: 1, quick: 0.5 } },
  gaps: { run: benchGaps, beside: 'op-conductor', minutes: { full: 40, quick: 7 } },
  realnet: { run: benchRealNet, beside: 'op-conductor', minutes: { full: 6, quick: 2.5 } },
  failover: { run: benchFailover, beside: 'gonode', minutes: { full: 5, quick: 1 } },
  raft: { run: benchRaft, beside: 'gonode', minutes: { full: 5, quick: 0.7 } },
  idle: { run: benchIdle, beside: 'gonode', minutes: { full: 2.5, quick: 0.7 } },
  memory: { run: benchMemory, beside: 'gonode', minutes: { full: 12, quick: 0.7 } },
  sim: { run: benchSimulator, beside: 'nothing', minutes: { full: 1, quick: 0.3 } },
  soak: { run: benchSoak, beside: 'nothing', minutes: { full: 10.5, quick: 0.4 } },
  site: { run: benchSite, beside: 'nothing', minutes: { full: 2, quick: 0.7 } },
} as const satisfies Readonly<Record<string, Benchmark>>;

export type BenchmarkName = keyof typeof table;
export const benchmarks: Readonly<Record<BenchmarkName, Benchmark>> = table;
/** What `npm run bench` runs without a name, in this order. */
export const inEveryRun = Object.keys(table) as readonly BenchmarkName[];
