/**
 * Hands events to the core. The port promises that no event comes from inside one of its calls
 * (a refused dial and a terminated socket call back at once in Bun), so events born there wait for
 * a microtask. A core that throws must end the process: the error is rethrown where no socket
 * handler catches it.
 */
import type { TransportEvent } from '#conductor/core/ports';

export class EventSink {
  readonly #onEvent: (event: TransportEvent) => void;
  readonly #waiting: TransportEvent[] = [];
  #callDepth = 0;
  #isSilent = false;

  constructor(onEvent: (event: TransportEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Runs one call of the port; events emitted meanwhile are delivered after it. */
  during<T>(call: () => T): T {
    this.#callDepth += 1;
    try {
      return call();
    } finally {
      this.#callDepth -= 1;
    }
  }

  /** Delivers now, or in a microtask if the core is calling us or older events wait. */
  emit(event: TransportEvent): void {
    if (this.#callDepth === 0 && this.#waiting.length === 0) {
      this.#deliver(event);
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length === 1) queueMicrotask(() => this.#deliverWaiting());
  }

  /** No event is delivered after this, not even those that wait. */
  silence(): void {
    this.#isSilent = true;
  }

  #deliverWaiting(): void {
    const events = this.#waiting.splice(0);
    for (const event of events) this.#deliver(event);
  }

  #deliver(event: TransportEvent): void {
    if (this.#isSilent) return;
    try {
      this.#onEvent(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
