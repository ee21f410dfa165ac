/**
 * Random runs for fast-check, which shrinks them, too. Swarm testing: each run may use only some kinds of
 * events, so that rare combinations are not drowned by common ones.
 */
import fc from 'fast-check';
import { defaultConfiguration } from './configuration.ts';
import { eventKinds, kinds, type EventKind, type SimEvent } from './faults.ts';
import { APART_MS, boundedKinds } from './oracles/service-laws.ts';
import { RUN_VERSION, type Run } from './run-value.ts';

const SEED_MAX = 2 ** 31 - 1;

/** Many things at once: judged by safety, and by whether the chain goes on when they are over. */
export const storm: fc.Arbitrary<Run> = fc
  .record({
    seed: fc.integer({ min: 1, max: SEED_MAX }),
    servers: fc.constantFrom(3, 3, 3, 5),
    swarm: fc.subarray([...eventKinds], { minLength: 3 }),
  })
  .chain(({ seed, servers, swarm }) =>
    fc
      .array(eventOf(swarm, { min: 0, max: 6000 }), { minLength: 4, maxLength: 24, size: 'max' })
      .map((events) => run(seed, servers, events)),
  );

/** One fault after the other, each over before the next: judged by availability, too. */
export const single: fc.Arbitrary<Run> = fc
  .record({
    seed: fc.integer({ min: 1, max: SEED_MAX }),
    events: fc.array(eventOf(boundedKinds, { min: 0, max: 2000 }), { minLength: 1, maxLength: 4, size: 'max' }),
  })
  .map(({ seed, events }) => {
    let lastsMs = 0;
    const apart = events.map((event, at) => {
      const afterMs = event.afterMs + (at === 0 ? 0 : lastsMs + APART_MS);
      lastsMs = event.forMs;
      return { ...event, afterMs };
    });
    return run(seed, 3, apart);
  });

function run(seed: number, servers: number, events: readonly SimEvent[]): Run {
  return { version: RUN_VERSION, configuration: { ...defaultConfiguration, seed, servers }, events };
}

function eventOf(
  from: readonly EventKind[],
  after: { readonly min: number; readonly max: number },
): fc.Arbitrary<SimEvent> {
  return fc
    .record({
      kind: fc.constantFrom(...from),
      afterMs: fc.integer(after),
      at: fc.nat(4),
      to: fc.nat(3),
      forMs: fc.integer({ min: 1, max: 12_000 }),
      amount: fc.integer({ min: 0, max: 1000 }),
    })
    .map((event) => (kinds[event.kind].lasts ? event : { ...event, forMs: 0 }));
}
