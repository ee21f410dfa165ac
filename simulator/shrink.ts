/**
 * Makes a failing run short: its end alone first, which is soon tried, then fewer events, then shorter and plainer ones.
 * Times between the events that stay are kept, so that what remains happens when it did. Bounded by the caller.
 */
import type { SimEvent } from './faults.ts';
import type { Run } from './run-value.ts';

/** How much of a run is tried alone, its end first: a short run is carried out soonest. */
const LAST_PARTS = [1 / 8, 1 / 4, 1 / 2];
/** Runs that making what is left plainer may take: a run of many events gains little by it. */
const PLAINER_RUNS_MAX = 40;

/** The shortest failing run that was found; `fails` is asked once about each run, and as long as `mayGoOn`. */
export function shrinkRun(run: Run, fails: (run: Run) => boolean, mayGoOn: () => boolean): Run {
  const asked = new Set<string>();
  const isFailing = (events: readonly SimEvent[]): boolean => {
    const text = JSON.stringify(events);
    if (asked.has(text) || !mayGoOn()) return false;
    asked.add(text);
    return fails({ ...run, events });
  };
  let events = withItsEnd(run.events, isFailing);
  for (let size = Math.max(1, events.length >> 1); size > 1; size >>= 1) events = withFewer(events, size, isFailing);
  for (let before = Infinity; events.length < before && mayGoOn();) {
    before = events.length;
    events = withFewer(events, 1, isFailing);
  }
  events = withPlainer(events, isFailing);
  return { ...run, events };
}

/** Without events that begin after `atMs` of the world's time: a law that was broken then does not know of them. */
export function begunBy(run: Run, atMs: number): Run {
  let fromMs = 0;
  // The world is older than the sum by the time that its forming took, so that none is left out that had begun.
  const count = run.events.findIndex(({ afterMs }) => (fromMs += afterMs) > atMs);
  return count < 0 ? run : { ...run, events: run.events.slice(0, count) };
}

/** Its last events alone, as if they had been the first. */
function withItsEnd(
  from: readonly SimEvent[],
  isFailing: (events: readonly SimEvent[]) => boolean,
): readonly SimEvent[] {
  for (const part of LAST_PARTS) {
    const count = Math.floor(from.length * part);
    const last = from.slice(from.length - count);
    if (count > 0 && isFailing(last)) return withItsEnd(last, isFailing);
  }
  return from;
}

/** Leaves out runs of events of one size. */
function withFewer(
  from: readonly SimEvent[],
  size: number,
  isFailing: (events: readonly SimEvent[]) => boolean,
): readonly SimEvent[] {
  let events = from;
  // From the back: what comes late matters least.
  for (let end = events.length; end > 0; end = Math.min(end - size, events.length)) {
    const fewer = without(events, Math.max(0, end - size), end);
    if (isFailing(fewer)) events = fewer;
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
  let tried = 0;
  for (let at = 0; at < events.length && tried < PLAINER_RUNS_MAX; at++) {
    for (const change of [halve('forMs'), halve('afterMs'), halve('amount')]) {
      for (let tries = 0; tries < 4; tries++) {
        const plainer = change(events[at]!);
        if (plainer === null) break;
        const next = events.with(at, plainer);
        tried++;
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
