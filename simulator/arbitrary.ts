/**
 * Random runs for fast-check, which shrinks them, too: what comes first is kept, events go. Swarm testing: each
 * run may use only some kinds of events, so that rare combinations are not drowned by common ones.
 */
import fc from 'fast-check';
import { blockTimes, defaultConfiguration, waysUs, type Configuration } from './configuration.ts';
import type { EventKind, SimEvent } from './faults.ts';
import { usualKinds } from './fault-sets.ts';
import { boundedKinds } from './oracles/gap-bounds.ts';
import { APART_MS } from './oracles/one-at-a-time.ts';
import { named, numberedEvents, type NumberedEvent } from './numbered-event.ts';
import { RUN_VERSION, type Run } from './run-value.ts';

const SEED_MAX = 2 ** 31 - 1;
/** Log entries kept where the rollup goes back: more than any run has. */
const TRAILING_LOGS_BACK = 1000;
/** Log entries until a snapshot, and kept behind one, where nothing that was ever written is given back for that. */
const TRAILING_LOGS_ALL = 1000;
const seeds = fc.noShrink(fc.integer({ min: 1, max: SEED_MAX }));

/**
 * An operator overrides the leader in runs of their own: what else happens must not restart a conductor. A node that
 * went astray is told from one that follows the rollup by what the others hold (rule 6), so they must be well.
 */
const aloneKinds: readonly EventKind[] = ['override', 'emergency', 'astray'];
const stormKinds = usualKinds.filter((kind) => !aloneKinds.includes(kind));

/** Many things at once: judged by safety, and by whether the chain goes on when they are over. */
export const storm: fc.Arbitrary<Run> = fc
  .record({
    seed: seeds,
    servers: fc.constantFrom(3, 3, 3, 5),
    entriesPerRequest: fc.constantFrom(64, 64, 2, 1),
    toleratedPartials: fc.constantFrom(0, 0, 4),
    swarm: fc.noShrink(fc.subarray(stormKinds, { minLength: 3 })),
    events: fc.array(shapes({ min: 0, max: 6000 }), { minLength: 4, maxLength: 24, size: 'max' }),
    memoryBytes: fc.constantFrom(0, 2048),
    keptLogs: fc.constantFrom(0, 0, 0, TRAILING_LOGS_ALL),
    times: fc.constantFrom(...blockTimes),
    delayMaxUs: fc.constantFrom(...waysUs),
  })
  .map(({ swarm, events, keptLogs, times, ...settings }) =>
    run(
      { ...settings, ...times, ...(keptLogs > 0 ? { trailingLogs: keptLogs, snapshotThreshold: keptLogs } : {}) },
      events.map(named(swarm)),
    ),
  );

/** One fault after the other, each over before the next: judged by availability, too. */
export const single: fc.Arbitrary<Run> = fc
  .record({
    seed: seeds,
    servers: fc.constantFrom(3, 3, 5),
    events: fc.array(shapes({ min: 0, max: 2000 }), { minLength: 2, maxLength: 5, size: 'max' }),
  })
  .map(({ seed, servers, events }) => {
    let lastsMs = 0;
    const apart = events.map(named(boundedKinds)).map((event, at) => {
      const afterMs = event.afterMs + (at === 0 ? 0 : lastsMs + APART_MS);
      lastsMs = event.forMs;
      return { ...event, afterMs };
    });
    return run({ seed, servers }, apart);
  });

/**
 * What may happen while everybody is paused: nothing that restarts a conductor, which would not be paused then, and no
 * node so slow that it does in the middle of an override what it was told before.
 */
const besideOverride: readonly EventKind[] = [
  'override',
  'emergency',
  'freeze',
  'cut',
  'split',
  'isolate',
  'partition',
  'bridge',
  'clog',
  'lossy',
  'reset',
  'halfReset',
  'slowDisk',
  'clockRate',
  'lateGossip',
  'transfer',
  'transferTo',
  'read',
];

/** Overrides, one at a time, under faults of the network: judged by every law, and by that of overrides. */
export const overridden: fc.Arbitrary<Run> = fc
  .record({
    seed: seeds,
    servers: fc.constantFrom(3, 3, 5),
    first: shapes({ min: 0, max: 3000 }),
    events: fc.array(shapes({ min: 0, max: 8000 }), { minLength: 5, maxLength: 10, size: 'max' }),
  })
  .map(({ seed, servers, first, events }) =>
    run({ seed, servers }, [named(['override', 'emergency'])(first), ...events.map(named(besideOverride))]),
  );

function run(settings: Partial<Configuration>, events: readonly SimEvent[]): Run {
  const configuration = { ...defaultConfiguration, ...settings };
  if (!events.some(({ kind }) => kind === 'rollback')) return { version: RUN_VERSION, configuration, events };
  // Going back needs the payloads that are gone back over, which nodes that have left them cannot give, nor a
  // server that got a snapshot in place of the log it lost (rule 7).
  return {
    version: RUN_VERSION,
    configuration: { ...configuration, trailingLogs: TRAILING_LOGS_BACK },
    events: events.map((event) => (event.kind === 'lostDisk' ? { ...event, kind: 'machineDown' } : event)),
  };
}

function shapes(afterMs: { readonly min: number; readonly max: number }): fc.Arbitrary<NumberedEvent> {
  return numberedEvents({ afterMs, forMs: { min: 1, max: 12_000 } });
}
