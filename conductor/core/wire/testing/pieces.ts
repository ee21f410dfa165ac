/** Ways to cut bytes into the pieces in which a connection might bring them. */

/** Where to cut `length` bytes, ascending. */
type Splits = (length: number) => readonly number[];

/** The ways that every message is fed in. */
export const SPLITS: Readonly<Record<'whole' | 'byte by byte' | 'in random pieces', Splits>> = {
  whole: () => [],
  'byte by byte': (length) => Array.from({ length }, (_, at) => at),
  'in random pieces': (length) => {
    // A fixed sequence, so that a failure is one again.
    let state = length;
    return Array.from({ length }, (_, at) => at).filter(() => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state / 2 ** 32 < 0.05;
    });
  },
};

/** The pieces, each in a buffer of its own. */
export function splitAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const bounds = [0, ...cuts, bytes.length];
  return bounds.slice(1).map((end, i) => bytes.slice(bounds[i], end));
}

/** One array of all chunks. */
export function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.fromHex(chunks.map((chunk) => chunk.toHex()).join(''));
}
