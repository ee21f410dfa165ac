/**
 * Bytes to hex digits and back, by the engine's own conversion: about 1 GB/s, which matters because
 * every commit carries its transactions as hex.
 */

/** Bytes of an even number of hex digits in either case, without prefix; null when the text is anything else. */
export function bytesFromHex(digits: string): Uint8Array | null {
  try {
    return Uint8Array.fromHex(digits);
  } catch {
    return null;
  }
}

/** Lower-case hex digits with the prefix "0x". */
export function prefixedHex(bytes: Uint8Array): string {
  return `0x${bytes.toHex()}`;
}
