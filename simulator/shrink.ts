/**
 * Makes a failing run short: fewer events first, then shorter and plainer ones. Times between the events that
 * stay are kept, so that what remains happens when it did. Bounded by the caller.
 */
import type { SimEvent } from './faults.ts';
import type { Run } from './run-value.ts';

/** The shortest failing run that was found; `fails` is asked as long as `mayGoOn`. */
export function shrinkRun(run: Run, fails: (run: Run) => boolean, mayGoOn: () => boolean): Run {
  const isFailing = (events: readonly SimEvent[]): boolean => mayGoOn() && fails({ ...run, events });
  let { events } = run;
  for (let before = Infinity; events.length < before && mayGoOn();) {
    before = events.length;
    events = withFewer(events, isFailing);
  }
  events = withPlainer(events, isFailing);
  return { ...run, events };
}

/** Leaves out runs of events, long ones first. */
function withFewer(
  from: readonly SimEvent[],
  isFailing: (events: readonly SimEvent[]) => boolean,
): readonly SimEvent[] {
  let events = from;
  for (let size = Math.max(1, events.length >> 1); size >= 1; size >>= 1) {
    // From the back: what comes late matters least.
    for (let end = events.length; end > 0; end = Math.min(end - size, events.length)) {
      const fewer = without(events, Math.max(0, end - size), end);
      if (isFailing(fewer)) events = fewer;
    }
  }
  return events;
}

/** What follows happens at the same time as before. */
function without(events: readonly SimEvent[], from: number, to: number): SimEvent[] {
  let skippedMs = 0;
  for (const { afterMs } of events.slice(from, to)) skippedMs += afterMs;
  const [next, ...rest] = events.slice(to);
  const moved = next === undefined ? [] : [{ ...next, afterMs: next.afterMs + skippedMs }, ...rest];
  return [...events.slice(0, from), ...moved];
}

function withPlainer(
  from: readonly SimEvent[],
  isFailing: (events: readonly SimEvent[]) => boolean,
): readonly SimEvent[] {
  let events = from;
  for (let at = 0; at < events.length; at++) {
    for (const change of [halve('forMs'), halve('afterMs'), halve('amount')]) {
      for (let tries = 0; tries < 4; tries++) {
        const plainer = change(events[at]!);
        if (plainer === null) break;
        const next = events.with(at, plainer);
        if (!isFailing(next)) break;
        events = next;
      }
    }
  }
  return events;
}

function halve(key: 'forMs' | 'afterMs' | 'amount'): (event: SimEvent) => SimEvent | null {
  return (event) => (event[key] <= 1 ? null : { ...event, [key]: event[key] >> 1 });
}
