/** A block of an execution client as the payload it came from, by its eth and debug methods; and a spoilt copy of one. */
import { blockHash } from '#conductor/core/payload/block-hash';
import type { Envelope } from '#conductor/core/payload/envelope';
import { EnvelopeError, parseEnvelope } from '#conductor/core/payload/parse-envelope';

type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** The payload at a height; throws when its fields do not hash to the block's hash. */
export async function payloadAt(call: Call, number: number): Promise<Envelope> {
  const block = (await call('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])) as Record<string, unknown>;
  const hashes = block['transactions'] as readonly string[];
  const transactions: unknown[] = [];
  for (const hash of hashes) transactions.push(await call('debug_getRawTransaction', [hash]));
  const envelope = parseEnvelope({
    parentBeaconBlockRoot: block['parentBeaconBlockRoot'],
    executionPayload: {
      ...block,
      feeRecipient: block['miner'],
      prevRandao: block['mixHash'],
      blockNumber: block['number'],
      blockHash: block['hash'],
      transactions,
    },
  });
  if (envelope instanceof EnvelopeError) throw envelope;
  if (`0x${blockHash(envelope).toHex()}` !== block['hash'])
    throw new Error(`block ${number} is not what its fields hash to`);
  return envelope;
}

/** The same with some fields replaced, and the hash that it has then. */
export function changed(envelope: Envelope, fields: Partial<Envelope['executionPayload']>): Envelope {
  const executionPayload = { ...envelope.executionPayload, ...fields };
  const hash = blockHash({ ...envelope, executionPayload });
  return { ...envelope, executionPayload: { ...executionPayload, blockHash: hash } };
}
