/**
 * Whether the committed chain may be moved back (rule 6): a rollup whose L1 origin was reorged out builds on an earlier
 * block, and a block that every client refuses can never be built on. What proves it is counted in evidence/proof.ts;
 * here it is asked for when a node offers another block, or when a leader's node cannot be brought to the tip.
 */
import type { Refusal } from '../evidence/evidence.ts';
import type { Proof } from '../evidence/proof.ts';
import { forkPoint } from '../evidence/fork-point.ts';
import { isUnset, syncHeadOf, syncStatus, type BlockHeader, type BlockRef, type CallResult } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { call, wait, type Steps } from '../node/effects.ts';
import { awaitLook, type Looks } from './await-look.ts';
import { holderOf, type Peer } from './target.ts';

/** The end of a reset, and words of peers that are on their way, are waited for so long each, milliseconds. */
const wordWaitMs = 400;
/** And so long in all: op-node waits one second for the answer to its offer. */
const offerWaitMs = 800;
const wordPollMs = 20;

/** What an operator is told where nothing can be proved: no block that nodes have left is in the log any more. */
export const leftBelowLog =
  'most nodes stand below what the log holds, or left the committed chain there, as after a sequencing window that expired: nothing can be proved, and the chain goes on only by hand: conductor runbook left-below-log';

/** What decides whether the chain can be moved back here at all. */
export interface RollbackDependencies {
  readonly chain: ChainView;
  nowMs(): number;
  /** All members but ourselves. */
  peers(): readonly Peer[];
  /** Whether a committed block may be given up, by what is known now. */
  proofAgainst(block: BlockRef): Proof;
  /** The node of some voter has left the block, or its safe chain has another one there. */
  isLeft(block: BlockRef): boolean;
  /** What our own node says would prove it, if others said the same; null for nothing. */
  refusal(block: BlockRef): Refusal | null;
}

export interface RollbackHost extends RollbackDependencies, Looks {
  /** Bringing the node to this head was tried, to its end, and words of peers have come since (rule 3). */
  wasBroughtTo(tipHash: string): boolean;
  /** This leader started the sequencer, or took a payload from it, in this term. */
  isOwnSequencer(): boolean;
}

/** 'later': rule 3 comes first. 'refused' needs an operator. */
export type RollbackVerdict =
  | { readonly kind: 'allowed'; readonly evidence: string; readonly asPlainPayload: boolean }
  | { readonly kind: 'later' }
  | { readonly kind: 'transfer'; readonly target: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Looks whether `offered`, which the log refuses, is where the chain legitimately goes on. */
export function* examineRollback(host: RollbackHost, offered: BlockHeader): Steps<RollbackVerdict> {
  const tip = host.chain.head();
  if (tip === null || !host.isOwnSequencer()) return { kind: 'later' };
  const sinceMs = host.nowMs();
  let status = yield* call(syncStatus);
  // It may offer a block while it is still being reset, and tells of no head.
  for (; isResetting(status) && host.nowMs() < sinceMs + wordWaitMs; status = yield* call(syncStatus))
    yield* wait(wordPollMs);
  const [unsafe, safe] = [syncHeadOf(status, 'unsafe_l2'), syncHeadOf(status, 'safe_l2')];
  if (unsafe === null || safe === null) return { kind: 'later' };
  if (unsafe.hash !== offered.parentHash || unsafe.number < safe.number) return { kind: 'later' };
  const parts = yield* forkPoint(host.chain, unsafe);
  if (parts.kind === 'belowLog' && host.wasBroughtTo(tip.hash) && areMostOffLog(host))
    return { kind: 'refused', why: leftBelowLog };
  if (parts.kind !== 'parts') return { kind: 'later' };
  if (host.proofAgainst(parts.at).kind === 'unproved') yield* waitForWords(host, parts.at, sinceMs + offerWaitMs);
  const proof = host.proofAgainst(parts.at);
  if (isOnDeadGround(host, parts.at, proof)) return { kind: 'later' };
  if (proof.kind === 'proved') {
    return {
      kind: 'allowed',
      evidence: proof.by === 'operator' ? "an operator's word" : `${proof.by}, by ${proof.voters.join(', ')}`,
      asPlainPayload: proof.mayReplaceTipOnly,
    };
  }
  return whereItStays(host, tip.hash, proof.why);
}

/** That the own node has left the block a look shows; and what this server says of it, others may be about to. */
function* waitForWords(host: RollbackHost, block: BlockRef, endMs: number): Steps<void> {
  const untilMs = Math.min(host.nowMs() + wordWaitMs, endMs);
  yield* awaitLook(host, untilMs, wordPollMs);
  while (host.refusal(block) !== null && host.proofAgainst(block).kind === 'unproved' && host.nowMs() < untilMs)
    yield* wait(wordPollMs);
}

function isResetting(status: CallResult): boolean {
  const head = syncHeadOf(status, 'unsafe_l2');
  return head !== null && isUnset(head);
}

/** What becomes of a leader whose node does not take a committed block that stays: rule 3, then whoever holds it. */
export function whereItStays(
  host: Pick<RollbackHost, 'wasBroughtTo' | 'peers'>,
  hash: string,
  why: string,
): Exclude<RollbackVerdict, { kind: 'allowed' }> {
  if (!host.wasBroughtTo(hash)) return { kind: 'later' };
  const target = holderOf(hash, host.peers());
  return target === null ? { kind: 'refused', why } : { kind: 'transfer', target: target.id };
}

/** Whether a node whose head is this may be started there: what stands above it in the log is proved to be given up. */
export function* isGivenUpAbove(host: RollbackDependencies, head: BlockRef): Steps<boolean> {
  return (yield* whatStandsAbove(host, head)).kind === 'givenUp';
}

/** 'belowLog': it is not in the log; 'forbidden': it is proved, and not to be acted on, as `why` says. */
export type Above =
  | { readonly kind: 'givenUp' | 'stays' | 'belowLog' }
  | { readonly kind: 'forbidden'; readonly why: string };

export function* whatStandsAbove(host: RollbackDependencies, head: BlockRef): Steps<Above> {
  const parts = yield* forkPoint(host.chain, head);
  if (parts.kind !== 'parts') return { kind: parts.kind === 'belowLog' ? 'belowLog' : 'stays' };
  const proof = host.proofAgainst(parts.at);
  if (proof.kind === 'unproved' && proof.isForbidden === true) return { kind: 'forbidden', why: proof.why };
  if (isOnDeadGround(host, parts.at, proof)) return { kind: 'stays' };
  return { kind: proof.kind === 'proved' ? 'givenUp' : 'stays' };
}

/**
 * Whether the nodes of most voters, of which the own one is known to be, can be brought nowhere by the log: none of its
 * blocks is their head, or follows it. One that nothing is known of is not counted among them.
 */
export function areMostOffLog(host: Pick<RollbackDependencies, 'chain' | 'peers'>): boolean {
  const voters = host.peers().filter(({ isVoter }) => isVoter);
  return 2 * (1 + voters.filter((peer) => isOffLog(host.chain, peer)).length) > 1 + voters.length;
}

/** Its node is known to be where the log can bring it nowhere. */
export function isOffLog(chain: ChainView, { known }: Peer): boolean {
  if (known === null || known.headHash === null) return false;
  const { headNumber, headHash } = known;
  return chain.at(headNumber)?.hash !== headHash && chain.at(headNumber + 1n)?.parentHash !== headHash;
}

/**
 * Whether clients are proved to refuse a committed block, or the own one does and an operator gave it up, so that another
 * may take its place; to be asked with every event.
 */
export function isProvedInvalid(
  block: BlockRef,
  host: Pick<RollbackDependencies, 'refusal' | 'proofAgainst'>,
): boolean {
  // The proof is looked for only where the own node could be part of it.
  const proof = host.refusal(block) === null ? null : host.proofAgainst(block);
  return proof?.kind === 'proved' && proof.by !== 'l1' && proof.by !== 'left';
}

/**
 * A voter's node has left the block that this one stands on, too: L1 went back further than our own node has seen yet,
 * and what is built there would have to be taken back again. What clients refuse has nothing to do with L1.
 */
function isOnDeadGround(
  { chain, isLeft }: RollbackDependencies,
  { number, parentHash }: BlockHeader,
  proof: Proof,
): boolean {
  if (proof.kind === 'proved' && (proof.by === 'invalid' || proof.by === 'notTaken')) return false;
  const parent = number > 0n ? chain.at(number - 1n) : null;
  return parent?.hash === parentHash && isLeft(parent);
}
