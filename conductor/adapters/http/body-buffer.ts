/** Collects a large body: a buffer that grows with what arrives, never with what a client announces. */
import { releaseChunk } from '../tcp/release-chunk.ts';

/** Bytes reserved at once before a client has sent anything. */
const firstBytes = 64 * 1024;
/** Beyond this the rest of an announced length is reserved in one step. */
const provenBytes = 1024 * 1024;
/** A buffer up to this size is kept for the next large body of any connection. */
const spareBytesMax = 8 * 1024 * 1024;

/** Memory that was touched before: in fresh memory the kernel spends more on pages than the copy into them costs. */
let spare: Buffer | null = null;

export class BodyBuffer {
  /** Announced bytes; null where the end is not known before. */
  readonly #length: number | null;
  #buffer: Buffer = Buffer.alloc(0);
  #size = 0;

  constructor(length: number | null) {
    this.#length = length;
  }

  /** What has arrived; valid until the next `append` or `release`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Bytes that have arrived. */
  get size(): number {
    return this.#size;
  }

  /** Memory held, in bytes. */
  get reservedBytes(): number {
    return this.#buffer.length;
  }

  append(chunk: Uint8Array): void {
    this.#reserve(this.#size + chunk.length);
    this.#buffer.set(chunk, this.#size);
    this.#size += chunk.length;
  }

  /** Gives the memory back; `bytes` must not be used any more. */
  release(): void {
    const buffer = this.#buffer;
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
    if (buffer.length <= spareBytesMax && buffer.length > (spare?.length ?? 0)) spare = buffer;
    else releaseChunk(buffer);
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#buffer.length) return;
    const grown = this.#takeSpare(bytes) ?? Buffer.allocUnsafeSlow(this.#grownTo(bytes));
    this.#buffer.copy(grown, 0, 0, this.#size);
    releaseChunk(this.#buffer);
    this.#buffer = grown;
  }

  /** The spare counts as held, so it goes only to a body that would hold about as much. */
  #takeSpare(bytesMin: number): Buffer | null {
    const taken = spare !== null && bytesMin > provenBytes && spare.length >= bytesMin ? spare : null;
    if (taken !== null) spare = null;
    return taken;
  }

  #grownTo(bytes: number): number {
    const isProven = this.#length !== null && this.#size >= provenBytes;
    const wanted = isProven ? (this.#length ?? 0) : Math.max(firstBytes, 2 * this.#buffer.length);
    return Math.max(bytes, Math.min(wanted, this.#length ?? wanted));
  }
}
