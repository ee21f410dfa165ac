/**
 * The one error of the wire layer: bytes from a peer that are not a message we can read, or a
 * value of ours that has no encoding. A connection that yields one is closed, as a Go peer does.
 */

/**
 * What was wrong.
 * - `unknown-type`: the type byte names no RPC.
 * - `malformed`: not msgpack, or a value that ends before it is complete.
 * - `wrong-kind`: msgpack of another kind than the field takes (a float for an integer, a string for a bool).
 * - `out-of-range`: an integer that is negative where it must not be, or above 2^53-1, or too wide for its field.
 * - `invalid-text`: an id or address that is not UTF-8.
 * - `over-limit`: a length, count, depth or size above its bound in WireLimits.
 * - `unencodable`: a value given to an encoder that the format cannot carry; always our own mistake.
 */
export type WireErrorCode =
  | 'unknown-type'
  | 'malformed'
  | 'wrong-kind'
  | 'out-of-range'
  | 'invalid-text'
  | 'over-limit'
  | 'unencodable';

/** Thrown by every decoder and encoder of this folder, and nothing else is. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: WireErrorCode;

  constructor(code: WireErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
