/** Publishes how the committed head moves. Heights that were committed together are one event. */
import type { ChainBlock } from './payload/chain-block.ts';
import type { EventSink } from './published-event.ts';

export class CommitEvents {
  readonly #events: EventSink;
  #tip: ChainBlock | null;

  /** `tip`: what was committed before the start. */
  constructor(events: EventSink, tip: ChainBlock | null) {
    this.#events = events;
    this.#tip = tip;
  }

  /** The committed head as it is now; may be told again and again. */
  tipIs(tip: ChainBlock | null): void {
    const before = this.#tip;
    if (tip === before) return;
    this.#tip = tip;
    if (tip === null || tip.hash === before?.hash) return;
    this.#events.publish({
      kind: 'commit',
      number: Number(tip.number),
      hash: tip.hash,
      timestamp: Number(tip.timestamp),
      blocks: before === null ? 1 : Number(tip.number - before.number),
    });
  }
}
