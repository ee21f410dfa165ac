/** Every benchmark by name: what runs it, what it measures beside what, and how long it takes. */
import { benchDisagreement } from './disagreement/disagreement.ts';
import { benchDetection } from './detection.ts';
import { benchFailover } from './failover.ts';
import { benchGaps } from './gaps/gaps.ts';
import { benchIdle } from './idle.ts';
import { benchIncidents } from './incidents/incidents.ts';
import { benchMemory } from './memory.ts';
import type { Amount, BenchRun } from './options.ts';
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
import { benchUpstream } from './upstream/upstream.ts';
import { benchValidation } from './validation/validation.ts';

export interface Benchmark {
  readonly run: (run: BenchRun) => Promise<void>;
  /** What it measures, in a few words. */
  readonly title: string;
  /** What of ours it runs: whole conductors, as operators have them, or parts from their sources. */
  readonly ours: 'conductor' | 'sources';
  /** What its other side is: the node built here on hashicorp/raft, the released op-conductor, or nothing. */
  readonly beside: 'gonode' | 'op-conductor' | 'nothing';
  /** About how long it takes on two cores, both sides together. */
  readonly minutes: Amount;
}

const besideOpConductor = { ours: 'conductor', beside: 'op-conductor' } as const;
const besideRaft = { ours: 'sources', beside: 'gonode' } as const;
const conductorsAlone = { ours: 'conductor', beside: 'nothing' } as const;
const sourcesAlone = { ours: 'sources', beside: 'nothing' } as const;

const table = {
  rpc: {
    ...{ run: benchRpc, title: 'reads and commits over JSON-RPC', ...besideOpConductor },
    minutes: { full: 14, quick: 2 },
  },
  steady: {
    ...{ run: benchSteady, title: 'a block a second: processor time, memory, start', ...besideOpConductor },
    minutes: { full: 6, quick: 1 },
  },
  'leader-kill': {
    ...{ run: benchLeaderKill, title: 'time without a commit after kill −9, by k6', ...besideOpConductor },
    minutes: { full: 3, quick: 0.6 },
  },
  'fan-out': {
    ...{ run: benchFanOut, title: 'flashblocks to 1 000 websocket clients', ...besideOpConductor },
    minutes: { full: 3.5, quick: 0.7 },
  },
  profiles: {
    ...{ run: benchProfiles, title: "the leader's CPU profiles, as folded stacks", ...conductorsAlone },
    minutes: { full: 1, quick: 0.5 },
  },
  gaps: {
    ...{ run: benchGaps, title: 'time without blocks after each harm', ...besideOpConductor },
    minutes: { full: 40, quick: 7 },
  },
  detection: {
    ...{ run: benchDetection, title: 'needless elections under loss and load, in virtual time', ...sourcesAlone },
    minutes: { full: 25, quick: 1.5 },
  },
  realnet: {
    ...{ run: benchRealNet, title: 'kill and transfer with op-node and op-geth', ...besideOpConductor },
    minutes: { full: 6, quick: 2.5 },
  },
  disagreement: {
    ...{ run: benchDisagreement, title: 'log and nodes disagree, on the real net', ...besideOpConductor },
    minutes: { full: 88, quick: 22 },
  },
  incidents: {
    ...{ run: benchIncidents, title: 'public incidents, one by one', ...besideOpConductor },
    minutes: { full: 45, quick: 15 },
  },
  upstream: {
    ...{ run: benchUpstream, title: "op-conductor's own tests, on the real net", ...besideOpConductor },
    minutes: { full: 80, quick: 27 },
  },
  validation: {
    ...{ run: benchValidation, title: 'cost of validated commits, on the real net', ...conductorsAlone },
    minutes: { full: 8.5, quick: 3 },
  },
  failover: {
    ...{ run: benchFailover, title: 'the bare replicated log after kill −9', ...besideRaft },
    minutes: { full: 5, quick: 1 },
  },
  raft: {
    ...{ run: benchRaft, title: 'commits of the bare replicated log', ...besideRaft },
    minutes: { full: 5, quick: 0.7 },
  },
  idle: {
    ...{ run: benchIdle, title: 'processor time of a log without writes', ...besideRaft },
    minutes: { full: 2.5, quick: 0.7 },
  },
  memory: {
    ...{ run: benchMemory, title: 'memory and start of a log after a long load', ...besideRaft },
    minutes: { full: 12, quick: 0.7 },
  },
  sim: {
    ...{ run: benchSimulator, title: 'virtual seconds per second of the simulator', ...sourcesAlone },
    minutes: { full: 1, quick: 0.3 },
  },
  soak: {
    ...{ run: benchSoak, title: 'ten minutes of blocks, reads and subscribers', ...conductorsAlone },
    minutes: { full: 10.5, quick: 0.4 },
  },
  site: {
    ...{ run: benchSite, title: 'building and editing the documentation', ...sourcesAlone },
    minutes: { full: 2, quick: 0.7 },
  },
} as const satisfies Readonly<Record<string, Benchmark>>;

export type BenchmarkName = keyof typeof table;
export const benchmarks: Readonly<Record<BenchmarkName, Benchmark>> = table;
/** What `npm run bench` runs without a name, in this order. */
export const inEveryRun = Object.keys(table) as readonly BenchmarkName[];
