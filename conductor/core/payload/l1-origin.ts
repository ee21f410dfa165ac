/**
 * The L1 block that a block of an OP Stack chain was derived from, as its first transaction says: a deposit to the
 * L1Block predeploy whose call data names it (specs: protocol/deposits, and l1-attributes of Bedrock, Ecotone, Isthmus
 * and Jovian).
 */
import { prefixedHex } from './hex.ts';

export interface L1Origin {
  readonly number: bigint;
  /** "0x" and 64 digits, lower case. */
  readonly hash: string;
}

const DEPOSIT = 0x7e;
/** Fields of a deposit: source hash, from, to, mint, value, gas, is-system, data. */
const TO_FIELD = 2;
const DATA_FIELD = 7;
const L1_BLOCK = '0x4200000000000000000000000000000000000015';
/**
 * setL1BlockValues of Bedrock, whose values are words of the ABI, and of Ecotone, Isthmus and Jovian, which pack them: the
 * number ends, and the hash begins, at the same place in all of them.
 */
const SELECTORS: readonly string[] = ['0x015d8eb9', '0x440a5e20', '0x098999be', '0x3db6be2b'];
const NUMBER_AT = 28;
const HASH_AT = 100;

/** null where the first transaction is no such deposit. */
export function l1OriginOf(transactions: readonly Uint8Array[]): L1Origin | null {
  const first = transactions[0];
  if (first === undefined || first[0] !== DEPOSIT) return null;
  const fields = fieldsOf(first.subarray(1));
  const [to, data] = [fields?.[TO_FIELD], fields?.[DATA_FIELD]];
  if (to === undefined || data === undefined || prefixedHex(to) !== L1_BLOCK) return null;
  if (!SELECTORS.includes(prefixedHex(data.subarray(0, 4))) || data.length < HASH_AT + 32) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return {
    number: view.getBigUint64(NUMBER_AT),
    hash: prefixedHex(data.subarray(HASH_AT, HASH_AT + 32)),
  };
}

/** The strings of an RLP list, as views; null for what is none. */
function fieldsOf(list: Uint8Array): Uint8Array[] | null {
  const head = itemAt(list, 0);
  if (head === null || list[0]! < 0xc0) return null;
  const fields: Uint8Array[] = [];
  for (let at = head.from; at < head.to;) {
    const item = itemAt(list, at);
    if (item === null || item.to > head.to) return null;
    fields.push(list.subarray(item.from, item.to));
    at = item.to;
  }
  return fields;
}

/** Where the content of an RLP item begins and ends. */
function itemAt(bytes: Uint8Array, at: number): { readonly from: number; readonly to: number } | null {
  const first = bytes[at];
  if (first === undefined) return null;
  if (first < 0x80) return { from: at, to: at + 1 };
  const short = first < 0xc0 ? first - 0x80 : first - 0xc0;
  const lengthBytes = short > 55 ? short - 55 : 0;
  let length = lengthBytes === 0 ? short : 0;
  for (let digit = 1; digit <= lengthBytes; digit += 1) length = length * 256 + (bytes[at + digit] ?? NaN);
  const from = at + 1 + lengthBytes;
  return from + length <= bytes.length ? { from, to: from + length } : null;
}
