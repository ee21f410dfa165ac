/**
 * Answers that clients do not read. A large one is streamed, so that the runtime takes only as much of it as the
 * socket does, and counted until the last piece is taken. At the bound the one that has not been read for longest is
 * given up, and so is one of which nothing is read for some time.
 */
import { releaseChunk } from '../tcp/release-chunk.ts';

/** Answers below this, as those to most reads, are given to the runtime whole, bytes: a connection has one that is not read. */
const streamedBytesMin = 8 * 1024;
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
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  /** Memory held by answers that their sockets have not taken, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The text as the body of an answer. Where it is large it is counted until it is read, so it must be sent. */
  body(text: string): string | ReadableStream<Uint8Array> {
    // A character of a string has three bytes at most.
    if (text.length * 3 < streamedBytesMin || Buffer.byteLength(text) < streamedBytesMin) return text;
    const answer = new StreamedAnswer(text, { progressed: () => this.#recount(answer) });
    // By then the socket has taken what it takes at once, which of most answers is all.
    setImmediate(() => this.#begin(answer));
    return answer.stream;
  }

  /** Ends the deadlines; answers under way go on. */
  close(): void {
    clearInterval(this.#sweeper);
  }

  #begin(answer: StreamedAnswer): void {
    if (answer.isOver) return;
    this.#open.add(answer);
    this.#recount(answer);
    for (const longest of this.#open) {
      if (this.#bytes <= this.#options.bytesMax || this.#open.size === 1) return;
      this.#giveUp(longest, 'memory');
    }
  }

  /** Takes down what an answer holds now: it has been read from, so it is the last to go. */
  #recount(answer: StreamedAnswer): void {
    if (!this.#open.delete(answer)) return;
    const { heldBytes } = answer;
    this.#bytes += heldBytes - answer.countedBytes;
    answer.countedBytes = heldBytes;
    answer.sinceMs = this.#options.now();
    if (!answer.isOver) this.#open.add(answer);
  }

  #giveUp(answer: StreamedAnswer, why: 'memory' | 'slow'): void {
    this.#options.shed(why);
    answer.giveUp();
  }

  #sweep(): void {
    const oldestMs = this.#options.now() - unreadMsMax;
    for (const answer of this.#open) if (answer.sinceMs <= oldestMs) this.#giveUp(answer, 'slow');
  }
}

interface Watcher {
  /** The socket has taken a piece, or it is over. */
  progressed(): void;
}

/** One answer, handed over piece by piece as its socket takes them. */
class StreamedAnswer {
  readonly #watcher: Watcher;
  /** Not handed over yet, the next one last. */
  #pieces: Uint8Array[];
  /** Bytes of these, and of the piece before them. */
  #heldBytes: number;
  #handedBytes = 0;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly stream: ReadableStream<Uint8Array>;
  /** Bytes of it that the bookkeeper has counted; its own. */
  countedBytes = 0;
  sinceMs = 0;
  isOver = false;

  constructor(text: string, watcher: Watcher) {
    this.#pieces = piecesOf(text);
    this.#heldBytes = this.#pieces.reduce((sum, { length }) => sum + length, 0);
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

  /** What the socket has not taken, as far as it is known. */
  get heldBytes(): number {
    return this.isOver ? 0 : this.#heldBytes;
  }

  /** Closes the connection in the middle of the answer, so that nobody takes it for whole. */
  giveUp(): void {
    this.#end();
    this.#controller?.error(new Error('the answer was not read'));
  }

  #handOver(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const piece = this.#pieces.pop();
    if (piece === undefined) {
      this.#end();
      return controller.close();
    }
    // The one before it has been taken.
    this.#heldBytes -= this.#handedBytes;
    this.#handedBytes = piece.length;
    controller.enqueue(piece);
    this.#watcher.progressed();
  }

  #end(): void {
    this.isOver = true;
    this.#pieces = [];
    this.#watcher.progressed();
  }
}

/** The last piece first. */
function piecesOf(text: string): Uint8Array[] {
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    // Copies, so that each goes when it is taken.
    const piece = new Uint8Array(Math.min(pieceBytes, bytes.length - at));
    bytes.copy(piece, 0, at);
    pieces.push(piece);
  }
  releaseChunk(bytes);
  return pieces.toReversed();
}
