/** Phases of a failover: in a row without holes, so that they sum to its gap whatever is missing. */
import type { FailoverPhase } from './protocol.ts';

export interface Moment {
  readonly atMs: number;
  readonly note: string;
}

/** A phase and what ended it; null for what nobody told. */
export type Told = readonly (readonly [key: FailoverPhase['key'], label: string, end: Moment | null])[];

/** From `lastMs` to `endMs`, none beyond it: one whose end nobody told has no length. */
export function phasesOf(lastMs: number, endMs: number, moments: Told): FailoverPhase[] {
  let fromMs = lastMs;
  const known = moments.findLastIndex(([, , moment]) => moment !== null);
  return moments.slice(0, known + 1).map(([key, label, moment]) => {
    const toMs = Math.min(endMs, Math.max(fromMs, moment?.atMs ?? fromMs));
    const phase = { key, label, fromMs, toMs, note: moment?.note ?? 'not told' };
    fromMs = toMs;
    return phase;
  });
}
