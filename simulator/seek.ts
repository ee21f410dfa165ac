/**
 * Looks for a run that breaks a law, and makes it small: every event that the same law does not need is left out, and
 * what remains is made plainer. Smaller runs are carried out as far as the law was broken, and a little further.
 */
import fc from 'fast-check';
import { shrinkRun } from './shrink.ts';
import type { LawName } from './oracles/laws.ts';
import { execute, type RunReport } from './run.ts';
import type { Run } from './run-value.ts';

/** A smaller run may break the law so much later than the one it was made of, milliseconds. */
const LATER_MS = 5000;
/** Runs that shrinking may take, whatever the clock says. */
const SHRINK_RUNS_MAX = 2000;

export interface Finding {
  readonly law: LawName;
  /** The smallest run that was found to break it, and the one it was made of. */
  readonly run: Run;
  readonly found: Run;
  readonly shrinkRuns: number;
}

export interface SeekOptions {
  readonly runs: fc.Arbitrary<Run>;
  /** The same seed gives the same run. */
  readonly seed: number;
  /** Whether shrinking has to end now with what it has. */
  isOver(): boolean;
  /** Carries out a run; the simulator's own way unless it is given. */
  readonly carryOut?: (run: Run, untilMs?: number) => RunReport;
  /** Told of the random run, not of those that shrinking tries. */
  done(report: RunReport, run: Run): void;
  /** Told after each run that shrinking tries how many it has tried, and of the smallest that still breaks the law. */
  readonly shrinks?: (tried: number, smallest: Run) => void;
}

/** One random run; null when every law held. */
export function seek(options: SeekOptions): Finding | null {
  const seeker = new Seeker(options);
  fc.check(
    // Without bias: a single run would otherwise be a small one, of faults that are over within milliseconds.
    fc.property(fc.noBias(options.runs), (run) => !seeker.isBroken(run)),
    { seed: options.seed, numRuns: 1, endOnFailure: true },
  );
  return seeker.finding();
}

class Seeker {
  readonly #options: SeekOptions;
  readonly #carryOut: (run: Run, untilMs?: number) => RunReport;
  #found: Run | null = null;
  #law: LawName | null = null;
  #smallest: Run | null = null;
  #shrinkRuns = 0;
  /** No smaller run is carried out beyond this, the world's time. */
  #untilMs = Infinity;

  constructor(options: SeekOptions) {
    this.#options = options;
    this.#carryOut = options.carryOut ?? carriedOut;
  }

  /** Whether the run breaks the law that the first one broke. */
  isBroken(run: Run): boolean {
    if (this.#found === null) return this.#first(run);
    if (this.#law === null || this.#shrinkRuns >= SHRINK_RUNS_MAX || this.#options.isOver()) return false;
    this.#shrinkRuns++;
    const { violation } = this.#carryOut(run, this.#untilMs);
    const isStillBroken = violation?.law === this.#law;
    if (isStillBroken) {
      this.#smallest = run;
      this.#untilMs = Math.min(this.#untilMs, violation!.atMs + LATER_MS);
    }
    this.#options.shrinks?.(this.#shrinkRuns, this.#smallest ?? run);
    return isStillBroken;
  }

  finding(): Finding | null {
    if (this.#law === null || this.#smallest === null || this.#found === null) return null;
    const mayGoOn = (): boolean => this.#shrinkRuns < SHRINK_RUNS_MAX && !this.#options.isOver();
    const run = shrinkRun(this.#smallest, (smaller) => this.isBroken(smaller), mayGoOn);
    return { law: this.#law, run, found: this.#found, shrinkRuns: this.#shrinkRuns };
  }

  #first(run: Run): boolean {
    const report = this.#carryOut(run);
    this.#found = run;
    this.#options.done(report, run);
    if (report.violation === null) return false;
    this.#law = report.violation.law;
    this.#untilMs = report.violation.atMs + LATER_MS;
    this.#smallest = run;
    return true;
  }
}

function carriedOut(run: Run, untilMs = Infinity): RunReport {
  return execute(run, { untilMs });
}
