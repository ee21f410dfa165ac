/**
 * Answers that clients do not read. A large one is streamed, so that the runtime takes only as much of it as the
 * socket does, and counted until the last piece is taken. At the bound the one that has not been read for longest is
 * given up, and so is one of which nothing is read for some time.
 */

/** Answers below this are given to the runtime whole, bytes: the kernel's buffers take several of them. */
const streamedBytesMin = 64 * 1024;
/** Longest piece that is handed to the runtime before the socket has taken the one before it, in bytes. */
const pieceBytes = 128 * 1024;
/** Longest time in which nothing of an answer is read, milliseconds. */
const unreadMsMax = 30_000;
/** Deadlines are looked at this often, milliseconds. */
const sweepMs = 1000;

export interface UnreadAnswersOptions {
  /** Memory for all that is not read, in bytes; one alone may be larger. */
  readonly bytesMax: number;
  /** Monotonic milliseconds. */
  now(): number;
  /** An answer was given up. */
  shed(why: 'memory' | 'slow'): void;
}

export class UnreadAnswers {
  readonly #options: UnreadAnswersOptions;
  /** Who has not read for longest comes first. */
  readonly #open = new Set<StreamedAnswer>();
  readonly #sweeper: ReturnType<typeof setInterval>;
  #bytes = 0;

  constructor(options: UnreadAnswersOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs);
    this.#sweeper.unref();
  }

  /** Memory held by answers that their sockets have not taken, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The text as the body of an answer. Where it is large it is counted until it is read, so it must be sent. */
  body(text: string): string | ReadableStream<Uint8Array> {
    // A character of a string has three bytes at most.
    if (text.length * 3 < streamedBytesMin || Buffer.byteLength(text) < streamedBytesMin) return text;
    const answer = new StreamedAnswer(Buffer.from(text), {
      progressed: () => this.#progressed(answer),
      ended: () => this.#end(answer),
    });
    // By then the socket has taken what it takes at once, which for most answers is all.
    setImmediate(() => this.#count(answer));
    return answer.stream;
  }

  /** Ends the deadlines; answers under way go on. */
  close(): void {
    clearInterval(this.#sweeper);
  }

  #count(answer: StreamedAnswer): void {
    if (answer.heldBytes === 0) return;
    answer.sinceMs = this.#options.now();
    this.#open.add(answer);
    this.#bytes += answer.heldBytes;
    for (const longest of this.#open) {
      if (this.#bytes <= this.#options.bytesMax || this.#open.size === 1) return;
      this.#giveUp(longest, 'memory');
    }
  }

  #progressed(answer: StreamedAnswer): void {
    if (!this.#open.delete(answer)) return;
    answer.sinceMs = this.#options.now();
    this.#open.add(answer);
  }

  #end(answer: StreamedAnswer): void {
    if (this.#open.delete(answer)) this.#bytes -= answer.heldBytes;
  }

  #giveUp(answer: StreamedAnswer, why: 'memory' | 'slow'): void {
    this.#end(answer);
    this.#options.shed(why);
    answer.giveUp();
  }

  #sweep(): void {
    const oldestMs = this.#options.now() - unreadMsMax;
    for (const answer of this.#open) if (answer.sinceMs <= oldestMs) this.#giveUp(answer, 'slow');
  }
}

interface Watcher {
  /** The socket has taken a piece. */
  progressed(): void;
  /** All is taken, or the client is gone. `heldBytes` is still what it was. */
  ended(): void;
}

/** One answer, handed over piece by piece as its socket takes them. */
class StreamedAnswer {
  readonly #watcher: Watcher;
  #bytes: Buffer | null;
  #at = 0;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly stream: ReadableStream<Uint8Array>;
  sinceMs = 0;

  constructor(bytes: Buffer, watcher: Watcher) {
    this.#bytes = bytes;
    this.#watcher = watcher;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: (controller) => this.#handOver(controller),
        cancel: () => this.#end(),
      },
      { highWaterMark: 0 },
    );
  }

  /** 0 once it has ended. */
  get heldBytes(): number {
    return this.#bytes?.length ?? 0;
  }

  /** Closes the connection in the middle of the answer, so that nobody takes it for whole. */
  giveUp(): void {
    this.#bytes = null;
    this.#controller?.error(new Error('the answer was not read'));
  }

  #handOver(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const bytes = this.#bytes;
    if (bytes === null || this.#at >= bytes.length) {
      this.#end();
      return controller.close();
    }
    this.#watcher.progressed();
    controller.enqueue(bytes.subarray(this.#at, this.#at + pieceBytes));
    this.#at += pieceBytes;
  }

  #end(): void {
    this.#watcher.ended();
    this.#bytes = null;
  }
}
