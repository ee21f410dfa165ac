/** What happens to the servers of a history: a plan made from a seed, and how each kind is done and undone. */
import { spawnSync } from 'node:child_process';
import type { Seeded } from '../../tests/cluster/seeded.ts';
import { SmallDisk } from '../../tests/cluster/small-disk.ts';
import { pause } from '../../tests/cluster/wait.ts';
import type { HistoryCluster } from './cluster.ts';
import type { Server } from './server.ts';

export const faultKinds = ['kill', 'freeze', 'cut', 'deafen', 'mute', 'disk', 'reboot', 'transfer'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** One fault, in milliseconds from the first call of the clients. */
export interface PlannedFault {
  readonly kind: FaultKind;
  readonly atMs: number;
  readonly forMs: number;
  /** Of the servers, by index; null for whoever leads then. */
  readonly victim: number | null;
}

const FAULTS_MIN = 2;
const FAULTS_MAX = 5;
/** From shorter than an election to longer than two. */
const FOR_MS_MIN = 100;
const FOR_MS_MAX = 2500;
const LEADER_SHARE = 0.6;
const CALL_MS_MAX = 3000;
/** A program behind these words has a monotonic clock that is a day ahead. */
const OTHER_CLOCK = ['unshare', '--user', '--map-root-user', '--time', '--monotonic=86400', '--'];

/** Faults within `windowMs`, in order. */
export function planFaults(random: Seeded, servers: number, windowMs: number): PlannedFault[] {
  const count = random.between(FAULTS_MIN, FAULTS_MAX + 1);
  const faults = Array.from({ length: count }, (): PlannedFault => {
    const kind = random.pick(faultKinds);
    const atMs = random.between(0, windowMs - FOR_MS_MIN);
    const forMs = Math.min(random.between(FOR_MS_MIN, FOR_MS_MAX), windowMs - atMs);
    const isLeader = kind === 'transfer' || (kind !== 'disk' && random.next() < LEADER_SHARE);
    return { kind, atMs, forMs, victim: isLeader ? null : random.between(0, servers) };
  });
  return faults.toSorted((a, b) => a.atMs - b.atMs);
}

/** Index of the server whose disk the plan fills first, or null; it is the only one that gets a disk of its own. */
export function diskVictim(plan: readonly PlannedFault[]): number | null {
  return plan.find(({ kind }) => kind === 'disk')?.victim ?? null;
}

/** What was done of a plan. */
export interface Inflicted {
  readonly kind: FaultKind;
  readonly server: string;
}

/** Carries a plan out, from now; resolves when all is undone. */
export async function inflict(cluster: HistoryCluster, plan: readonly PlannedFault[]): Promise<Inflicted[]> {
  const done = plan.map(async ({ kind, atMs, forMs, victim }): Promise<Inflicted | null> => {
    await pause(atMs);
    const server = victim === null ? await cluster.leader() : (cluster.servers[victim] as Server);
    // Nobody leads, or another fault has this one already.
    if (server === null || !server.process.isRunning) return null;
    return (await acts[kind](cluster, server, forMs)) ? { kind, server: server.id } : null;
  });
  return (await Promise.all(done)).filter((one) => one !== null);
}

/** Why a server cannot be given a monotonic clock of its own here, or null. */
export function whyNoReboot(): string | null {
  const { status, error, stderr } = spawnSync(OTHER_CLOCK[0] as string, [...OTHER_CLOCK.slice(1), 'true'], {
    encoding: 'utf8',
  });
  if (status === 0) return null;
  return `a server cannot be given a clock of its own here: ${(error?.message ?? stderr).trim()}`;
}

/** Does it, waits, undoes it; false when there was nothing to do it to. */
type Act = (cluster: HistoryCluster, server: Server, forMs: number) => Promise<boolean>;

const acts: Readonly<Record<FaultKind, Act>> = {
  kill: async (_, server, forMs) => {
    await server.process.kill();
    await pause(forMs);
    startAgain(server);
    return true;
  },
  // Killed, and back with another monotonic clock, which nothing that was stored may have counted on.
  reboot: async (_, server, forMs) => {
    if (whyNoReboot() !== null) return false;
    await server.process.kill();
    await pause(forMs);
    startAgain(server, OTHER_CLOCK);
    return true;
  },
  freeze: async (_, { process: child }, forMs) => {
    if (!child.isRunning) return false;
    child.freeze();
    await pause(forMs);
    child.thaw();
    return true;
  },
  cut: cutting({ hears: false, isHeard: false }),
  deafen: cutting({ hears: false, isHeard: true }),
  mute: cutting({ hears: true, isHeard: false }),
  // It ends at the first write that fails, as it must, perhaps a moment after there is space again.
  disk: async (cluster, server, forMs) => {
    const { disk } = cluster;
    if (!(disk instanceof SmallDisk) || server.storageDir !== disk.path) return false;
    disk.fill();
    await pause(forMs);
    disk.empty();
    await cluster.superviseDisk();
    return true;
  },
  transfer: async (_, server) => {
    await server.call('conductor_transferLeader', [], CALL_MS_MAX);
    return true;
  },
};

function cutting({ hears, isHeard }: { readonly hears: boolean; readonly isHeard: boolean }): Act {
  return async (cluster, server, forMs) => {
    const others = cluster.servers.filter((other) => other !== server);
    for (const other of others) {
      if (!isHeard) cluster.cut(server, other);
      if (!hears) cluster.cut(other, server);
    }
    await pause(forMs);
    for (const other of others) {
      cluster.mend(server, other);
      cluster.mend(other, server);
    }
    return true;
  };
}

function startAgain(server: Server, launcher: readonly string[] = []): void {
  if (server.process.isDown) server.start('again', launcher);
}
