/**
 * Hex quantities in parameters, refused in the words of geth's hexutil, which tools match on: block
 * numbers and tags, 64 bit numbers, and big numbers of up to 256 bits.
 */

/** Names a block may have instead of a number. */
export const blockTags: readonly string[] = ['earliest', 'latest', 'pending', 'finalized', 'safe'];

/** A number, or why it is none. */
export type HexNumber = { readonly value: bigint } | { readonly problem: string };

const int64Max = 2n ** 63n - 1n;
/** Hex digits of 256 bits. */
const bigDigitsMax = 64;

/** A number of at most 64 bits. */
export function hexUint64(text: string): HexNumber {
  if (text === '') return { problem: 'empty hex string' };
  const number = digitsOf(text);
  if ('problem' in number) return number;
  if (!/^[0-9a-f]+$/i.test(number.digits)) return { problem: 'invalid hex string' };
  return number.digits.length > 16 ? { problem: 'hex number > 64 bits' } : { value: BigInt(`0x${number.digits}`) };
}

/** A number of at most 256 bits, of the raw JSON of a parameter; the empty string is 0, as in Go. */
export function hexBig(raw: string): HexNumber {
  const text = stringOf(raw);
  if (text === null) return { problem: 'non-string' };
  if (text === '') return { value: 0n };
  const number = digitsOf(text);
  if ('problem' in number) return number;
  if (number.digits.length > bigDigitsMax) return { problem: 'hex number > 256 bits' };
  if (!/^[0-9a-f]+$/i.test(number.digits)) return { problem: 'invalid hex string' };
  return { value: BigInt(`0x${number.digits}`) };
}

/** A block's tag or number in the canonical form, of the raw JSON of a parameter. */
export function blockNumber(raw: string): { readonly block: string } | { readonly problem: string } {
  const text = stringOf(raw) ?? raw;
  if (blockTags.includes(text)) return { block: text };
  const number = hexUint64(text);
  if ('problem' in number) return number;
  if (number.value > int64Max) return { problem: 'block number larger than int64' };
  return { block: `0x${number.value.toString(16)}` };
}

/** What stands between the quotes, escapes and all; null when there are none. */
function stringOf(raw: string): string | null {
  return raw.length >= 2 && raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1) : null;
}

function digitsOf(text: string): { readonly digits: string } | { readonly problem: string } {
  if (!/^0x/i.test(text)) return { problem: 'hex string without 0x prefix' };
  const digits = text.slice(2);
  if (digits === '') return { problem: 'hex string "0x"' };
  if (digits.length > 1 && digits.startsWith('0')) return { problem: 'hex number with leading zero digits' };
  return { digits };
}
