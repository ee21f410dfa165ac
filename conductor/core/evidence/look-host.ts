/** What a look at the own node and its client has to work with (look.ts). */
import type { BlockRef, NodeRequest } from '../node/calls.ts';
import type { WholeChainView } from '../node/chain-view.ts';
import { call, type Steps } from '../node/effects.ts';
import { newPayload, readPayloadStatus, syncing, type PayloadStatus } from '../node/engine-calls.ts';
import type { Memory } from './memory.ts';

/** A node that has not answered by then has not answered, milliseconds. */
export const answerTimeoutMs = 500;
/** A client that wants to sync first is asked again, milliseconds. */
export const askAgainMs = 500;

/** Height from which a client can get from others the state of a block 64 below the head (op-geth, fsMinFullBlocks). */
export const syncsFrom = 128n;

export interface LookHost {
  readonly chain: WholeChainView;
  readonly hasEngine: boolean;
  /** An L1 client may be asked. */
  readonly hasL1: boolean;
  readonly memory: Memory;
  readonly blockTimeMs: number;
  /** Height of the last block in the own log, committed or not; null for none. */
  logEnd(): bigint | null;
  nowMs(): number;
  /** Since when the tip is the tip, milliseconds ago. */
  tipAgeMs(): number;
  mayPost(): boolean;
  /** Node and client may be changed: this conductor is neither stopped nor paused nor overridden. */
  mayAct(): boolean;
  /** This server leads. */
  leads(): boolean;
  /** The own sequencer builds, as far as is known. */
  builds(): boolean;
  /** This server's word is one of those that make a majority with the leader's. */
  isFirstFollower(): boolean;
  /** The node of another voter, as far as it is heard here, has left the block. */
  isLeftByPeer(block: BlockRef): boolean;
  /** Begins to give the node what follows its head (give.ts), unless that is under way. */
  give(head: BlockRef): void;
  /** Begins to refill the client up to the block on which op-node stands (refill.ts), unless something is being given. */
  refill(client: BlockRef, node: BlockRef): void;
  /** That has begun. */
  refilling(client: BlockRef, node: BlockRef): void;
  /** The client was made to forget what it holds above its head without the states (forget.ts). */
  forgot(head: BlockRef): void;
}

/** A question of a look does not wait longer than that. */
export function soon(request: NodeRequest): NodeRequest {
  return { ...request, timeoutMs: Math.min(request.timeoutMs, answerTimeoutMs) };
}

/** Remembers that the client would only sync to what follows its head, since which tip, and whether it says that it syncs. */
export function* withholds({ memory, nowMs }: LookHost, tipHash: string): Steps<void> {
  const isSyncing = memory.syncs(yield* call(soon(syncing)), nowMs());
  memory.withheld = { tipHash: memory.withheld?.tipHash ?? tipHash, atMs: nowMs(), isSyncing };
}

export const noWord = { kind: 'none', reason: 'error' } as const satisfies PayloadStatus;

/** What the client says of a committed block, if its engine API is known here and the log has it. */
export function* statusOf({ chain, hasEngine }: LookHost, number: bigint): Steps<PayloadStatus> {
  const envelope = hasEngine ? chain.envelope(number) : null;
  return envelope === null ? noWord : readPayloadStatus(yield* call(newPayload(envelope, answerTimeoutMs)));
}
