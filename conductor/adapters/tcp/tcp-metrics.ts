/**
 * The transport's metrics. Bytes and queue lengths change with every packet, so they are summed here
 * and handed on at most ten times a second, when something else happens anyway.
 */
import type { FailureReason, Metrics } from '#conductor/core/ports';

/** Why an inbound connection was closed by us, other than for malformed input. */
export type RejectionReason = 'limit' | 'displaced' | 'unauthorized' | 'stalled' | 'memory';

const FLUSH_MS = 100;

export class TcpMetrics {
  readonly #metrics: Metrics | null;
  readonly #now: () => number;
  readonly #connections = { in: 0, out: 0 };
  readonly #plain = { in: 0, out: 0 };
  readonly #bytes = { in: 0, out: 0 };
  #queued = 0;
  #flushedMs = -Infinity;

  constructor(metrics: Metrics | undefined, now: () => number) {
    this.#metrics = metrics ?? null;
    this.#now = now;
  }

  opened(direction: 'in' | 'out', isTls: boolean): void {
    this.#changed(direction, isTls, 1);
  }

  /** `isTls` as it was opened. */
  closed(direction: 'in' | 'out', isTls: boolean): void {
    this.#changed(direction, isTls, -1);
    this.flush();
  }

  received(bytes: number): void {
    this.#bytes.in += bytes;
    this.#flushIfDue();
  }

  sent(bytes: number): void {
    this.#bytes.out += bytes;
    this.#flushIfDue();
  }

  /** The bytes waiting in all send queues grew by `change`, or shrank. */
  queueChanged(change: number): void {
    this.#queued += change;
  }

  dialFailed(reason: FailureReason): void {
    this.#metrics?.count('raft_dial_failures_total', { reason });
  }

  requestFailed(reason: FailureReason): void {
    this.#metrics?.count('raft_requests_failed_total', { reason });
  }

  /** `reason` is a WireErrorCode, or 'unexpected' for an answer nobody asked for. */
  malformed(reason: string): void {
    this.#metrics?.count('raft_wire_errors_total', { reason });
  }

  rejected(reason: RejectionReason): void {
    this.#metrics?.count('raft_connections_rejected_total', { reason });
  }

  /** Hands on what was summed. */
  flush(): void {
    const metrics = this.#metrics;
    if (metrics === null) return;
    this.#flushedMs = this.#now();
    if (this.#bytes.in > 0) metrics.count('raft_bytes_total', { direction: 'in' }, this.#bytes.in);
    if (this.#bytes.out > 0) metrics.count('raft_bytes_total', { direction: 'out' }, this.#bytes.out);
    this.#bytes.in = 0;
    this.#bytes.out = 0;
    metrics.gauge('raft_send_queue_bytes', this.#queued);
  }

  #changed(direction: 'in' | 'out', isTls: boolean, change: number): void {
    this.#connections[direction] += change;
    this.#metrics?.gauge('raft_connections', this.#connections[direction], { direction });
    if (!isTls) this.#plain[direction] += change;
    this.#metrics?.gauge('raft_plain_connections', this.#plain[direction], { direction });
  }

  #flushIfDue(): void {
    if (this.#metrics !== null && this.#now() - this.#flushedMs >= FLUSH_MS) this.flush();
  }
}
