/**
 * Hosts a sans-IO core on Bun: feeds events with the monotonic time, has its Readys carried out (core/drive.ts) once per
 * turn of the event loop, owns the one timer, and lets the store tidy up when nothing else is going on.
 */
import { atOnce, Driver, type Driven } from '#conductor/core/drive';
import type { LogStore, Transport } from '#conductor/core/ports';
import type { RaftEvent, Ready } from '#conductor/core/raft/events';
import { monotonicMs } from '#conductor/adapters/clock/clock';
import { StoreError } from '#conductor/adapters/sqlite/store-error';

/** A core that can be pumped: RaftNode, or anything around it with the same contract. */
export interface Pumped<E, R extends Ready> extends Driven<R> {
  handle(event: E | RaftEvent, nowMs: number): void;
  nextDeadlineMs(): number;
  /** An entry cannot be read any more. */
  entryDamaged(index: number): void;
}

/** A store that can do housekeeping in small steps. */
export interface TidyStore extends LogStore {
  /** One step; true while there is more to do. */
  maintain?(): boolean;
  /** Checks some more of what was not checked at open; never throws for bad content. */
  verifyNext?(bytesMax: number): { readonly done: boolean; readonly error?: Error; readonly damagedIndex?: number };
}

export interface PumpOptions<E, R extends Ready> {
  readonly core: Pumped<E, R>;
  readonly store: TidyStore;
  readonly transport: Transport;
  /** What the core said beyond sending and writing: results, notices and the core's own additions. */
  readonly onReady: (ready: R) => void;
  /** The store failed, and the core knows: its last requests still go out, then the process should end non-zero (rule 15). */
  readonly onStoreFailed: (error: unknown) => void;
  /** The core broke an invariant: nothing is carried out any more, and the process should end non-zero at once. */
  readonly onFatal: (error: unknown) => void;
  /** The store found an entry damaged while nobody needed it; the core is told, too. */
  readonly onDamage?: (error: Error) => void;
}

/** Housekeeping waits for this long a pause. */
const IDLE_MS = 20;
/** Bytes of log verified per step of housekeeping: about a millisecond. */
const VERIFY_BYTES = 1024 * 1024;
/** setTimeout's own bound. */
const TIMER_MAX_MS = 60_000;

export class Pump<E, R extends Ready> {
  readonly #options: PumpOptions<E, R>;
  readonly #driver: Driver<R>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAtMs = Infinity;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #isScheduled = false;
  #hasEnded = false;
  #hasStoreFailed = false;
  #isVerified = false;

  constructor(options: PumpOptions<E, R>) {
    this.#options = options;
    const { core, store, transport, onReady } = options;
    this.#driver = new Driver({
      core,
      writer: atOnce(store),
      transport,
      nowMs: monotonicMs,
      deliver: onReady,
      writeFailed: (error) => this.#storeFailed(error),
    });
  }

  /** Feeds one event; what follows from it happens later in this turn of the event loop, together with its neighbours. */
  push(event: E | RaftEvent): void {
    if (this.#hasEnded) return;
    this.#guard(() => this.#options.core.handle(event, monotonicMs()));
    this.schedule();
  }

  /** Drains soon: for callers that changed the core by other means than an event. */
  schedule(): void {
    if (this.#isScheduled || this.#hasEnded) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#guard(() => this.#drain());
    });
  }

  /** Drains at once what is left, then does nothing any more. */
  end(): void {
    if (this.#hasEnded) return;
    this.#guard(() => this.#drain());
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#idleTimer);
  }

  #drain(): void {
    if (this.#hasEnded) return;
    this.#driver.drain();
    this.#arm();
    this.#tidyLater();
  }

  /** Keeps one timer armed for the core's deadline; an early one is harmless, so it is only ever moved forward. */
  #arm(): void {
    const deadlineMs = this.#options.core.nextDeadlineMs();
    if (this.#timer !== undefined && this.#timerAtMs <= deadlineMs) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (deadlineMs === Infinity) return;
    this.#timerAtMs = deadlineMs;
    const delayMs = Math.min(Math.max(0, Math.ceil(deadlineMs - monotonicMs())), TIMER_MAX_MS);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#hasEnded) return;
      this.#guard(() => {
        this.#options.core.handle({ kind: 'tick' }, monotonicMs());
        this.#drain();
      });
    }, delayMs);
  }

  #tidyLater(): void {
    if (this.#idleTimer !== undefined || this.#hasStoreFailed) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      if (this.#hasEnded) return;
      this.#guard(() => {
        const isMoreDue = this.#options.store.maintain?.() === true;
        if (!isMoreDue) this.#verifyStep();
        if (isMoreDue || !this.#isVerified) this.#tidyLater();
      });
    }, IDLE_MS);
  }

  #verifyStep(): void {
    if (this.#isVerified) return;
    const step = this.#options.store.verifyNext?.(VERIFY_BYTES) ?? { done: true };
    this.#isVerified = step.done;
    if (step.error) this.#options.onDamage?.(step.error);
    if (step.damagedIndex === undefined) return;
    this.#options.core.entryDamaged(step.damagedIndex);
    this.schedule();
  }

  /** A store that fails is handed over from; whatever else is thrown ends the node: its state cannot be trusted. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (error instanceof StoreError && !this.#hasStoreFailed) return this.#guard(() => this.#handOver(error));
      this.#hasEnded = true;
      clearTimeout(this.#timer);
      clearTimeout(this.#idleTimer);
      this.#options.onFatal(error);
    }
  }

  /** The store failed in a read or in housekeeping: what the driver does where a write fails. */
  #handOver(error: StoreError): void {
    this.#storeFailed(error);
    this.#options.core.writeFailed(error.message);
    this.#drain();
  }

  #storeFailed(error: unknown): void {
    this.#hasStoreFailed = true;
    clearTimeout(this.#idleTimer);
    this.#options.onStoreFailed(error);
  }
}
