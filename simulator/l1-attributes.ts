/**
 * The deposit that opens every block of an OP Stack chain and says which L1 block it comes from: a transaction of type
 * 0x7e that calls setL1BlockValuesIsthmus on the L1Block predeploy (specs: protocol/deposits, isthmus/l1-attributes).
 */
import type { L1Header } from './l1.ts';

const TYPE = 0x7e;
const SELECTOR = [0x09, 0x89, 0x99, 0xbe];
const DEPOSITOR = [
  ...Array.from({ length: 2 }, () => [0xde, 0xad]).flat(),
  ...Array.from({ length: 14 }, () => 0),
  0,
  1,
];
const L1_BLOCK = [0x42, ...Array.from({ length: 18 }, () => 0), 0x15];
const GAS = [0x0f, 0x42, 0x40];

/** The transaction for the so-manieth block of an origin; `unique` tells it from others of that origin. */
export function l1Attributes(origin: L1Header, sequenceNumber: number, unique: number): Uint8Array {
  const nothing: number[] = [];
  const data = [
    ...SELECTOR,
    ...number(0, 4),
    ...number(0, 4),
    ...number(sequenceNumber, 8),
    ...number(origin.timestamp, 8),
    ...number(origin.number, 8),
    ...number(7, 32),
    ...number(1, 32),
    ...hash(origin.hash),
    ...number(0, 32),
    ...number(0, 4),
    ...number(0, 8),
  ];
  const fields = [number(unique, 32), DEPOSITOR, L1_BLOCK, nothing, nothing, GAS, nothing, data];
  const body = fields.flatMap((field) => [...header(field.length, 0x80), ...field]);
  return Uint8Array.from([TYPE, ...header(body.length, 0xc0), ...body]);
}

/** RLP's head of a string (base 0x80) or a list (0xc0); no field here is a single byte. */
function header(length: number, base: number): number[] {
  if (length < 56) return [base + length];
  const bytes = length < 256 ? [length] : [length >> 8, length & 255];
  return [base + 55 + bytes.length, ...bytes];
}

/** Big-endian, in so many bytes. */
function number(value: number, bytes: number): number[] {
  const digits = Array.from<number>({ length: bytes }).fill(0);
  let rest = Math.trunc(value);
  for (let at = bytes - 1; rest > 0; at--, rest = Math.floor(rest / 256)) digits[at] = rest % 256;
  return digits;
}

function hash(text: string): number[] {
  return [...Uint8Array.fromHex(text.slice(2))];
}
