/** Ways in which a leader falls silent without a connection being closed, and how long it then takes until another one leads. */
import { timersOf, type Timers } from './hardship.ts';
import { TestCluster, type TestClusterOptions } from './cluster.ts';

/** So long a leader has led, and more, when it falls silent: longer than learning and the promises before it take. */
const STANDING_MS = 4000;
const SEED_STEP_MS = 13.7;

/** By what happened. */
export const silences = {
  'its process is frozen': (cluster: TestCluster, leader: string) => cluster.freeze(leader),
  'it is cut off both ways': (cluster: TestCluster, leader: string) => cluster.isolate(leader),
  'it hears nobody': (cluster: TestCluster, leader: string) => {
    for (const other of cluster.servers.keys()) if (other !== leader) cluster.cut(other, leader);
  },
  'nobody hears it': (cluster: TestCluster, leader: string) => {
    for (const other of cluster.servers.keys()) if (other !== leader) cluster.cut(leader, other);
  },
} as const;

export type Silence = keyof typeof silences;

/** Milliseconds from the silence of a leader of long standing until another one leads. */
export async function detectionMs(
  silence: Silence,
  { timers = 'learned', seed, ...options }: TestClusterOptions & { readonly timers?: Timers; readonly seed: number },
): Promise<number> {
  const cluster = await TestCluster.form({ seed, delayMs: { min: 0.2, max: 2 }, ...timersOf(timers), ...options });
  cluster.run(STANDING_MS + SEED_STEP_MS * seed);
  const leader = cluster.leader()!;
  const { term } = cluster.status(leader)!;
  const sinceMs = cluster.nowMs;
  silences[silence](cluster, leader);
  cluster.runUntil(() => {
    const next = cluster.leader();
    return next !== null && cluster.status(next)!.term > term;
  });
  return cluster.nowMs - sinceMs;
}
