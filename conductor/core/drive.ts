/**
 * The one driver of Readys: carries out what a core wants in the order that rule 15 and the contract of Ready demand,
 * for every host there is (Bun's, the simulator, the exhaustive search, the tests). When it is asked to, and how long
 * a write takes, is the host's: a process drains once per turn of its event loop, a simulated disk takes its time.
 */
import { assert } from './assert.ts';
import type { LogStore, Transport, WriteBatch } from './ports.ts';
import type { Ready } from './raft/events.ts';

/** A core that can be driven: a RaftNode, a Conductor, or either with something put between. */
export interface Driven<R extends Ready> {
  ready(): R | null;
  persisted(nowMs: number): void;
  writeFailed(message: string): void;
}

/** Why a batch is not durable. */
export interface WriteFailure {
  readonly error: unknown;
}

/** Makes batches durable. */
export interface Writer {
  /** Calls `ended` once, from inside the call or later, with null when the batch is durable; never, when the process died of it. */
  write(batch: WriteBatch, ended: (failure: WriteFailure | null) => void): void;
}

export interface DriverOptions<R extends Ready> {
  readonly core: Driven<R>;
  readonly writer: Writer;
  readonly transport: Pick<Transport, 'send' | 'reply' | 'forget'>;
  /** Monotonic milliseconds, the clock that the core's events are stamped with. */
  readonly nowMs: () => number;
  /** Step 4 of a Ready: results, notices and what a core adds to them. */
  readonly deliver: (ready: R) => void;
  /** A write failed, and the core knows; the process should end soon (rule 15). Its last requests still go out. */
  readonly writeFailed?: (error: unknown) => void;
}

export class Driver<R extends Ready> {
  readonly #options: DriverOptions<R>;
  #isWriting = false;
  #isOver = false;

  constructor(options: DriverOptions<R>) {
    this.#options = options;
  }

  /** A write is under way: the core takes no events, and is not to be drained, until it has ended. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Carries out Readys until the core has none, a write takes its time, or `stop` was called on the way. */
  drain(): void {
    assert(!this.#isWriting, 'a core is drained only when its last write has ended');
    while (!this.#isOver && !this.#isWriting) {
      const ready = this.#options.core.ready();
      if (ready === null) return;
      for (const message of ready.sendFirst) this.#options.transport.send(message);
      if (ready.write === null) this.#carryOut(ready);
      else this.#write(ready, ready.write);
    }
  }

  /** The process is over: nothing is carried out any more, and no write that is under way has a sequel. */
  stop(): void {
    this.#isOver = true;
  }

  #write(ready: R, batch: WriteBatch): void {
    const { core, writer, nowMs, writeFailed } = this.#options;
    this.#isWriting = true;
    writer.write(batch, (failure) => {
      assert(this.#isWriting, 'a write ends once');
      this.#isWriting = false;
      if (this.#isOver) return;
      if (failure === null) {
        core.persisted(nowMs());
        return this.#carryOut(ready);
      }
      // Nothing of this Ready may leave any more: its answers would speak of what is not durable (rule 15).
      core.writeFailed(failure.error instanceof Error ? failure.error.message : String(failure.error));
      writeFailed?.(failure.error);
    });
  }

  #carryOut(ready: R): void {
    const { transport, deliver } = this.#options;
    for (const message of ready.send) transport.send(message);
    for (const { inboundId, response } of ready.replies) transport.reply(inboundId, response);
    for (const peerId of ready.forget) transport.forget(peerId);
    deliver(ready);
  }
}

/** A writer over a store, whose writes end before they return. */
export function atOnce(store: Pick<LogStore, 'write'>): Writer {
  return {
    write: (batch, ended) => {
      ended(failureOf(store, batch));
    },
  };
}

function failureOf(store: Pick<LogStore, 'write'>, batch: WriteBatch): WriteFailure | null {
  try {
    store.write(batch);
    return null;
  } catch (error) {
    return { error };
  }
}
