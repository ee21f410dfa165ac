/**
 * Whether the committed chain may be moved back (rule 6): a rollup whose L1 origin was reorged out builds on an
 * earlier block, and no node will ever take the committed ones again. Everything here is evidence; the log entry
 * is proposed by the caller, who checks leadership and tip once more.
 */
import { blockByNumber, readHeader, readSyncHead, syncStatus, type BlockHeader, type BlockRef } from './calls.ts';
import type { ChainView } from './chain-view.ts';
import { call, type Steps } from './effects.ts';
import type { Peer } from './target.ts';

/** --consensus.rollback */
export type RollbackPolicy = 'auto' | 'refuse';

/** What decides whether a rollback can be proposed here at all. */
export interface RollbackGround {
  readonly chain: ChainView;
  readonly policy: RollbackPolicy;
  /** All members but ourselves. */
  peers(): readonly Peer[];
}

export interface RollbackHost extends RollbackGround {
  /** The payloads up to this head were posted to the node and it was waited for (rule 3), and for hints of peers. */
  wasBroughtTo(tipHash: string): boolean;
  /** This leader started the sequencer, or took a payload from it, in this term. */
  isOwnSequencer(): boolean;
}

/** 'later': rule 3 comes first. 'refused' needs an operator. */
export type RollbackVerdict =
  | { readonly kind: 'allowed'; readonly evidence: string }
  | { readonly kind: 'later' }
  | { readonly kind: 'transfer'; readonly target: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Looks whether `offered`, which the log refuses, is where the chain legitimately goes on. */
export function* examineRollback(host: RollbackHost, offered: BlockHeader): Steps<RollbackVerdict> {
  const tip = host.chain.head();
  if (tip === null || !host.isOwnSequencer()) return { kind: 'later' };
  const answer = yield* call(syncStatus);
  const status = answer.kind === 'result' ? answer.value : null;
  const unsafe = readSyncHead(status, 'unsafe_l2');
  const safe = readSyncHead(status, 'safe_l2');
  if (unsafe === null || safe === null) return { kind: 'later' };
  if (unsafe.hash !== offered.parentHash || unsafe.number < safe.number) return { kind: 'later' };
  const safeEvidence = yield* otherSafeBlock(host.chain, safe);
  if (safeEvidence === null && !host.wasBroughtTo(tip.hash)) return { kind: 'later' };
  const heir = host.peers().find((peer) => peer.isVoter && peer.hint?.headHash === tip.hash);
  if (heir?.hint != null) {
    const { isHealthy, isPaused } = heir.hint;
    if (heir.isInContact && isHealthy !== false && !isPaused) return { kind: 'transfer', target: heir.id };
    return { kind: 'refused', why: `the node of ${heir.id} holds the committed head, but ${heir.id} cannot take over` };
  }
  const barrier = rollbackBarrier(host);
  if (barrier !== null) return { kind: 'refused', why: barrier };
  return {
    kind: 'allowed',
    evidence: safeEvidence ?? 'the node took the committed payloads and left them again, or would not take them',
  };
}

/** Whether the node's safe chain contradicts the committed one: then it can be started on its own branch. */
export function* isCommittedChainDead(host: RollbackGround): Steps<boolean> {
  if (rollbackBarrier(host) !== null) return false;
  const answer = yield* call(syncStatus);
  const safe = answer.kind === 'result' ? readSyncHead(answer.value, 'safe_l2') : null;
  return safe !== null && (yield* otherSafeBlock(host.chain, safe)) !== null;
}

/** Why a rollback cannot be proposed here at all; null when it can. */
function rollbackBarrier(host: RollbackGround): string | null {
  if (host.policy === 'refuse') return 'this conductor was started with --consensus.rollback=refuse';
  const foreign = host.peers().filter((peer) => !peer.isOwn);
  if (foreign.length === 0) return null;
  const ids = foreign.map((peer) => peer.id).join(', ');
  return `${ids} may not understand it: only when every server is known to run this conductor`;
}

/**
 * How the safe chain contradicts the committed one; null while it does not. A safe head above the tip is beyond the
 * log: then the node's block at the tip's height is safe, and says it.
 */
function* otherSafeBlock(chain: ChainView, safe: BlockRef): Steps<string | null> {
  const tip = chain.head();
  const held = tip !== null && safe.number > tip.number ? tip : chain.at(safe.number);
  if (held === null) return null;
  const theirs = held.number === safe.number ? safe : yield* blockAt(held.number);
  if (theirs === null || theirs.hash === held.hash) return null;
  return `the safe chain has ${theirs.hash} at height ${held.number}, the log ${held.hash}`;
}

function* blockAt(number: bigint): Steps<BlockRef | null> {
  const answer = yield* call(blockByNumber(number));
  const header = answer.kind === 'result' ? readHeader(answer.value) : null;
  return header?.number === number ? header : null;
}
