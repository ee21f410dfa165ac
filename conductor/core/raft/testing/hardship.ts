/**
 * What a network, a processor and a disk do to a cluster of which nobody dies, and how often its leadership changes all
 * the same: each time is a needless election. Messages travel as over TCP: what is lost comes later, and holds up
 * what was sent after it. The flag's timers, learned ones and hashicorp's are put through the same.
 */
import { TestCluster, type TestClusterOptions } from './cluster.ts';
import { seeded } from './virtual-time.ts';

export interface Hardship {
  readonly name: string;
  readonly linkMs?: TestClusterOptions['linkMs'];
  readonly writeMs?: TestClusterOptions['writeMs'];
  /** A server stands still for so long … */
  readonly stallMs?: { readonly min: number; readonly max: number };
  /** … this often, on average; each server for itself. */
  readonly stallEveryMs?: number;
}

/** Which timers all three servers have. */
export type Timers = 'learned' | 'fixed' | 'hashicorp';

/** Linux sends again after 200 ms and a round trip, then after twice that, and so on. */
const RETRANSMISSION_MS = 200;
const IDS = ['n1', 'n2', 'n3'];

type Link = NonNullable<TestClusterOptions['linkMs']>;

/** Delays between `min` and `max`, and a share of messages lost each time they are sent. */
function lossy(loss: number, min = 0.2, max = 1): Link {
  return (_from, _to, random) => {
    let delayMs = min + random() * (max - min);
    let againMs = RETRANSMISSION_MS + 2 * delayMs;
    while (random() < loss) {
      delayMs += againMs;
      againMs *= 2;
    }
    return delayMs;
  };
}

const asymmetric: Link = (from, to, random) => (from < to ? 120 : 5) + random() * 10;

/** A disk that now and then takes a while, as when a cloud volume is throttled. */
function slowDisk(usualMs: number, rarelyMs: number): NonNullable<TestClusterOptions['writeMs']> {
  return (random) => (random() < 0.02 ? rarelyMs * (0.5 + random() / 2) : usualMs * (0.5 + random()));
}

/** Everything that rule 34 names. */
export const hardships: readonly Hardship[] = [
  { name: 'nothing' },
  ...[1, 2, 5, 10, 20].map((percent) => ({ name: `loss of ${percent} %`, linkMs: lossy(percent / 100) })),
  ...[20, 50, 100, 200].map((ms) => ({ name: `jitter to ${ms} ms`, linkMs: lossy(0, 0.2, ms) })),
  { name: 'round trips of 300 ms', linkMs: lossy(0, 149, 151) },
  { name: 'round trips of 300 ms, loss of 1 %', linkMs: lossy(0.01, 149, 151) },
  { name: 'delay of 120 ms one way, 5 ms the other', linkMs: asymmetric },
  { name: 'starved of processor time', stallMs: { min: 20, max: 180 }, stallEveryMs: 400 },
  { name: 'busy: standing still for up to 60 ms', stallMs: { min: 1, max: 60 }, stallEveryMs: 150 },
  { name: 'writes of 5 ms, one in fifty of up to 400 ms', writeMs: slowDisk(5, 400) },
  { name: 'writes of 20 ms, one in fifty of up to 800 ms', writeMs: slowDisk(20, 800) },
];

/** What gives all servers of a cluster these timers. */
export function timersOf(timers: Timers): TestClusterOptions {
  return { raft: { learnedTimeouts: timers === 'learned' }, ...(timers === 'hashicorp' ? { goLike: IDS } : {}) };
}

/** Elections in `ms` of virtual time after the cluster has formed and settled, with a proposal in each second. */
export async function needlessElections(
  { linkMs, writeMs, stallMs, stallEveryMs }: Hardship,
  { timers, seed, ms }: { readonly timers: Timers; readonly seed: number; readonly ms: number },
): Promise<number> {
  const cluster = await TestCluster.form({
    seed,
    ...timersOf(timers),
    ...(linkMs ? { linkMs } : {}),
    ...(writeMs ? { writeMs } : {}),
  });
  const before = cluster.notices.length;
  const random = seeded(seed + 1);
  const stalls =
    stallMs === undefined || stallEveryMs === undefined ? [] : drawStalls(random, stallMs, stallEveryMs, ms);
  const proposals = Array.from({ length: Math.floor(ms / 1000) }, (_, second) => ({
    atMs: 1000 * second,
    act: () => {
      const leader = cluster.leader();
      if (leader) cluster.propose(leader, `${second}`);
    },
  }));
  const stalling = stalls.flatMap(({ atMs, forMs, id }) => [
    { atMs, act: () => cluster.freeze(id) },
    { atMs: atMs + forMs, act: () => cluster.thaw(id) },
  ]);
  const sinceMs = cluster.nowMs;
  for (const { atMs, act } of [...proposals, ...stalling].toSorted((one, other) => one.atMs - other.atMs)) {
    cluster.run(Math.max(0, sinceMs + atMs - cluster.nowMs));
    act();
  }
  cluster.run(Math.max(0, sinceMs + ms - cluster.nowMs));
  return cluster.notices.slice(before).filter(({ notice }) => notice.kind === 'role' && notice.role === 'leader')
    .length;
}

interface Stall {
  readonly id: string;
  readonly atMs: number;
  readonly forMs: number;
}

function drawStalls(random: () => number, { min, max }: { min: number; max: number }, everyMs: number, ms: number) {
  return IDS.flatMap((id) => {
    const stalls: Stall[] = [];
    for (let atMs = random() * 2 * everyMs; atMs < ms;) {
      const forMs = min + random() * (max - min);
      stalls.push({ id, atMs, forMs });
      atMs += forMs + random() * 2 * everyMs;
    }
    return stalls;
  });
}
