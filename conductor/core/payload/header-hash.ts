/**
 * The hash of a block's header as an execution client answers it (eth_getBlockBy…), from its fields
 * alone: what is believed of a head is what it hashes to, not the hash that the answer claims.
 */
import { HeaderWriter } from './block-hash.ts';
import { bytesFromHex, prefixedHex } from './hex.ts';
import { keccak256 } from './keccak.ts';

const emptyUnclesHash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const extraDataBytesMax = 32;
const quantityDigitsMax = 64;

type Fields = Record<string, unknown>;

/**
 * The answer with the hash that its fields give, null for fields that give none: one is missing or
 * malformed, or the block has uncles, which no rollup's has. What is no object stays as it is, and a list, whose copy
 * would take seconds.
 */
export function withOwnHash(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  return { ...answer, hash: headerHash(answer as Fields) };
}

function headerHash(fields: Fields): string | null {
  if (String(fields['sha3Uncles']).toLowerCase() !== emptyUnclesHash) return null;
  const header = new HeaderWriter();
  try {
    for (const name of ['parentHash', 'sha3Uncles']) header.bytes(fixed(fields[name], 32));
    header.bytes(fixed(fields['miner'], 20));
    for (const name of ['stateRoot', 'transactionsRoot', 'receiptsRoot']) header.bytes(fixed(fields[name], 32));
    header.bytes(fixed(fields['logsBloom'], 256));
    for (const name of ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'])
      header.quantity(quantity(fields[name]));
    header.bytes(extraData(fields['extraData']));
    header.bytes(fixed(fields['mixHash'], 32));
    header.bytes(fixed(fields['nonce'], 8));
    header.optional([
      optional(fields['baseFeePerGas'], quantity),
      optional(fields['withdrawalsRoot'], hash),
      optional(fields['blobGasUsed'], quantity),
      optional(fields['excessBlobGas'], quantity),
      optional(fields['parentBeaconBlockRoot'], hash),
      optional(fields['requestsHash'], hash),
    ]);
  } catch (thrown) {
    if (thrown instanceof FieldError) return null;
    throw thrown;
  }
  return prefixedHex(keccak256(header.finish()));
}

/** A field is not what its name says. */
class FieldError extends Error {}

function optional<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === undefined || value === null ? null : read(value);
}

function hash(value: unknown): Uint8Array {
  return fixed(value, 32);
}

function fixed(value: unknown, length: number): Uint8Array {
  const bytes = octets(value, length);
  if (bytes.length !== length) throw new FieldError();
  return bytes;
}

function extraData(value: unknown): Uint8Array {
  return octets(value, extraDataBytesMax);
}

function octets(value: unknown, lengthMax: number): Uint8Array {
  if (typeof value !== 'string' || value.length > 2 + 2 * lengthMax || !/^0x/i.test(value)) throw new FieldError();
  const bytes = bytesFromHex(value.slice(2));
  if (bytes === null) throw new FieldError();
  return bytes;
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || value.length > 2 + quantityDigitsMax || !/^0x[0-9a-f]+$/i.test(value))
    throw new FieldError();
  return BigInt(value);
}
