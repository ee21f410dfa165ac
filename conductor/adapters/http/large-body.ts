/**
 * One large body, or one whose length is not known: read from its socket piece by piece, while it has room. Who finds
 * none waits with its socket unread, so that what it sends stays with it.
 */
import { releaseChunk } from '../tcp/release-chunk.ts';
import type { Arrival, ArrivalHost, GivenUp, ReceivedBody } from './arrival.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { Guest } from './body-room.ts';

/** An announced body waits for room only when so much of it has come, bytes: announcing one takes no place. */
const firstPieceBytes = 64 * 1024;

/** The runtime's reader, as far as it is used. */
interface PieceReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

export interface Announced {
  /** null where it was not announced. */
  readonly length: number | null;
  /** Where it comes from. */
  readonly address: string;
}

export class LargeBody implements Arrival, Guest {
  readonly #bodies: ArrivalHost;
  readonly #reader: PieceReader;
  readonly #length: number | null;
  readonly address: string;
  readonly #buffer: BodyBuffer;
  #isGuest = false;
  /** Set while it asks or waits for room. */
  #proceed: (() => void) | null = null;
  #isWhole = false;
  #givenUp: GivenUp | null = null;
  sinceMs = 0;
  bytes = 0;
  roomBytes = 0;

  constructor(bodies: ArrivalHost, stream: ReadableStream<Uint8Array>, { length, address }: Announced) {
    this.#bodies = bodies;
    this.#reader = stream.getReader();
    this.#length = length;
    this.address = address;
    this.#buffer = new BodyBuffer(length);
  }

  get arrivedBytes(): number | null {
    return this.#isWhole ? null : this.#buffer.size;
  }

  async receive(): Promise<ReceivedBody> {
    this.#bodies.add(this);
    const ending = await this.#read().catch((): 'gone' => 'gone');
    if (ending === 'whole') return this.#whole();
    this.#bodies.remove(this);
    this.#buffer.release();
    this.#leave();
    if (this.#givenUp !== null) return { kind: 'given-up', why: this.#givenUp };
    return ending === 'too-large' ? { kind: 'too-large' } : { kind: 'gone' };
  }

  /** There is room now: its time begins anew. */
  admitted(): void {
    this.#bodies.remove(this);
    this.#bodies.add(this);
    this.#proceed?.();
  }

  /** Too slow while others waited for its room, or one too many that waits. */
  evicted(): void {
    this.#bodies.giveUp(this, 'memory');
    this.#leave();
  }

  giveUp(why: GivenUp): void {
    this.#givenUp = why;
    this.#proceed?.();
    // Ends a read under way; the socket may be gone by then.
    this.#reader.cancel().catch(() => undefined);
  }

  async #read(): Promise<'whole' | 'too-large' | 'given-up'> {
    for (;;) {
      await this.#takeRoom();
      if (this.#givenUp !== null) return 'given-up';
      const { done, value } = await this.#reader.read();
      if (this.#givenUp !== null) return 'given-up';
      if (done || value === undefined) return 'whole';
      if (this.#buffer.size + value.length > this.#bodies.bodyBytesMax) {
        // The runtime reads the rest and throws it away.
        this.#reader.cancel().catch(() => undefined);
        return 'too-large';
      }
      this.#buffer.append(value);
      releaseChunk(value);
      if (!this.#isGuest) this.#bodies.hold(this, this.#buffer.reservedBytes);
    }
  }

  /** Whether it has begun to come, and is large or may become so. */
  get #needsRoom(): boolean {
    const { size } = this.#buffer;
    return this.#length === null ? size > this.#bodies.roomlessBytesMax : size >= firstPieceBytes;
  }

  async #takeRoom(): Promise<void> {
    if (this.#isGuest || !this.#needsRoom) return;
    this.roomBytes = this.#length ?? this.#bodies.bodyBytesMax;
    this.#isGuest = true;
    this.#bodies.hold(this, 0);
    if (this.#givenUp !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#proceed = resolve;
    if (!this.#bodies.room.enter(this)) await promise;
    this.#proceed = null;
  }

  #whole(): ReceivedBody {
    this.#isWhole = true;
    const forget = this.#bodies.settle(this);
    const release = (): void => {
      this.#buffer.release();
      forget();
    };
    return {
      kind: 'whole',
      bytes: this.#buffer.bytes,
      release,
      isOverdue: () => this.#isGuest && this.#bodies.room.isOverdue(this),
      leave: () => this.#leave(),
    };
  }

  #leave(): void {
    if (this.#isGuest) this.#bodies.room.leave(this);
  }
}
