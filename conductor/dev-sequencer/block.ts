/**
 * Blocks of a development chain: random transactions under a real header, whose hash a conductor
 * can verify. Blocks travel and rest as the JSON text of their payload envelope, in op-node's form.
 */
import { randomFillSync } from 'node:crypto';
import { blockHash } from '#conductor/core/payload/block-hash';
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope, type Envelope } from '#conductor/core/payload/envelope';
import { envelopeText } from '#conductor/core/payload/envelope-text';
import { prefixedHex } from '#conductor/core/payload/hex';
import { keccak256 } from '#conductor/core/payload/keccak';
import { EnvelopeError, parseEnvelope } from '#conductor/core/payload/parse-envelope';
import { orderedTrieRoot } from '#conductor/core/payload/trie-root';
import type { BlockPosition, ChainSpec } from './chain-spec.ts';
import { RpcError } from './json-rpc-server.ts';

const EMPTY_UNCLES_HASH = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const EMPTY_REQUESTS_HASH = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** First byte of a deposit transaction; clients take what follows for one and do not look into it. */
const DEPOSIT_TYPE = 0x7e;
/** Characters of a block's text within which its roots stand. */
const ROOTS_WITHIN = 1024;
const LARGEST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** A block by what the chain needs to know of it; `text` is the whole envelope as JSON. */
export interface DevBlock extends BlockPosition {
  readonly text: string;
}

/** How much random content a block gets. */
export interface BlockContent {
  readonly transactionsPerBlock: number;
  /** Bytes of each transaction. */
  readonly transactionBytes: number;
}

/** Block 0, the same in every node of the chain. */
export function genesisBlock(spec: ChainSpec): DevBlock {
  const salt = keccak256(
    new TextEncoder().encode(`development chain ${spec.chainId}, blocks of ${spec.blockSeconds} s`),
  );
  return devBlock(buildBlock({ parent: null, timestamp: spec.genesisTime, transactions: [], salt }));
}

/** A new block on a parent, with random transactions. */
export function buildNextBlock(parent: DevBlock, timestamp: number, content: BlockContent): DevBlock {
  const transactions: Uint8Array[] = [];
  for (let index = 0; index < content.transactionsPerBlock; index += 1) {
    const bytes = randomFillSync(new Uint8Array(content.transactionBytes));
    bytes[0] = DEPOSIT_TYPE;
    transactions.push(bytes);
  }
  return devBlock(buildBlock({ parent: envelopeOf(parent), timestamp, transactions }));
}

/** A payload whose fields do not hash to what it claims. */
export class BadHashError extends RpcError {}

/** A block from a stranger's envelope. Throws RpcError when it is malformed, BadHashError when it does not have the hash it claims. */
export function blockFromEnvelope(value: unknown): DevBlock {
  const envelope = parseEnvelope(value);
  if (envelope instanceof EnvelopeError) throw new RpcError(`invalid argument 0: ${envelope.message}`, -32602);
  const { blockHash: claim, blockNumber, timestamp } = envelope.executionPayload;
  const actual = prefixedHex(blockHash(envelope));
  if (prefixedHex(claim) !== actual) {
    throw new BadHashError(`payload has bad block hash: ${prefixedHex(claim)}, actual block hash is: ${actual}`);
  }
  if (blockNumber > LARGEST_EXACT || timestamp > LARGEST_EXACT) {
    throw new RpcError('invalid argument 0: block number or timestamp is beyond 2^53', -32602);
  }
  return devBlock(envelope);
}

/**
 * Whether a block is what executing it on its parent gives: this file makes no transactions that could be executed,
 * so the state root stands for the outcome, a digest of the parent's and of what the block holds.
 */
export function isSound(parent: DevBlock, block: DevBlock): boolean {
  const roots = rootsOf(block);
  return roots.stateRoot === prefixedHex(keccak256(bytesOf(rootsOf(parent).stateRoot), bytesOf(roots.receiptsRoot)));
}

/** The same block with a state root that nothing gives, and the hash that goes with it: no execution client takes it. */
export function spoilt(block: DevBlock): DevBlock {
  const envelope = envelopeOf(block);
  const { stateRoot } = envelope.executionPayload;
  const wrong = { ...envelope.executionPayload, stateRoot: stateRoot.with(31, (stateRoot[31] ?? 0) ^ 1) };
  const hash = blockHash({ ...envelope, executionPayload: wrong });
  return devBlock({ ...envelope, executionPayload: { ...wrong, blockHash: hash } });
}

/** Transactions in it. */
export function transactionCount(block: DevBlock): number {
  return envelopeOf(block).executionPayload.transactions.length;
}

/** The block as eth_getBlockByNumber answers it; transactions as hashes, or as objects when `isFull`. */
export function blockJson(block: DevBlock, isFull: boolean): Record<string, unknown> {
  const envelope = envelopeOf(block);
  const payload = envelope.executionPayload;
  const { executionPayload: fields } = formatEnvelope(envelope) as { executionPayload: Record<string, unknown> };
  const hashes = payload.transactions.map((bytes) => prefixedHex(keccak256(bytes)));
  const position = { blockHash: block.hash, blockNumber: fields['blockNumber'] };
  return {
    baseFeePerGas: fields['baseFeePerGas'],
    blobGasUsed: fields['blobGasUsed'],
    difficulty: '0x0',
    excessBlobGas: fields['excessBlobGas'],
    extraData: fields['extraData'],
    gasLimit: fields['gasLimit'],
    gasUsed: fields['gasUsed'],
    hash: block.hash,
    logsBloom: fields['logsBloom'],
    miner: fields['feeRecipient'],
    mixHash: fields['prevRandao'],
    nonce: '0x0000000000000000',
    number: fields['blockNumber'],
    parentBeaconBlockRoot: prefixedHex(envelope.parentBeaconBlockRoot ?? new Uint8Array(32)),
    parentHash: block.parentHash,
    receiptsRoot: fields['receiptsRoot'],
    requestsHash: EMPTY_REQUESTS_HASH,
    sha3Uncles: EMPTY_UNCLES_HASH,
    size: `0x${Math.ceil(block.text.length / 2).toString(16)}`,
    stateRoot: fields['stateRoot'],
    timestamp: fields['timestamp'],
    transactions: isFull
      ? hashes.map((hash, index) => ({
          ...position,
          hash,
          type: '0x7e',
          input: prefixedHex(payload.transactions[index] ?? new Uint8Array(0)),
          transactionIndex: `0x${index.toString(16)}`,
        }))
      : hashes,
    transactionsRoot: prefixedHex(orderedTrieRoot(payload.transactions)),
    uncles: [],
    withdrawals: [],
    withdrawalsRoot: fields['withdrawalsRoot'],
  };
}

/** The roots in optimism_outputAtBlock: the output root commits to state, withdrawals and block hash. */
export function outputRoots(block: DevBlock): { outputRoot: string; withdrawalStorageRoot: string; stateRoot: string } {
  const { stateRoot, withdrawalsRoot, blockHash: hash } = envelopeOf(block).executionPayload;
  const storageRoot = withdrawalsRoot ?? new Uint8Array(32);
  const preimage = new Uint8Array(128);
  preimage.set(stateRoot, 32);
  preimage.set(storageRoot, 64);
  preimage.set(hash, 96);
  return {
    outputRoot: prefixedHex(keccak256(preimage)),
    withdrawalStorageRoot: prefixedHex(storageRoot),
    stateRoot: prefixedHex(stateRoot),
  };
}

function devBlock(envelope: Envelope): DevBlock {
  const payload = envelope.executionPayload;
  return {
    hash: prefixedHex(payload.blockHash),
    number: Number(payload.blockNumber),
    parentHash: prefixedHex(payload.parentHash),
    timestamp: Number(payload.timestamp),
    text: envelopeText(envelope),
  };
}

/** Roots by the text, in which they stand near the start: blocks may be large. */
function rootsOf({ text }: DevBlock): { readonly stateRoot: string; readonly receiptsRoot: string } {
  const [, stateRoot = '', receiptsRoot = ''] =
    /"stateRoot":"(0x[0-9a-f]{64})","receiptsRoot":"(0x[0-9a-f]{64})"/.exec(text.slice(0, ROOTS_WITHIN)) ?? [];
  return { stateRoot, receiptsRoot };
}

function bytesOf(hash: string): Uint8Array {
  return Uint8Array.fromHex(hash.slice(2));
}

/** The envelope of a block that was checked when it came in. */
function envelopeOf(block: DevBlock): Envelope {
  const envelope = parseEnvelope(JSON.parse(block.text));
  if (envelope instanceof EnvelopeError) throw envelope;
  return envelope;
}
