/**
 * `GET /events`: the events of this process as a stream (server-sent events, WHATWG HTML section 9.2), resumed by
 * Last-Event-ID. A stream holds a number and no queue: what a reader does not take stays in the ring, and a reader that
 * the ring has overtaken, or that takes nothing for some time, is dropped.
 */
import type { EventRing } from './event-ring.ts';

/** Streams at once; more displace one of an address that has several, or are refused with 503. */
export const streamsMax = 16;
/** Longest piece handed to the runtime before the socket has taken the one before it, characters. */
const pieceLengthMax = 64 * 1024;
/** A stream without news says so this often, milliseconds: proxies and readers know that it lives. */
const idleMs = 10_000;
/** Longest time in which a reader takes nothing of what there is, milliseconds. */
const unreadMsMax = 30_000;

export interface EventStreamsOptions {
  readonly ring: EventRing;
  /** Monotonic milliseconds. */
  now(): number;
  /** A slow reader was dropped. */
  shed(): void;
}

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no',
};

export class EventStreams {
  readonly #options: EventStreamsOptions;
  /** In the order of their age, with the addresses of their readers. */
  readonly #open = new Map<EventStream, string>();
  readonly #sweeper: ReturnType<typeof setInterval>;
  readonly #deafen: () => void;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#deafen = options.ring.listen(() => {
      for (const stream of this.#open.keys()) stream.wake();
    });
    this.#sweeper = setInterval(() => this.#sweep(), 1000).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** The answer to a reader at an address that may have the events; its last id, or null. */
  answer(lastEventId: string | null, address: string): Response {
    if (this.#open.size >= streamsMax && !this.#makeRoom(address))
      return new Response(`${streamsMax} readers follow the events already\n`, { status: 503 });
    const { ring, now } = this.#options;
    const stream = new EventStream({ ring, now, ended: () => void this.#open.delete(stream) }, lastEventId);
    this.#open.set(stream, address);
    return new Response(stream.body, { headers });
  }

  /** Drops the oldest stream of the address that has the most, where that leaves it no fewer than `address` will have. */
  #makeRoom(address: string): boolean {
    const byAddress = Map.groupBy(this.#open, ([, reader]) => reader);
    const [most = []] = [...byAddress.values()].toSorted((one, other) => other.length - one.length);
    const [oldest] = most;
    if (oldest === undefined || most.length <= (byAddress.get(address)?.length ?? 0) + 1) return false;
    oldest[0].drop();
    return true;
  }

  /** Ends all streams. */
  close(): void {
    this.#deafen();
    clearInterval(this.#sweeper);
    for (const stream of this.#open.keys()) stream.end();
  }

  #sweep(): void {
    const nowMs = this.#options.now();
    for (const stream of this.#open.keys()) {
      if (stream.isSlow(nowMs)) {
        this.#options.shed();
        stream.drop();
      } else stream.wakeIfIdle(nowMs);
    }
  }
}

interface StreamHost {
  readonly ring: EventRing;
  now(): number;
  ended(): void;
}

/** One reader. */
class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #host: StreamHost;
  /** Number of the last event that was handed over. */
  #through: number;
  #greeting: string;
  /** When the socket last took something. */
  #takenAtMs: number;
  /** The socket takes more, and there is nothing. */
  #waiting: (() => void) | null = null;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #isOver = false;

  constructor(host: StreamHost, lastEventId: string | null) {
    this.#host = host;
    const resumed = host.ring.resumable(lastEventId);
    this.#through = resumed ?? host.ring.first - 1;
    this.#greeting = host.ring.greeting(resumed !== null);
    this.#takenAtMs = host.now();
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: (controller) => this.#handOver(controller),
        cancel: () => this.#finish(),
      },
      { highWaterMark: 0 },
    );
  }

  /** There is an event. */
  wake(): void {
    const resume = this.#waiting;
    this.#waiting = null;
    resume?.();
  }

  wakeIfIdle(nowMs: number): void {
    if (nowMs - this.#takenAtMs >= idleMs) this.wake();
  }

  /** Whether it takes nothing although there is something, or has missed events for good. */
  isSlow(nowMs: number): boolean {
    const { ring } = this.#host;
    if (this.#waiting !== null) return false;
    return this.#through < ring.first - 1 || nowMs - this.#takenAtMs >= unreadMsMax;
  }

  /** Ends it in the middle, so that the reader comes back and is told what it missed. */
  drop(): void {
    this.#finish();
    this.#controller?.error(new Error('the stream was dropped'));
  }

  /** Ends it in order. */
  end(): void {
    if (this.#isOver) return;
    this.#finish();
    this.#controller?.close();
  }

  async #handOver(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#takenAtMs = this.#host.now();
    let text = this.#next();
    if (text === '') {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting = resolve;
      await promise;
      if (this.#isOver) return;
      this.#takenAtMs = this.#host.now();
      text = this.#next();
    }
    controller.enqueue(Buffer.from(text === '' ? ': nothing new\n\n' : text));
  }

  /** What is due, and not more than a piece of it. */
  #next(): string {
    const { ring } = this.#host;
    if (this.#greeting !== '') {
      const text = this.#greeting;
      this.#greeting = '';
      return text;
    }
    const read = this.#through < ring.first - 1 ? null : ring.after(this.#through, pieceLengthMax);
    if (read === null) return '';
    this.#through = read.through;
    return read.text;
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#host.ended();
    this.wake();
  }
}
