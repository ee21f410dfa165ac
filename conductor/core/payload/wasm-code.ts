/**
 * Instructions and sections of a WebAssembly module as bytes (WebAssembly 2.0, binary format), for modules that are
 * written here and not compiled: keccak-pair-code.ts, hex-code.ts.
 */

export type Code = readonly number[];

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number): Code => [0x21, ...unsigned(local)];
export const tee = (local: number): Code => [0x22, ...unsigned(local)];
/** A number of 32 bits, from 0. */
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const simd = (operation: number, ...rest: number[]): Code => [0xfd, ...unsigned(operation), ...rest];

export function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

/** LEB128. */
export function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** LEB128 with a sign, of values from 0. */
function signed(value: number): Code {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
