/**
 * Requests to the engine API, to the execution client about itself and to L1, as values, and readers of their
 * answers (execution-apis: engine/prague, eth, debug). Only VALID and INVALID of engine_newPayload are words about a
 * block; and even they may come from a client that is stopping or has lost its head: whether they are believed is
 * the caller's decision. Answers are untrusted, texts of theirs are cut.
 */
import type { Envelope } from '../payload/envelope.ts';
import { payloadText } from '../payload/envelope-text.ts';
import { prefixedHex } from '../payload/hex.ts';
import { sszVersion } from '../payload/ssz.ts';
import { isHash, membersOf, question, readQuantity, type CallResult, type NodeRequest } from './calls.ts';

/** A client that is alive answers a question about nothing but itself within this, milliseconds. */
const aliveTimeoutMs = 300;
const lookTimeoutMs = 2000;
/** Forgetting thousands of blocks takes a while, and so may making many its chain. */
const setHeadTimeoutMs = 5000;
/** A verdict on a block is waited for so long, however long a commit waits for it; milliseconds. */
export const verdictTimeoutMs = 8000;
/** Largest piece of a client's own words that is kept, in characters. */
const messageLengthMax = 500;
/** The code of all errors that are rollup-boost's own. */
const rollupBoostError = 13;

/**
 * Gives a payload to the execution client, which executes it and says what it is worth; no head moves by that. The
 * version goes by the payload's fields, as its SSZ does: an Isthmus block whose withdrawals root is that of an empty
 * list looks like an Ecotone one and is refused with an error, which is no word about the block.
 */
export function newPayload(envelope: Envelope, timeoutMs: number): NodeRequest {
  const version = sszVersion(envelope.executionPayload);
  const payload = payloadText({
    ...envelope.executionPayload,
    withdrawalsRoot: version === 4 ? envelope.executionPayload.withdrawalsRoot : null,
  });
  const root = envelope.parentBeaconBlockRoot === null ? 'null' : `"${prefixedHex(envelope.parentBeaconBlockRoot)}"`;
  // No blob transactions in a rollup, so no versioned hashes; and no execution requests (EIP-7685).
  const more = { 1: '', 2: '', 3: `,[],${root}`, 4: `,[],${root},[]` }[version];
  return { target: 'engine', method: `engine_newPayloadV${version}`, params: `[${payload}${more}]`, timeoutMs };
}

/** What a client said of a payload; 'none' is no word about it. */
export type PayloadStatus =
  | { readonly kind: 'valid' }
  | {
      readonly kind: 'invalid';
      /** The client's words, '' where it gave none. */
      readonly message: string;
      /** The newest valid ancestor, where the client named one. */
      readonly latestValidHash: string | null;
    }
  | { readonly kind: 'none'; readonly reason: 'syncing' | 'accepted' | 'error' | 'timeout' | 'unauthorized' };

/** Reads an answer of engine_newPayload. rollup-boost makes an error of its client's INVALID (its client/rpc.rs). */
export function readPayloadStatus(answer: CallResult): PayloadStatus {
  if (answer.kind === 'error' && answer.code === rollupBoostError && answer.message.startsWith('Invalid payload'))
    return { kind: 'invalid', message: answer.message.slice(0, messageLengthMax), latestValidHash: null };
  if (answer.kind !== 'result') {
    const reason = answer.kind === 'failed' ? answer.reason : 'error';
    return { kind: 'none', reason: reason === 'timeout' || reason === 'unauthorized' ? reason : 'error' };
  }
  const { status, validationError, latestValidHash } = membersOf(answer.value);
  switch (status) {
    case 'VALID':
      return { kind: 'valid' };
    case 'INVALID':
    case 'INVALID_BLOCK_HASH': // Version 1 has a word of its own for it.
      return {
        kind: 'invalid',
        message: typeof validationError === 'string' ? validationError.slice(0, messageLengthMax) : '',
        latestValidHash: isHash(latestValidHash) ? latestValidHash.toLowerCase() : null,
      };
    case 'SYNCING':
      return { kind: 'none', reason: 'syncing' };
    case 'ACCEPTED':
      return { kind: 'none', reason: 'accepted' };
    default:
      return { kind: 'none', reason: 'error' };
  }
}

/** Lists the blocks that the client refused since it was started, where it serves the debug namespace. */
export const badBlocks = question('execution', 'debug_getBadBlocks', lookTimeoutMs);

/** Their hashes; null for what is no such list. */
export function readBadBlocks(answer: CallResult): readonly string[] | null {
  if (answer.kind !== 'result' || !Array.isArray(answer.value)) return null;
  const hashes = answer.value.map((one) => membersOf(one)['hash']).filter(isHash);
  return hashes.length === answer.value.length ? hashes.map((hash) => hash.toLowerCase()) : null;
}

/** Asks whether the client is syncing. */
export const syncing = question('execution', 'eth_syncing', lookTimeoutMs);

/**
 * null where it did not say. One that has all blocks and is still indexing does not sync; that it indexes is seen by
 * op-geth's own fields, since reth names its head as the highest block all the time that it syncs.
 */
export function readSyncing(answer: CallResult): boolean | null {
  if (answer.kind !== 'result') return null;
  if (answer.value === false) return false;
  if (typeof answer.value !== 'object' || answer.value === null) return null;
  const quantity = (name: string): bigint | null => readQuantity(membersOf(answer.value)[name]);
  const [current, highest] = [quantity('currentBlock'), quantity('highestBlock')];
  const isIndexing = [quantity('txIndexRemainingBlocks'), quantity('stateIndexRemaining')].some(
    (left) => (left ?? 0n) > 0n,
  );
  return !isIndexing || current === null || highest === null || current < highest;
}

/**
 * Whether the stages of a client that says that it syncs are all where its head is; null where it lists none, as op-geth. reth
 * says that it syncs from its start until its head moves, and its stages are level then, as before its sync begins.
 */
export function areStagesLevel(answer: CallResult): boolean | null {
  const { currentBlock, stages } = answer.kind === 'result' ? membersOf(answer.value) : {};
  const current = readQuantity(currentBlock);
  if (current === null || !Array.isArray(stages)) return null;
  return stages.every((stage) => readQuantity(membersOf(stage)['block']) === current);
}

/** How far a client that syncs has got, as text that differs with it; what it has still to reach is no part of it. */
export function readSyncProgress(answer: CallResult): string {
  const { highestBlock: _, ...progress } = answer.kind === 'result' ? membersOf(answer.value) : {};
  return JSON.stringify(progress);
}

/**
 * Makes a block that the client has executed its head. What is safe and finalized stays as it is: a hash of zeros says nothing
 * of it. Only for what op-node stands on, or follows to (evidence/refill.ts).
 */
export function forkchoiceUpdated(hash: string): NodeRequest {
  const none = `0x${'00'.repeat(32)}`;
  const params = `[{"headBlockHash":"${hash}","safeBlockHash":"${none}","finalizedBlockHash":"${none}"},null]`;
  return { target: 'engine', method: 'engine_forkchoiceUpdatedV3', params, timeoutMs: setHeadTimeoutMs };
}

/** What the client says of that block. */
export function readForkchoice(answer: CallResult): PayloadStatus {
  if (answer.kind !== 'result') return readPayloadStatus(answer);
  return readPayloadStatus({ kind: 'result', value: membersOf(answer.value)['payloadStatus'] });
}

/**
 * Makes the client forget everything above a block of its own chain (op-geth's debug namespace). What it forgets is
 * gone from its database: only for blocks that it cannot use and that others keep.
 */
export function setHead(number: bigint): NodeRequest {
  const params = `["0x${number.toString(16)}"]`;
  return { target: 'execution', method: 'debug_setHead', params, timeoutMs: setHeadTimeoutMs };
}

/** Asks the client for its name and version; what that says of it: `executesOwnBlocks`. */
export const clientVersion = question('execution', 'web3_clientVersion', lookTimeoutMs);

/**
 * Whether engine_newPayload executes also a block that this client built. reth keeps what it builds with the state that
 * came of it, and calls it VALID without executing it again (op-reth payload/src/builder.rs; reth
 * node/builder/src/launch/engine.rs); others are not known to. `version` is what the client tells of itself; null where
 * that is no name, as behind rollup-boost, whose client is asked on a port without that method.
 */
export function executesOwnBlocks(version: unknown): boolean | null {
  return typeof version === 'string' ? !/reth/i.test(version) : null;
}

/** Asks an L1 client for the header at a height of its chain, or at a tag; answers are read with `readHeader`. */
export function l1Block(block: bigint | 'latest' | 'finalized'): NodeRequest {
  const height = typeof block === 'string' ? block : `0x${block.toString(16)}`;
  return { target: 'l1', method: 'eth_getBlockByNumber', params: `["${height}",false]`, timeoutMs: lookTimeoutMs };
}

/**
 * The cheapest question a client has to answer whatever it is doing, on a connection of its own: a client that is
 * gone refuses it, one that hangs lets it run out.
 */
export function aliveProbe(target: 'execution' | 'engine'): NodeRequest {
  return { ...question(target, 'eth_blockNumber', aliveTimeoutMs), isProbe: true };
}

/** What a probe shows: 'refused' is a client that is not there, 'silent' one that hangs; null shows nothing of it. */
export function readAlive(answer: CallResult): 'answers' | 'unauthorized' | 'refused' | 'silent' | null {
  if (answer.kind !== 'failed') return 'answers';
  switch (answer.reason) {
    case 'unauthorized':
      return 'unauthorized';
    case 'timeout':
      return 'silent';
    case 'refused':
    case 'unreachable':
    case 'malformed': // Something stands before it and has no answer of its.
      return 'refused';
    case 'overflow':
    case 'cancelled':
      return null;
  }
}
