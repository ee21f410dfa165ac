/**
 * Random runs that go for the replicated log alone: many short faults of processes, disks and links close upon each
 * other, with snapshots, requests and trailing logs so small that every boundary is met. Who publishes what is left
 * to the other kinds of runs.
 */
import fc from 'fast-check';
import { defaultConfiguration } from './configuration.ts';
import type { EventKind } from './faults.ts';
import { named, numberedEvents } from './numbered-event.ts';
import { RUN_VERSION, type Run } from './run-value.ts';

const SEED_MAX = 2 ** 31 - 1;
/** Time between two events, and how long one lasts. */
const AFTER_MS = { min: 0, max: 900 };
const LASTS_MS = { min: 20, max: 2500 };

const logKinds: readonly EventKind[] = [
  'crash',
  'crash',
  'powerCut',
  'freeze',
  'isolate',
  'isolate',
  'exile',
  'exile',
  'schism',
  'regicide',
  'rivals',
  'partition',
  'bridge',
  'ambush',
  'tornWrite',
  'split',
  'wrongAddress',
  'cut',
  'mute',
  'deafen',
  'clog',
  'lossy',
  'reset',
  'halfReset',
  'repeat',
  'slowDisk',
  'slowDisk',
  'fullDisk',
  'lostDisk',
  'rot',
  'clockRate',
  'transfer',
  'transferTo',
  'deafHandOver',
  'forgottenVote',
  'remove',
  'demote',
  'read',
];
/** These work by repetition, and last longer by this factor. */
const longKinds: readonly EventKind[] = ['burst', 'exile', 'schism', 'regicide', 'rivals'];
const LONG_FACTOR = 6;
/** Of so many events one writes entries, so that there is something to lose. */
const BURST_PART = 3;
/** Longest way of a message where each entry is a request of its own. */
const DELAY_MAX_US_ONE_BY_ONE = 40_000;

/** Judged by the laws of the log before all. */
export const scramble: fc.Arbitrary<Run> = fc
  .record({
    seed: fc.noShrink(fc.integer({ min: 1, max: SEED_MAX })),
    servers: fc.constantFrom(3, 3, 4, 5),
    entriesPerRequest: fc.constantFrom(64, 2, 1),
    snapshotThreshold: fc.constantFrom(16, 4, 2, 1000),
    trailingLogs: fc.constantFrom(12, 3, 0, 1000),
    snapshotMs: fc.constantFrom(5000, 200),
    idleSeconds: fc.constantFrom(0, 0, 0, 12),
    // With long ways there is always something on its way when a fault strikes.
    delayMaxUs: fc.constantFrom(3000, 40_000, 150_000),
    swarm: fc.noShrink(fc.subarray([...new Set(logKinds)], { minLength: 2 })),
    events: fc.array(numberedEvents({ afterMs: AFTER_MS, forMs: LASTS_MS }), {
      minLength: 6,
      maxLength: 40,
      size: 'max',
    }),
    memoryBytes: fc.constantFrom(0, 512),
  })
  .map(({ swarm, events, ...settings }) => {
    const faults = logKinds.filter((kind) => swarm.includes(kind));
    const bursts: readonly EventKind[] = Array.from(
      { length: Math.ceil(faults.length / (BURST_PART - 1)) },
      () => 'burst',
    );
    const mayHappen = [...faults, ...bursts];
    // Entry by entry over long ways, what bursts leave behind would take longer than a run has to settle.
    const isTooSlow = settings.entriesPerRequest === 1 && settings.delayMaxUs > DELAY_MAX_US_ONE_BY_ONE;
    const delayMaxUs = isTooSlow ? DELAY_MAX_US_ONE_BY_ONE : settings.delayMaxUs;
    return {
      version: RUN_VERSION,
      configuration: { ...defaultConfiguration, ...settings, delayMaxUs },
      events: events.map(named(mayHappen)).map((event) => {
        const factor = longKinds.includes(event.kind) ? LONG_FACTOR : 1;
        return { ...event, forMs: factor * event.forMs };
      }),
    };
  });
