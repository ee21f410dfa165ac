/**
 * Looks for a run that breaks a law, and makes it small: every event that the same law does not need is left out, and
 * what remains is made plainer. Smaller runs are carried out as far as the law was broken, and a little further.
 */
import fc from 'fast-check';
import { Judge } from './judge.ts';
import { begunBy, shrinkRun } from './shrink.ts';
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
  /** Carries out a run, judged by one law where it is named; the simulator's own way unless it is given. */
  readonly carryOut?: (run: Run, untilMs?: number, law?: LawName) => RunReport;
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
  readonly #carryOut: NonNullable<SeekOptions['carryOut']>;
  #found: Run | null = null;
  #law: LawName | null = null;
  #smallest: Run | null = null;
  /** When the law was broken in the run that was found, the world's time. */
  #foundAtMs = Infinity;
  #judgesAll = false;
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
    if (this.#law === null || !this.#mayGoOn) return false;
    this.#shrinkRuns++;
    const { violation } = this.#carryOut(run, this.#untilMs, this.#judgesAll ? undefined : this.#law);
    const isStillBroken = violation?.law === this.#law;
    if (isStillBroken) {
      this.#smallest = run;
      this.#untilMs = Math.min(this.#untilMs, violation!.atMs + LATER_MS);
    }
    this.#options.shrinks?.(this.#shrinkRuns, this.#smallest ?? run);
    return isStillBroken;
  }

  finding(): Finding | null {
    const law = this.#law;
    const found = this.#found;
    if (law === null || found === null) return null;
    let run = this.#shrunk();
    // Smaller runs are judged by this law alone, which takes half the time: another one may be broken before it.
    if (run !== found && this.#carryOut(run, this.#untilMs).violation?.law !== law) {
      this.#judgesAll = true;
      this.#begin(found, this.#foundAtMs);
      run = this.#shrunk();
    }
    return { law, run, found, shrinkRuns: this.#shrinkRuns };
  }

  get #mayGoOn(): boolean {
    return this.#shrinkRuns < SHRINK_RUNS_MAX && !this.#options.isOver();
  }

  #shrunk(): Run {
    return shrinkRun(
      this.#smallest!,
      (smaller) => this.isBroken(smaller),
      () => this.#mayGoOn,
    );
  }

  #first(run: Run): boolean {
    const report = this.#carryOut(run);
    this.#found = run;
    this.#options.done(report, run);
    if (report.violation === null) return false;
    this.#law = report.violation.law;
    this.#foundAtMs = report.violation.atMs;
    this.#begin(run, this.#foundAtMs);
    return true;
  }

  #begin(found: Run, atMs: number): void {
    this.#untilMs = atMs + LATER_MS;
    this.#smallest = begunBy(found, atMs);
  }
}

function carriedOut(run: Run, untilMs = Infinity, law?: LawName): RunReport {
  return execute(run, { untilMs, ...(law === undefined ? {} : { judge: new Judge([law]) }) });
}
