/** Random events whose kind is a number until the kinds that may happen are known: one shape for every set of runs. */
import fc from 'fast-check';
import { kinds, type EventKind, type SimEvent } from './faults.ts';

/** Kinds are drawn from it by the remainder. */
const KIND_MAX = 9999;
const AMOUNT_MAX = 1000;

export type NumberedEvent = Omit<SimEvent, 'kind'> & { readonly kindNumber: number };

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Milliseconds after the event before, and that it lasts; machines by number, `at` and the first beside it that it concerns. */
export function numberedEvents(times: {
  readonly afterMs: Range;
  readonly forMs: Range;
  readonly atMax?: number;
  readonly toMax?: number;
}): fc.Arbitrary<NumberedEvent> {
  const { afterMs, forMs, atMax = 4, toMax = 3 } = times;
  return fc.record({
    kindNumber: fc.noShrink(fc.nat(KIND_MAX)),
    afterMs: fc.integer(afterMs),
    at: fc.nat(atMax),
    to: fc.nat(toMax),
    forMs: fc.integer(forMs),
    amount: fc.integer({ min: 0, max: AMOUNT_MAX }),
  });
}

/** What a kind does not need is 0, so that equal events have one string. */
export function named(from: readonly EventKind[]): (event: NumberedEvent) => SimEvent {
  return ({ kindNumber, ...numbers }) => {
    const kind = from[kindNumber % from.length]!;
    return { kind, ...numbers, forMs: kinds[kind].lasts ? numbers.forMs : 0 };
  };
}
