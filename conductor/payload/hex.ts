/**
 * Bytes to hex digits and back. Uses the engine's own conversion where it has one (Bun, recent
 * browsers: about 1 GB/s), and a table elsewhere, so that the core runs the same in every host.
 */

interface NativeFromHex {
  fromHex?: (text: string) => Uint8Array;
}
interface NativeToHex {
  toHex?: () => string;
}

const nativeFromHex = (Uint8Array as unknown as NativeFromHex).fromHex?.bind(Uint8Array) ?? null;
const hasNativeToHex = typeof (Uint8Array.prototype as unknown as NativeToHex).toHex === 'function';

const INVALID = 255;
const digitOfCode = new Uint8Array(128).fill(INVALID);
const pairOfByte: string[] = [];
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  digitOfCode[digit.charCodeAt(0)] = value;
  digitOfCode[digit.toUpperCase().charCodeAt(0)] = value;
}
for (let value = 0; value < 256; value++) pairOfByte.push(value.toString(16).padStart(2, '0'));

/** Bytes of an even number of hex digits in either case, without prefix; null when the text is anything else. */
export function bytesFromHex(digits: string): Uint8Array | null {
  if (nativeFromHex === null) return bytesByTable(digits);
  try {
    return nativeFromHex(digits);
  } catch {
    return null;
  }
}

/** Lower-case hex digits with the prefix "0x". */
export function prefixedHex(bytes: Uint8Array): string {
  if (hasNativeToHex) return `0x${(bytes as NativeToHex).toHex!()}`;
  let text = '0x';
  for (const byte of bytes) text += pairOfByte[byte]!;
  return text;
}

/** The table form of `bytesFromHex`, for engines without a native one. */
export function bytesByTable(digits: string): Uint8Array | null {
  if (digits.length % 2 !== 0) return null;
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    const high = digitOfCode[digits.charCodeAt(2 * at)] ?? INVALID;
    const low = digitOfCode[digits.charCodeAt(2 * at + 1)] ?? INVALID;
    if (high === INVALID || low === INVALID) return null;
    bytes[at] = high * 16 + low;
  }
  return bytes;
}
