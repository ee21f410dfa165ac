/**
 * What clients saw of a cluster: every call with the times of one clock, and what its answer told. A line of JSON each;
 * judge/history.go reads it. A call without an answer has an unknown outcome: it may have its effect at any later time.
 */
import { writeFileSync } from 'node:fs';

export type CommitOutcome = 'ok' | 'refused' | 'unknown';

/** A block by its height and hash. */
export interface SeenBlock {
  readonly number: number;
  readonly hash: string;
}

/** Who called whom and when, in nanoseconds; `answered` is null where no answer came. */
export interface CallTimes {
  readonly client: number;
  readonly server: string;
  readonly called: number;
  readonly answered: number | null;
}

export type HistoryCall = CallTimes &
  SeenBlock &
  (
    | { readonly kind: 'commit'; readonly parent: string; readonly outcome: CommitOutcome }
    /** The answer said that the committed chain holds the block at its height. */
    | { readonly kind: 'holds' }
    /** The answer said that this is the highest committed block. */
    | { readonly kind: 'head' }
  );

/** Calls in the order of their answers, and how many there were of each outcome. */
export class History {
  readonly #calls: HistoryCall[] = [];

  add(call: HistoryCall): void {
    this.#calls.push(call);
  }

  get length(): number {
    return this.#calls.length;
  }

  /** Commits with this outcome. */
  commits(outcome: CommitOutcome): number {
    return this.#calls.filter((call) => call.kind === 'commit' && call.outcome === outcome).length;
  }

  /** Answers that told a block of the chain. */
  reads(): number {
    return this.#calls.filter(({ kind }) => kind !== 'commit').length;
  }

  write(path: string): void {
    writeHistory(path, this.#calls);
  }
}

export function writeHistory(path: string, calls: readonly HistoryCall[]): void {
  writeFileSync(path, calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
}
