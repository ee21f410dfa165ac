/**
 * Collects the body of a request up to a bound, of known length or in chunks (RFC 9112, section 7.1).
 * The buffer grows with what arrives, never with what a client announces.
 */
import { releaseChunk } from '../tcp/release-chunk.ts';

/** Bytes reserved at once before a client has sent anything. */
const firstBytes = 1024 * 1024;
/** Beyond this the rest of an announced length is reserved in one step. */
const provenBytes = 1024 * 1024;
/** A buffer up to this size is kept for the next large body of any connection. */
const spareBytesMax = 8 * 1024 * 1024;
/** Longest line of a chunk's size with its extensions, and of all trailer fields together, in bytes. */
const lineBytesMax = 1024;
const trailerBytesMax = 8 * 1024;

export type BodyState = 'more' | 'done' | 'malformed' | 'too-large';

type Expecting = 'size' | 'data' | 'data-end' | 'trailers';

/** Memory that was touched before: in fresh memory the kernel spends more on pages than the copy into them costs. */
let spare: Buffer | null = null;

export class RequestBody {
  readonly #bytesMax: number;
  readonly #length: number | 'chunked';
  #buffer: Buffer = Buffer.alloc(0);
  #size = 0;
  #expecting: Expecting = 'size';
  #line = '';
  #trailerBytes = 0;
  /** Bytes of the current chunk that are still to come. */
  #left = 0;
  state: BodyState;

  /** `length` is within `bytesMax`, or 'chunked'. */
  constructor(length: number | 'chunked', bytesMax: number) {
    this.#length = length;
    this.#bytesMax = bytesMax;
    if (length !== 'chunked') this.#left = length;
    this.state = length === 0 ? 'done' : 'more';
  }

  /** What has arrived; valid until the next `feed` or `release`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Memory held, in bytes. */
  get reservedBytes(): number {
    return this.#buffer.length;
  }

  /** Gives the memory back; `bytes` must not be used any more. */
  release(): void {
    const buffer = this.#buffer;
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
    if (buffer.length <= spareBytesMax && buffer.length > (spare?.length ?? 0)) spare = buffer;
    else releaseChunk(buffer);
  }

  /** Takes bytes from `at` and returns where it stopped: at the end of them or of the body. */
  feed(chunk: Buffer, at: number): number {
    let index = at;
    while (index < chunk.length && this.state === 'more') {
      index = this.#length === 'chunked' ? this.#feedChunked(chunk, index) : this.#feedPlain(chunk, index);
    }
    return index;
  }

  #feedPlain(chunk: Buffer, at: number): number {
    const end = this.#append(chunk, at);
    if (this.#left === 0) this.state = 'done';
    return end;
  }

  #feedChunked(chunk: Buffer, at: number): number {
    if (this.#expecting !== 'data') return this.#feedLine(chunk, at);
    const end = this.#append(chunk, at);
    if (this.#left === 0) this.#expecting = 'data-end';
    return end;
  }

  /** Collects a line of the framing up to its line feed. */
  #feedLine(chunk: Buffer, at: number): number {
    const feed = chunk.indexOf(0x0a, at);
    const end = feed === -1 ? chunk.length : feed + 1;
    if (end - at + this.#line.length > lineBytesMax) return this.#fail('malformed', end);
    this.#line += chunk.toString('latin1', at, end);
    if (feed === -1) return end;
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r\n')) return this.#fail('malformed', end);
    this.#takeLine(line.slice(0, -2));
    return end;
  }

  #takeLine(line: string): void {
    if (this.#expecting === 'data-end') {
      if (line === '') this.#expecting = 'size';
      else this.#fail('malformed', 0);
    } else if (this.#expecting === 'trailers') {
      this.#trailerBytes += line.length;
      if (line === '') this.state = 'done';
      else if (this.#trailerBytes > trailerBytesMax) this.#fail('malformed', 0);
    } else this.#takeSize(line);
  }

  #takeSize(line: string): void {
    const match = /^([0-9a-f]{1,12})[ \t]*(;.*)?$/i.exec(line);
    if (match === null) this.#fail('malformed', 0);
    else {
      this.#left = Number.parseInt(match[1] ?? '', 16);
      this.#expecting = this.#left === 0 ? 'trailers' : 'data';
      if (this.#size + this.#left > this.#bytesMax) this.#fail('too-large', 0);
    }
  }

  #append(chunk: Buffer, at: number): number {
    const take = Math.min(this.#left, chunk.length - at);
    this.#reserve(this.#size + take);
    chunk.copy(this.#buffer, this.#size, at, at + take);
    this.#size += take;
    this.#left -= take;
    return at + take;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#buffer.length) return;
    const grown = this.#takeSpare(bytes) ?? Buffer.allocUnsafeSlow(this.#grownTo(bytes));
    this.#buffer.copy(grown, 0, 0, this.#size);
    releaseChunk(this.#buffer);
    this.#buffer = grown;
  }

  #takeSpare(bytesMin: number): Buffer | null {
    const taken = spare !== null && spare.length >= bytesMin ? spare : null;
    if (taken !== null) spare = null;
    return taken;
  }

  #grownTo(bytes: number): number {
    const total = this.#length === 'chunked' ? this.#bytesMax : this.#length;
    const isProven = this.#length !== 'chunked' && this.#size >= provenBytes;
    const wanted = isProven ? total : Math.max(bytes, firstBytes, 2 * this.#buffer.length);
    return Math.min(wanted, Math.max(total, bytes));
  }

  #fail(state: 'malformed' | 'too-large', at: number): number {
    this.state = state;
    return at;
  }
}
