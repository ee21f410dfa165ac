/**
 * Runs for raft.tla: those that go for the log, without what it does not know (snapshots, changes of members, lost
 * disks, addresses that lead to somebody else), and with fewer entries at once, so that elections are not drowned by batches.
 */
import type fc from 'fast-check';
import type { EventKind } from '#simulator/faults';
import { scramble } from '#simulator/scramble';
import type { Run } from '#simulator/run-value';

const beyond: ReadonlySet<EventKind> = new Set([
  'lostDisk',
  'rot',
  'remove',
  'demote',
  'forgottenVote',
  'wrongAddress',
]);
/** Of so many bursts one stays. */
const BURSTS_PER_KEPT = 4;
const BURST_MS_MAX = 100;
/** More entries than any run has. */
const NO_SNAPSHOTS = 100_000;

export const specRuns: fc.Arbitrary<Run> = scramble.map((run) => {
  let bursts = 0;
  const events = run.events
    .filter(({ kind }) => !beyond.has(kind))
    .map((event) => {
      const isKept = event.kind !== 'burst' || bursts++ % BURSTS_PER_KEPT === 0;
      if (!isKept) return { ...event, kind: 'transfer' as const, forMs: 0 };
      return event.kind === 'burst' ? { ...event, forMs: Math.min(event.forMs, BURST_MS_MAX) } : event;
    });
  const settings = { snapshotThreshold: NO_SNAPSHOTS, idleSeconds: 0, blockSeconds: 4, eventsPerTurn: 1 };
  const configuration = { ...run.configuration, ...settings };
  return { ...run, configuration, events };
});
