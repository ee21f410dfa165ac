/**
 * Single JSON values that hold bytes or quantities as hex text, read as go-ethereum's hexutil reads
 * them. Each reader returns the value, or a text that says what is wrong in hexutil's words.
 */
import { bytesFromHex } from './hex.ts';

const HEX_DIGITS = /^[0-9a-fA-F]*$/;

/** The JSON kind of a parsed value, as Go names it. */
export function kindOf(value: unknown): 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'object';
}

/** Bytes of any length; the empty text is no bytes. `path` and `type` go into the error text. */
export function readBytes(value: unknown, path: string, type = 'hexutil.Bytes'): Uint8Array | string {
  const digits = readDigits(value);
  if (digits === null) return malformed(prefixProblem(value), path, type);
  const bytes = bytesFromHex(digits);
  if (bytes !== null) return bytes;
  return malformed(textBytes(digits) % 2 === 0 ? 'invalid hex string' : 'hex string of odd length', path, type);
}

/** Exactly `length` bytes. */
export function readFixed(value: unknown, length: number, type: string, path: string): Uint8Array | string {
  const digits = readDigits(value);
  const size = digits === null ? 2 * length : textBytes(digits);
  if (size !== 2 * length && size % 2 === 0) return `hex string has length ${size}, want ${2 * length} for ${type}`;
  return readBytes(value, path, type);
}

/** An unsigned integer of at most `bits` bits; the empty text is zero, leading zeros are refused. */
export function readQuantity(value: unknown, bits: number, type: string, path: string): bigint | string {
  const digits = readDigits(value);
  if (digits === null) return malformed(prefixProblem(value), path, type);
  if (digits === '') return value === '' ? 0n : malformed('hex string "0x"', path, type);
  if (digits.length > 1 && digits.startsWith('0')) return malformed('hex number with leading zero digits', path, type);
  if (digits.length > bits / 4) return malformed(`hex number > ${bits} bits`, path, type);
  if (!HEX_DIGITS.test(digits)) return malformed('invalid hex string', path, type);
  return BigInt(`0x${digits}`);
}

/** Length as Go counts it, in bytes of UTF-8. */
function textBytes(text: string): number {
  return HEX_DIGITS.test(text) ? text.length : new TextEncoder().encode(text).length;
}

/** What follows the prefix; null when the value is not a text with one (or empty). */
function readDigits(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (value === '') return value;
  return value.startsWith('0x') || value.startsWith('0X') ? value.slice(2) : null;
}

function prefixProblem(value: unknown): string {
  return typeof value === 'string' ? 'hex string without 0x prefix' : 'non-string';
}

function malformed(problem: string, path: string, type: string): string {
  return `json: cannot unmarshal ${problem} into Go struct field ${path} of type ${type}`;
}
