/**
 * The stream to browsers: how clusters are, as often as it changes and not oftener than four times a second, and what
 * happens, as it happens. A page that does not read is dropped: it comes back and is told all again.
 */
import type { ClusterNow, StreamMessages } from './protocol.ts';

/** Pages at once; a page asks again after a while. */
const pagesMax = 64;
/** Longest text that waits for one page, characters. */
const waitingLengthMax = 4 * 1024 * 1024;
const roundMs = 250;
/** Rounds from one look to the next at whether those who read still may. */
const roundsPerLook = 4;
/** A stream without news says so this often, milliseconds. */
const idleMs = 15_000;

export interface PageStreamsOptions {
  clusters(): readonly ClusterNow[];
  /** One of them; null for a name that is none. */
  cluster(name: string): ClusterNow | null;
}

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

export class PageStreams {
  readonly #options: PageStreamsOptions;
  readonly #open = new Set<PageStream>();
  readonly #dirty = new Set<string>();
  readonly #timer: ReturnType<typeof setInterval>;
  #idleSinceMs = performance.now();
  #rounds = 0;

  constructor(options: PageStreamsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#round(), roundMs).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** `mayRead`: whether the session that it was opened with still holds; it ends with it. */
  answer(mayRead: () => boolean): Response {
    if (this.#open.size >= pagesMax) return new Response(`${pagesMax} pages are open already\n`, { status: 503 });
    const stream = new PageStream(mayRead, () => void this.#open.delete(stream));
    this.#open.add(stream);
    stream.put(textOf('clusters', this.#options.clusters()));
    return new Response(stream.body, { headers });
  }

  /** The cluster with this name is not as it was. */
  changed(name: string): void {
    this.#dirty.add(name);
  }

  send<Name extends keyof StreamMessages>(name: Name, data: StreamMessages[Name]): void {
    if (this.#open.size === 0) return;
    const text = textOf(name, data);
    for (const stream of this.#open) stream.put(text);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stream of this.#open) stream.end();
  }

  #round(): void {
    this.#rounds += 1;
    if (this.#rounds % roundsPerLook === 0) for (const stream of this.#open) if (!stream.mayRead()) stream.end();
    const changed = [...this.#dirty];
    this.#dirty.clear();
    if (this.#open.size === 0) return;
    const nowMs = performance.now();
    if (changed.length > 0) {
      this.send(
        'clusters',
        changed.flatMap((name) => this.#options.cluster(name) ?? []),
      );
      this.#idleSinceMs = nowMs;
    } else if (nowMs - this.#idleSinceMs >= idleMs) {
      this.#idleSinceMs = nowMs;
      for (const stream of this.#open) stream.put(': nothing new\n\n');
    }
  }
}

function textOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** One page. */
class PageStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly mayRead: () => boolean;
  readonly #ended: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #waiting = '';
  #resume: (() => void) | null = null;
  #isOver = false;

  constructor(mayRead: () => boolean, ended: () => void) {
    this.mayRead = mayRead;
    this.#ended = ended;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: (controller) => this.#handOver(controller),
        cancel: () => this.#finish(),
      },
      { highWaterMark: 0 },
    );
  }

  put(text: string): void {
    if (this.#isOver) return;
    if (this.#waiting.length + text.length > waitingLengthMax) {
      this.#finish();
      this.#controller?.error(new Error('the page does not read'));
      return;
    }
    this.#waiting += text;
    this.#wake();
  }

  end(): void {
    if (this.#isOver) return;
    this.#finish();
    this.#controller?.close();
  }

  async #handOver(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#waiting === '') {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resume = resolve;
      await promise;
      if (this.#isOver) return;
    }
    const text = this.#waiting;
    this.#waiting = '';
    controller.enqueue(Buffer.from(text));
  }

  #wake(): void {
    const resume = this.#resume;
    this.#resume = null;
    resume?.();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = '';
    this.#ended();
    this.#wake();
  }
}
