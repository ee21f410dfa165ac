/** A moment of a run as the fragment of an address: `#run=v1~seed-7~crash-em&after=2300`. */

export interface Moment {
  /** The run's string. */
  readonly run: string;
  /** Milliseconds since its last event. */
  readonly afterMs: number;
}

/** The moment that a fragment names; null when it names none. What it says is checked by whoever opens it. */
export function momentOf(fragment: string): Moment | null {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const run = values.get('run');
  if (run === null || run === '') return null;
  const after = values.get('after') ?? '0';
  return { run, afterMs: /^\d{1,9}$/.test(after) ? Number(after) : 0 };
}

/** The fragment with its '#'. A run's string has only characters that need no escape. */
export function fragmentOf({ run, afterMs }: Moment): string {
  return afterMs > 0 ? `#run=${run}&after=${afterMs}` : `#run=${run}`;
}
