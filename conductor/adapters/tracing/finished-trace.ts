/**
 * A trace that is over, in plain values: what a host has derived, and an exporter sends (OpenTelemetry's data model,
 * without its classes, so that nobody who makes one loads them).
 */

/** Times are monotonic milliseconds of this process. */
export interface FinishedSpan {
  readonly name: string;
  readonly beganMs: number;
  /** Not before `beganMs`. */
  readonly endedMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed; null when it did not. */
  readonly error: string | null;
  readonly children: readonly FinishedSpan[];
}

/** The span of another process that this trace continues: the headers of W3C Trace Context, as they came. */
export interface TraceParent {
  readonly traceparent: string;
  /** '' for none. */
  readonly tracestate: string;
}

export interface FinishedTrace {
  readonly root: FinishedSpan;
  /** 'server': it answers somebody's request. */
  readonly kind: 'server' | 'internal';
  /** null: the trace begins here. */
  readonly parent: TraceParent | null;
}

/** Takes what is over; returns at once, never throws, and keeps no more than it has room for. */
export interface TraceSink {
  emit(trace: FinishedTrace): void;
}
