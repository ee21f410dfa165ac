/**
 * Random runs for a mutant that only some kinds of events can bring to light: their number, times and places are
 * as random as ever, and every second run has all kinds.
 */
import type fc from 'fast-check';
import { configurationLimits, type Configuration } from '../../simulator/configuration.ts';
import { eventKinds, kinds, type EventKind, type SimEvent } from '../../simulator/faults.ts';
import type { Run } from '../../simulator/run-value.ts';

/** What an event lasts that was one of a kind that is over at once. */
const LASTS_MS = 1500;

/**
 * The same runs with only these kinds of events in them, and with these settings. Throws RangeError for a kind or a
 * setting that there is not, and for what a setting cannot be.
 */
export function aimed(
  runs: fc.Arbitrary<Run>,
  names: readonly string[],
  settings: Readonly<Record<string, number>> = {},
): fc.Arbitrary<Run> {
  const aim = names.map((name) => {
    const kind = eventKinds.find((known) => known === name);
    if (kind === undefined) throw new RangeError(`"${name}" is no kind of event`);
    return kind;
  });
  for (const [name, value] of Object.entries(settings)) {
    const [min, max] = configurationLimits[name as keyof Configuration] ?? [1, 0];
    if (value < min || value > max) throw new RangeError(`no run has ${name}=${value}`);
  }
  return runs.map((run) => ({
    ...run,
    configuration: { ...run.configuration, ...settings },
    events: run.events.map((event) => named(event, aim)),
  }));
}

function named(event: SimEvent, aim: readonly EventKind[]): SimEvent {
  const { at, to, amount } = event;
  const kind = aim.includes(event.kind) ? event.kind : aim[(at + to + amount) % aim.length]!;
  return { ...event, kind, forMs: kinds[kind].lasts ? event.forMs || LASTS_MS : 0 };
}
