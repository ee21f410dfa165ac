/**
 * A moment of a run as the fragment of an address: `#run=v1~seed-7~crash-em&after=2300&trace=32c167f3bc9a682a`. The
 * trace tells whoever opens it later whether the simulator still comes to the same.
 */

export interface Moment {
  /** The run's string. */
  readonly run: string;
  /** Milliseconds since its last event; NaN where the fragment says something else. */
  readonly afterMs: number;
  /** 16 hex digits over everything that has happened; empty when it is not known. */
  readonly trace: string;
}

/** The moment that a fragment names; null when it names none. What it says is checked by whoever opens it. */
export function momentOf(fragment: string): Moment | null {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const run = values.get('run');
  if (run === null || run === '') return null;
  const after = values.get('after') ?? '0';
  const trace = values.get('trace') ?? '';
  return {
    run,
    afterMs: /^\d{1,9}$/.test(after) ? Number(after) : Number.NaN,
    trace: /^[0-9a-f]{16}$/.test(trace) ? trace : '',
  };
}

/** The fragment with its '#'. A run's string has only characters that need no escape. */
export function fragmentOf({ run, afterMs, trace }: Moment): string {
  return `#run=${run}${afterMs > 0 ? `&after=${afterMs}` : ''}${trace === '' ? '' : `&trace=${trace}`}`;
}
