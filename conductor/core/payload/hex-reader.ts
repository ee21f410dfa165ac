/**
 * Hex digits in the bytes of a text, to their bytes in a buffer, run after run: what most bytes of a large commit are.
 * Runs go through WebAssembly with vectors, in windows, so that no strings are made; short and very long ones, and
 * all where an engine has no vectors, by the engine's own conversion.
 */
import { DIGITS_MIN, hexModule } from './hex-code.ts';

/** Text copied into the module's memory at once; its bytes are written behind it. */
const WINDOW_BYTES = 64 * 1024;
const OUT = WINDOW_BYTES;
const PAGES = Math.ceil((OUT + WINDOW_BYTES / 2) / 65_536);

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly decode: (from: number, to: number, out: number) => number;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** The module, null where there are no vectors. One for all readers: who pauses leaves nothing in its memory. */
export const hexVectors = makeVectors();

function makeVectors(): { readonly memory: Uint8Array; readonly decode: Exports['decode'] } | null {
  const code = hexModule(PAGES);
  if (!WebAssembly.validate(code)) return null;
  const { memory, decode } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as unknown as Exports;
  return { memory: new Uint8Array(memory.buffer), decode };
}

/** Reads runs of one text, in order; one reader at a time, until `finish` or `pause`. */
export class HexReader {
  readonly #text: Uint8Array;
  readonly #out: Uint8Array;
  readonly #vectors: typeof hexVectors;
  /** The part of the text that is in the module's memory. */
  #windowFrom = 0;
  #windowTo = 0;
  /** Where in `out` the bytes belong that are in the module's memory only. */
  #waitingFrom: number;
  #waitingTo: number;

  /** Bytes go into `out` from `at` on, which must have room for them. */
  constructor(text: Uint8Array, out: Uint8Array, at: number, vectors = hexVectors) {
    this.#text = text;
    this.#out = out;
    this.#waitingFrom = at;
    this.#waitingTo = at;
    this.#vectors = vectors;
  }

  /** Takes `text[from]` to `text[to - 1]`; false when that is not an even number of hex digits in either case. */
  read(from: number, to: number): boolean {
    const digits = to - from;
    if (digits % 2 !== 0) return false;
    if (this.#vectors === null || digits < DIGITS_MIN || digits > WINDOW_BYTES) return this.#readPlainly(from, to);
    if (to > this.#windowTo) this.#move(from, this.#vectors.memory);
    const out = OUT + this.#waitingTo - this.#waitingFrom;
    this.#waitingTo += digits / 2;
    return this.#vectors.decode(from - this.#windowFrom, to - this.#windowFrom, out) !== 0;
  }

  /** After the last run: only now are all bytes where they belong. */
  finish(): void {
    if (this.#vectors === null || this.#waitingTo === this.#waitingFrom) return;
    const bytes = this.#vectors.memory.subarray(OUT, OUT + this.#waitingTo - this.#waitingFrom);
    this.#out.set(bytes, this.#waitingFrom);
    this.#waitingFrom = this.#waitingTo;
  }

  /** Before another reader may read: nothing of this one is in the module's memory any more. */
  pause(): void {
    this.finish();
    this.#windowTo = 0;
  }

  #move(from: number, memory: Uint8Array): void {
    this.finish();
    this.#windowFrom = from;
    this.#windowTo = Math.min(this.#text.length, from + WINDOW_BYTES);
    memory.set(this.#text.subarray(from, this.#windowTo));
  }

  #readPlainly(from: number, to: number): boolean {
    this.finish();
    const at = this.#waitingTo;
    this.#waitingFrom = this.#waitingTo = at + (to - from) / 2;
    try {
      const { read } = this.#out
        .subarray(at, this.#waitingTo)
        .setFromHex(decoder.decode(this.#text.subarray(from, to)));
      return read === to - from;
    } catch {
      return false;
    }
  }
}
