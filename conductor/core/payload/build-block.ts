/**
 * Blocks for a development sequencer: payloads of the current fork (Isthmus, SSZ version 4) that carry
 * any bytes as transactions and hash correctly, without executing anything. State and receipts are
 * stand-ins derived from the parent and the transactions, so equal inputs give equal blocks.
 */
import { blockHash } from './block-hash.ts';
import type { Envelope, ExecutionPayload } from './envelope.ts';
import { keccak256 } from './keccak.ts';
import { orderedTrieRoot } from './trie-root.ts';

/** Where OP Stack chains send their sequencer fees. */
const FEE_VAULT = Uint8Array.from({ length: 20 }, (_, at) => (at === 0 ? 0x42 : at === 19 ? 0x11 : 0));
/** Version 0, base-fee denominator 250, elasticity 6 (Holocene). */
const EXTRA_DATA = Uint8Array.of(0, 0, 0, 0, 250, 0, 0, 0, 6);
const GAS_LIMIT = 30_000_000n;
const GAS_PER_TRANSACTION = 21_000n;
const BASE_FEE = 1_000_000n;

/** What a new block is made of. */
export interface BlockInput {
  /** The block to build on; null builds a first block with an all-zero parent hash. */
  readonly parent: Envelope | null;
  /** Height of a first block; default 0. */
  readonly firstNumber?: number;
  /** Seconds since the Unix epoch. */
  readonly timestamp: bigint | number;
  /** Opaque bytes each; not copied. */
  readonly transactions: readonly Uint8Array[];
  /** Names the chain, 32 bytes: two sequencers with different salts build different blocks on one parent. Default zero. */
  readonly salt?: Uint8Array;
}

/**
 * A sealed block: number = parent's + 1, parentHash = parent's blockHash, blockHash = `blockHash(envelope)`.
 * `encodeSsz` writes it as version 4, and the state machine accepts it.
 *
 *     const genesis = buildBlock({ parent: null, timestamp: 1_700_000_000, transactions: [] });
 *     const next = buildBlock({ parent: genesis, timestamp: 1_700_000_001, transactions: [bytes] });
 */
export function buildBlock(input: BlockInput): Envelope {
  const parent = input.parent?.executionPayload ?? null;
  const transactionsRoot = orderedTrieRoot(input.transactions);
  const parentHash = parent?.blockHash ?? new Uint8Array(32);
  const gasUsed = GAS_PER_TRANSACTION * BigInt(input.transactions.length);
  const draft: ExecutionPayload = {
    parentHash,
    feeRecipient: FEE_VAULT,
    stateRoot: keccak256(parent?.stateRoot ?? parentHash, transactionsRoot),
    receiptsRoot: transactionsRoot,
    logsBloom: new Uint8Array(256),
    prevRandao: input.salt ?? new Uint8Array(32),
    blockNumber: parent === null ? BigInt(input.firstNumber ?? 0) : parent.blockNumber + 1n,
    gasLimit: GAS_LIMIT,
    gasUsed: gasUsed < GAS_LIMIT ? gasUsed : GAS_LIMIT,
    timestamp: BigInt(input.timestamp),
    extraData: EXTRA_DATA,
    baseFeePerGas: BASE_FEE,
    blockHash: parentHash,
    transactions: input.transactions,
    withdrawals: [],
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    withdrawalsRoot: keccak256(parentHash),
  };
  const parentBeaconBlockRoot = new Uint8Array(32);
  const hash = blockHash({ parentBeaconBlockRoot, executionPayload: draft });
  return { parentBeaconBlockRoot, executionPayload: { ...draft, blockHash: hash } };
}
