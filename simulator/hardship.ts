/**
 * Random runs of hardship: clusters of one to seven servers, some without a vote; faults that last for up to a minute and
 * overlap, judged while they last; and disks that are as they were once, each when what was before is over.
 */
import fc from 'fast-check';
import { blockTimes, defaultConfiguration, waysUs, type Configuration } from './configuration.ts';
import type { HardshipKind } from './fault-sets.ts';
import type { EventKind, SimEvent } from './faults.ts';
import { APART_MS } from './oracles/one-at-a-time.ts';
import { named, numberedEvents, type NumberedEvent } from './numbered-event.ts';
import { RUN_VERSION, type Run } from './run-value.ts';

const SEED_MAX = 2 ** 31 - 1;

/** Borne beside others that last, and alone. */
const eitherWay: readonly EventKind[] = [
  'nodeErrors',
  'clientErrors',
  'refusedOrders',
  'engineErrors',
  'boostDown',
  'boostHangs',
  'nodeFrozen',
  'hole',
  'holes',
  'onePeer',
  'toldToStop',
];

/** What lasts, beside what else lasts. */
const together: readonly EventKind[] = [
  'nodeDown',
  'executionDown',
  'stall',
  'unprovisioned',
  'lonely',
  'lonelyClient',
  'pause',
  'startedPaused',
  'setAside',
  'isolate',
  'split',
  'freeze',
  'suspended',
  'crash',
  'machineDown',
  'powerCut',
  'moved',
  'movedAsNonvoter',
  'rebuilt',
  'demote',
  'remove',
  'racingOperators',
  'addedAsNonvoter',
  'crossedOperators',
  'hastyOperator',
  'misnamed',
  'upgrade',
  'transfer',
  'ask',
  'askThrough',
  'askedInDoubt',
  'largeBlocks',
  'read',
  'burst',
  'stallingDisk',
  'standing',
  'slowDisk',
  'busy',
  'retriedInStall',
  'allPaused',
  'maintenance',
  'stoppedByHand',
  ...eitherWay,
  'otherCluster',
];
const TOGETHER_LASTS_MS = { min: 1000, max: 60_000 };
const TOGETHER_AFTER_MS = 9000;

/** Old state is borne by a cluster that is well otherwise. */
const apart: readonly EventKind[] = [
  'restored',
  'lyingDisk',
  'rottenState',
  'suspended',
  'moved',
  'rebuilt',
  'lonely',
  'lonelyClient',
  'ask',
  'largeBlocks',
  'setAside',
  'stallingDisk',
  'standing',
  'busy',
  'maintenance',
  'stoppedByHand',
  ...eitherWay,
];
const APART_LASTS_MS = 9000;

/** What is of these kinds and not in these runs: it happens alone, in faults.test.ts. */
export const leftOut: Readonly<Partial<Record<HardshipKind, string>>> = {
  forgottenTail: 'it takes three followers of which one is no voter for a while, and is in runs beside op-conductors',
  namesakes: 'whoever is in contact with no leader follows one, as the record on namesakes says',
  leap: 'a node whose clock was set far back sets a timer by it, and waits it out when the clock is right: a lone server builds nothing then',
};

/** Who makes up a cluster. */
type Cluster = Pick<Configuration, 'servers'> & Partial<Pick<Configuration, 'nonvoters' | 'opConductors'>>;

const clusters: readonly Cluster[] = [
  { servers: 3 },
  { servers: 3 },
  { servers: 3 },
  { servers: 5 },
  { servers: 4, nonvoters: 1 },
  { servers: 5, nonvoters: 2 },
  { servers: 2 },
  { servers: 1 },
  { servers: 7 },
];

/** One or two op-conductors of three servers, and two of five, each of them in turn. */
const mixedClusters: readonly Cluster[] = [
  ...[1, 2, 4, 3, 5, 6].map((opConductors) => ({ servers: 3, opConductors })),
  ...[3, 6, 9, 12, 17, 20].map((opConductors) => ({ servers: 5, opConductors })),
];

const shape = numberedEvents({
  afterMs: { min: 0, max: TOGETHER_AFTER_MS },
  forMs: TOGETHER_LASTS_MS,
  atMax: 6,
  toMax: 5,
});

function apartFromEachOther(events: readonly NumberedEvent[]): SimEvent[] {
  let lastsMs = 0;
  return events.map((one, at) => {
    const event = named(apart)({ ...one, forMs: 1 + (one.forMs % APART_LASTS_MS) });
    const afterMs = event.afterMs + (at === 0 ? 0 : lastsMs + APART_MS);
    lastsMs = event.forMs;
    return { ...event, afterMs };
  });
}

export const hardship: fc.Arbitrary<Run> = hardshipOf(clusters, together, [
  ...blockTimes,
  // Whatever waits for that interval and has nothing to do with the age of a head stands for ten minutes.
  { blockSeconds: 1, unsafeSeconds: 600 },
  // Few checks: what shows between them has to be noticed all the same.
  { blockSeconds: 1, unsafeSeconds: 10, healthSeconds: 5 },
]);

/** Beside op-conductors: they take whoever answers at an address, under whatever name. */
export const mixedKinds: readonly EventKind[] = [
  ...together.filter((one) => one !== 'misnamed' && one !== 'otherCluster'),
  ...(['fullDisk', 'lostDisk', 'forgottenTail'] as const),
  ...(['clog', 'lossy', 'cut', 'mute', 'deafen', 'partition', 'bridge', 'resetAll'] as const),
  ...(['exile', 'schism', 'regicide', 'transferTo', 'deafHandOver'] as const),
];

/** The same where some servers are op-conductors. */
export const mixed: fc.Arbitrary<Run> = hardshipOf(mixedClusters, mixedKinds);

function hardshipOf(of: readonly Cluster[], kinds: readonly EventKind[], mixOfTimes = blockTimes): fc.Arbitrary<Run> {
  return fc
    .record({
      seed: fc.noShrink(fc.integer({ min: 1, max: SEED_MAX })),
      cluster: fc.noShrink(fc.constantFrom(...of)),
      roundRobin: fc.constantFrom(0, 0, 1),
      clientPeers: fc.constantFrom(0, 1, 2),
      snapshotMs: fc.constantFrom(5000, 200),
      isApart: fc.noShrink(fc.constantFrom(false, false, true)),
      events: fc.array(shape, { minLength: 2, maxLength: 7, size: 'max' }),
      memoryBytes: fc.constantFrom(0, 2048),
      times: fc.constantFrom(...mixOfTimes),
      delayMaxUs: fc.constantFrom(...waysUs),
    })
    .map(({ cluster, isApart, events, times, ...settings }) => ({
      version: RUN_VERSION,
      configuration: { ...defaultConfiguration, ...settings, ...times, ...cluster },
      events: isApart ? apartFromEachOther(events.slice(0, 4)) : events.map(named(kinds)),
    }));
}
