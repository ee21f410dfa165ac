/**
 * Random runs of what happens between the log, op-nodes, execution clients and L1: one thing after the other, judged
 * by how soon the chain goes on, or several at once beside what strikes conductors, judged by what may never happen.
 */
import fc from 'fast-check';
import { blockTimes, defaultConfiguration } from './configuration.ts';
import { disagreementKinds } from './fault-sets.ts';
import type { EventKind, SimEvent } from './faults.ts';
import { APART_MS } from './oracles/one-at-a-time.ts';
import { named, numberedEvents } from './numbered-event.ts';
import { RUN_VERSION, type Run } from './run-value.ts';

const SEED_MAX = 2 ** 31 - 1;
/** Log entries kept: more than any run has, because chains move back far. */
const TRAILING_LOGS = 1000;
/** Events that come at once, on top of each other. */
const TOGETHER_MS = 5000;
const LASTS_MS = { min: 500, max: 12_000 };
/** What may last for minutes, and every server has its turn meanwhile. */
const longKinds: readonly EventKind[] = ['l1Stands', 'slowL1', 'slowBeacon', 'safeLag'];
/** Of so many runs in one they last longer, by this factor. */
const LONG_PART = 4;
const LONG_FACTOR = 7.5;

/** What makes voters and their nodes absent, silent or late while others disagree. */
const besides: readonly EventKind[] = [
  'crash',
  'machineDown',
  'powerCut',
  'freeze',
  'isolate',
  'partition',
  'regicide',
  'split',
  'clog',
  'lossy',
  'nodeDown',
  'executionDown',
  'slowNode',
  'stall',
  'pause',
  'transfer',
  'upgrade',
  'lostGossip',
  'lateGossip',
  'lostAnswer',
  'brokenConnection',
  'droppedPost',
  'refusedOrders',
  'engineErrors',
  'rewind',
  'lostDisk',
  'read',
];

const shape = numberedEvents({ afterMs: { min: 0, max: TOGETHER_MS }, forMs: LASTS_MS });

const settings = {
  seed: fc.noShrink(fc.integer({ min: 1, max: SEED_MAX })),
  servers: fc.constantFrom(3, 3, 5),
  engine: fc.constantFrom(1, 1, 2, 0),
  layerOne: fc.constantFrom(0, 1, 2),
  executionMs: fc.constantFrom(0, 20, 150),
};
/** Drawn last: a seed means the same events as before there was a choice. */
const clients = { reth: fc.constantFrom(0, 1), firstBlock: fc.constantFrom(0, 1000) };
const times = fc.constantFrom(...blockTimes);
/** In one run of six an operator decides what is moved back. */
const refusesRollback = fc.constantFrom(0, 0, 0, 0, 0, 1);
const longRuns = fc.noShrink(fc.nat(LONG_PART - 1)).map((part) => part === 0);

/** The same events, of which some last longer. */
function lasting(event: SimEvent, isLong: boolean): SimEvent {
  return isLong && longKinds.includes(event.kind) ? { ...event, forMs: Math.round(LONG_FACTOR * event.forMs) } : event;
}

const apart: fc.Arbitrary<Run> = fc
  .record({
    ...settings,
    events: fc.array(shape, { minLength: 1, maxLength: 3, size: 'max' }),
    isLong: longRuns,
    ...clients,
    times,
    refusesRollback,
  })
  .map(({ events, isLong, times: ofBlocks, ...given }) => {
    let lastsMs = 0;
    const spread = events.map(named(disagreementKinds)).map((short, at) => {
      const event = lasting(short, isLong);
      const afterMs = event.afterMs + (at === 0 ? 0 : lastsMs + APART_MS);
      lastsMs = event.forMs;
      return { ...event, afterMs };
    });
    return runOf({ ...given, ...ofBlocks }, spread);
  });

const together: fc.Arbitrary<Run> = fc
  .record({
    ...settings,
    swarm: fc.noShrink(fc.subarray([...disagreementKinds], { minLength: 1, maxLength: 4 })),
    beside: fc.noShrink(fc.subarray([...besides], { minLength: 1, maxLength: 6 })),
    events: fc.array(shape, { minLength: 3, maxLength: 12, size: 'max' }),
    isLong: longRuns,
    ...clients,
    times,
    refusesRollback,
  })
  .map(({ swarm, beside, events, isLong, times: ofBlocks, ...given }) => {
    const happening = events.map(named([...swarm, ...beside]));
    return runOf(
      { ...given, ...ofBlocks },
      happening.map((event) => lasting(event, isLong)),
    );
  });

/** Runs of the set `disagreement`. */
export const disagreement: fc.Arbitrary<Run> = fc.oneof(apart, together);

function runOf(given: Partial<Run['configuration']>, events: readonly SimEvent[]): Run {
  const configuration = { ...defaultConfiguration, trailingLogs: TRAILING_LOGS, ...given };
  if (!events.some(({ kind }) => kind === 'l1Reorg')) return { version: RUN_VERSION, configuration, events };
  // Going back needs what is gone back over, which a server that got a snapshot in place of its log does not have.
  const losing: readonly EventKind[] = ['lostDisk', 'lostDiskBeside'];
  const kept = events.map((event) =>
    losing.includes(event.kind) ? { ...event, kind: 'machineDown' as const } : event,
  );
  return { version: RUN_VERSION, configuration, events: kept };
}
