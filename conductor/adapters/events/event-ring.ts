/**
 * The latest events of this process, in a ring of fixed size: each numbered, stamped with both clocks and written down
 * once as it is sent. Readers keep a number and come back for what follows it, so that none of them costs memory.
 */
import type { EventSink, PublishedEvent } from '#conductor/core/published-event';

/** Events kept; about an hour of a rollup with a block every second. */
const ringEventsMax = 4096;
/** Longest text of one event, bytes; a longer one is published without its long fields. */
const eventBytesMax = 8192;

export interface EventRingOptions {
  /** Id of this server, in every event. */
  readonly server: string;
  readonly version: string;
  /** Monotonic and Unix milliseconds. */
  now(): number;
  unixMs(): number;
  readonly eventsMax?: number;
}

/** Some events in a row as they are sent. */
export interface RingRead {
  readonly text: string;
  /** Number of the last one of them. */
  readonly through: number;
}

export class EventRing implements EventSink {
  /** Names this life of the process: numbers of another one mean nothing here. */
  readonly life: string;
  readonly #options: EventRingOptions;
  readonly #texts: string[] = [];
  readonly #eventsMax: number;
  readonly #listeners = new Set<() => void>();
  #last = 0;

  constructor(options: EventRingOptions) {
    this.#options = options;
    this.#eventsMax = options.eventsMax ?? ringEventsMax;
    this.life = Math.floor(options.unixMs()).toString(36);
  }

  /** Number of the newest event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Number of the oldest event that is still held; one above `last` while there is none. */
  get first(): number {
    return this.#last - this.#texts.length + 1;
  }

  publish(event: PublishedEvent): void {
    this.#last += 1;
    const text = this.#textOf(event);
    // The ring as an array that starts over: the place of a number is fixed.
    this.#texts[(this.#last - 1) % this.#eventsMax] = text;
    for (const listener of this.#listeners) listener();
  }

  /** Calls back after every event, until the function that it returns is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What a reader is told first: where it is, and whether it has missed nothing since the event that it named. */
  greeting(isResumed: boolean): string {
    const { server, version } = this.#options;
    const data = { ...this.#stamp(), server, version, life: this.life, resumed: isResumed, first: this.first };
    return `event: hello\ndata: ${JSON.stringify(data)}\n\n`;
  }

  /** The events that follow a number, as many as fit; null when there is none. The number must not be below `first` - 1. */
  after(number: number, bytesMax: number): RingRead | null {
    let text = '';
    let through = number;
    while (through < this.#last) {
      const next = this.#texts[through % this.#eventsMax] ?? '';
      if (text !== '' && text.length + next.length > bytesMax) break;
      text += next;
      through += 1;
    }
    return text === '' ? null : { text, through };
  }

  /** The number in a Last-Event-ID of this life that can be gone on from; null otherwise. */
  resumable(lastEventId: string | null): number | null {
    const [, life, digits] = /^([0-9a-z]{1,16})-(\d{1,15})$/.exec(lastEventId ?? '') ?? [];
    const number = Number(digits);
    return life === this.life && number <= this.#last && number >= this.first - 1 ? number : null;
  }

  #stamp(): { readonly atMs: number; readonly monotonicMs: number } {
    const { now, unixMs } = this.#options;
    return { atMs: unixMs(), monotonicMs: Math.round(now() * 1000) / 1000 };
  }

  #textOf(event: PublishedEvent): string {
    const stamp = this.#stamp();
    const { server } = this.#options;
    const whole = JSON.stringify({ ...stamp, server, ...event });
    const data =
      whole.length <= eventBytesMax ? whole : JSON.stringify({ ...stamp, server, kind: event.kind, cut: true });
    return `id: ${this.life}-${this.#last}\nevent: ${event.kind}\ndata: ${data}\n\n`;
  }
}
