/**
 * Validated commits (rule 28): the leader's own execution client executes a block before it is appended. INVALID is
 * refused and never published; anything but a verdict, and a verdict that takes too long, lets the commit go on and is
 * counted. A client's word about a hash is kept, so that the same block is refused at once when it is offered again.
 */
import { newPayload, readPayloadStatus, type PayloadStatus } from '../node/engine-calls.ts';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import type { Envelope } from '../payload/envelope.ts';
import type { Logger, Metrics } from '../ports.ts';

/** --consensus.validate: nobody executes a block before it is committed, or the leader's execution client does (rule 28). */
export type ValidationPolicy = 'off' | 'leader';

/** Longest part of a block time that a commit waits for the verdict, and its bound in milliseconds. */
const waitPart = 0.5;
const waitMaxMs = 500;
/** After so many late verdicts in a row the next is not waited for: waiting and op-node's own execution together would outlast a slot. */
const lateMax = 2;
/** A verdict that comes later than the commit could wait for is still recorded, milliseconds. */
const verdictTimeoutMs = 8000;
/** A refused hash is refused again without asking for so long, milliseconds; its client may have been sick. */
const refusedForMs = 60_000;
const refusedMax = 64;
/** So many blocks in a row without a verdict are an alarm. */
const unvalidatedMax = 10;

export interface ValidationHost {
  readonly metrics: Metrics;
  readonly logger: Logger;
  nowMs(): number;
  /** `then` is called once, with the result. */
  call(request: NodeRequest, then: (result: CallResult) => void): void;
}

/** What is known before the append: 'unknown' goes on without a verdict. */
export type Verdict = { readonly kind: 'valid' | 'unknown' } | { readonly kind: 'invalid'; readonly message: string };

interface Asked {
  readonly hash: string;
  readonly number: bigint;
  /** When the commit goes on without a verdict. */
  readonly untilMs: number;
  isLate: boolean;
  readonly decided: (verdict: Verdict) => void;
}

export class Validation {
  readonly #host: ValidationHost;
  readonly #waitMs: number;
  readonly #asked = new Set<Asked>();
  readonly #refused = new Map<string, { readonly message: string; readonly atMs: number }>();
  #unvalidatedCount = 0;
  #lateCount = 0;

  constructor(blockTimeMs: number, host: ValidationHost) {
    this.#host = host;
    this.#waitMs = Math.min(waitPart * blockTimeMs, waitMaxMs);
  }

  /** What the client said of this hash lately; null for nothing. */
  refusalOf(hash: string): string | null {
    const known = this.#refused.get(hash);
    return known !== undefined && this.#host.nowMs() - known.atMs < refusedForMs ? known.message : null;
  }

  /** Has the client execute the block; `decided` is called once, at the latest when the bound has passed. */
  begin(hash: string, envelope: Envelope, decided: (verdict: Verdict) => void): void {
    const untilMs = this.#host.nowMs() + this.#waitMs;
    const number = envelope.executionPayload.blockNumber;
    const asked: Asked = { hash, number, isLate: this.#lateCount >= lateMax, decided, untilMs };
    this.#asked.add(asked);
    this.#host.call(newPayload(envelope, verdictTimeoutMs), (result) => this.#answered(asked, result));
    if (asked.isLate) this.#goOn(asked, 'slow');
  }

  #answered(asked: Asked, result: CallResult): void {
    this.#asked.delete(asked);
    const status = readPayloadStatus(result);
    this.#lateCount = this.#host.nowMs() < asked.untilMs ? 0 : this.#lateCount + 1;
    if (status.kind === 'invalid') this.#remember(asked.hash, status.message);
    this.#host.metrics.count('validations_total', { verdict: verdictName(status), late: String(asked.isLate) });
    if (asked.isLate) {
      if (status.kind === 'invalid') this.#alarmLate(asked, status.message);
      return;
    }
    if (status.kind === 'none') return this.#goOn(asked, status.reason);
    this.#unvalidatedCount = 0;
    asked.decided(status.kind === 'invalid' ? { kind: 'invalid', message: status.message } : { kind: 'valid' });
  }

  /** Lets those go on that have waited long enough. */
  tick(): void {
    for (const asked of this.#asked) {
      if (asked.isLate || this.#host.nowMs() < asked.untilMs) continue;
      asked.isLate = true;
      this.#goOn(asked, 'late');
    }
  }

  nextDeadlineMs(): number {
    let nextMs = Infinity;
    for (const { isLate, untilMs } of this.#asked) if (!isLate) nextMs = Math.min(nextMs, untilMs);
    return nextMs;
  }

  #goOn({ number, hash, decided }: Asked, reason: string): void {
    this.#unvalidatedCount += 1;
    this.#host.metrics.count('payloads_unvalidated_total', { reason });
    if (this.#unvalidatedCount % unvalidatedMax === 0) {
      this.#host.metrics.count('alarms_total', { kind: 'unvalidated' });
      const count = this.#unvalidatedCount;
      this.#host.logger.log('error', 'blocks are committed without a verdict of the execution client', {
        count,
        reason,
      });
    } else {
      this.#host.logger.log('debug', 'a block goes on without a verdict', { number, hash, reason });
    }
    decided({ kind: 'unknown' });
  }

  #alarmLate({ number, hash }: Asked, message: string): void {
    this.#host.metrics.count('alarms_total', { kind: 'invalid-committed' });
    const text = 'the execution client refuses a block that went on before it had said so';
    this.#host.logger.log('error', text, { number, hash, err: message });
  }

  #remember(hash: string, message: string): void {
    this.#refused.delete(hash);
    this.#refused.set(hash, { message, atMs: this.#host.nowMs() });
    const [oldest] = this.#refused.keys();
    if (this.#refused.size > refusedMax && oldest !== undefined) this.#refused.delete(oldest);
  }
}

function verdictName(status: PayloadStatus): string {
  return status.kind === 'none' ? status.reason : status.kind;
}
