/** How the costs of a run differ from those that are recorded: what is beyond the tolerances, as sentences. */
import type { Costs } from './meter.ts';

/** Recorded and now are the same within this share and so much. */
interface Tolerance {
  readonly share: number;
  readonly more: number;
}

/** Milliseconds; it may always take less. */
const ofTimes: Tolerance = { share: 0.1, more: 50 };
/** What comes many times in every run. */
const ofTraffic: Tolerance = { share: 0.1, more: 2 };
/** What is the same for most of a run, added up: a second in which one server shows something else is a few of hundreds. */
const ofStates: Tolerance = { share: 0.01, more: 2 };
/** What is rare, and means something each time: leaderships, starts and stops, refusals, alarms. */
const ofEvents: Tolerance = { share: 0, more: 0 };

const traffic =
  /^(asked|sent|result of|judged|transactions|blocks|commits$|histogram|counter (healthchecks|proxied|validations|voter_validations))/;

export interface Difference {
  readonly name: string;
  readonly was: number;
  readonly is: number;
}

/** A new metric or line is no change of what the others tell. */
const ofMetrics = /^(counter|gauge|histogram|line) /;

/** The names of all costs that are recorded, of whatever run. */
export function namesOf(recorded: readonly { readonly costs: Costs }[]): ReadonlySet<string> {
  return new Set(recorded.flatMap(({ costs }) => [...costs.keys()]));
}

/** Those beyond the tolerances, the greatest in proportion first. `known`: what was measured when runs were recorded. */
export function differences(recorded: Costs, now: Costs, known: ReadonlySet<string>): Difference[] {
  const names = new Set([...recorded.keys(), ...now.keys()]);
  return [...names]
    .filter((name) => known.has(name) || !ofMetrics.test(name))
    .map((name) => ({ name, was: recorded.get(name) ?? 0, is: now.get(name) ?? 0 }))
    .filter(isBeyond)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
}

/** "asked node optimism_syncStatus: 412, recorded are 195". */
export function differenceText({ name, was, is }: Difference): string {
  return `${name}: ${is}, recorded are ${was}`;
}

function isBeyond({ name, was, is }: Difference): boolean {
  const isTime = name.endsWith(' ms');
  const { share, more } = isTime ? ofTimes : toleranceOf(name);
  const by = is - was;
  return isTime ? by > share * was + more : Math.abs(by) > share * was + more;
}

function toleranceOf(name: string): Tolerance {
  if (name.startsWith('gauge ')) return ofStates;
  return traffic.test(name) ? ofTraffic : ofEvents;
}

function weightOf({ was, is }: Difference): number {
  return Math.abs(is - was) / (Math.max(was, is) + 1);
}
