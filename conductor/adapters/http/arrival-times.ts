/** When a request came, and whose trace it belongs to: what traces say of it before its calls are run. */
import type { TraceParent } from '../tracing/finished-trace.ts';

/** Monotonic milliseconds. */
export interface ArrivalTimes {
  /** Its head was there. */
  readonly arrivedMs: number;
  /** Its body was whole. */
  readonly wholeMs: number;
  /** Its body was read into calls. */
  readonly readMs: number;
}

export interface Arrival extends ArrivalTimes {
  /** null where the request names none. */
  readonly parent: TraceParent | null;
}
