/**
 * A node that stays on blocks whose origin L1 has taken. op-node leaves them by itself, but not before L1 has made another
 * block and op-node has polled it (l1_traversal.go); made to look, it leaves at once. That is done where a leader's has heard
 * of the other L1 block; where the leader's node has left: whether another goes too is for its own L1 client to say, and needed to
 * prove it (rule 6); and where the log has given the blocks up.
 */
import type { BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import type { Steps } from '../node/effects.ts';
import { mayHaveLostOrigin, originOf, type NodesL1 } from './block-origin.ts';
import { lookAnew } from './look-anew.ts';
import type { LookHost } from './look-host.ts';

/** A leader whose L1 client differs from the others' loses the lead; until then nobody looks oftener for it, milliseconds. */
const followAgainMs = 5000;
/** Where those who are to follow first do not, because they are gone, others whose L1 may still have it do after so long, milliseconds. */
const nextFollowMs = 2500;

/** What the node tells: where its safe chain ends, and what it knows of L1. */
interface Known extends NodesL1 {
  readonly safeNumber: bigint | null;
}

/**
 * Makes op-node look, once for each block that the leader's node has left while this one stands on the committed chain;
 * says whether it was. Not for a block that is safe: that stands against what others say (rule 6).
 */
export function* leaveWithLeader(host: LookHost, node: BlockRef, known: Known): Steps<boolean> {
  const { chain, memory, mayAct, nowMs, isFirstFollower } = host;
  const { safeNumber } = known;
  const { leftByLeader: left, followed } = memory;
  if (left === null || node.number < left.number || chain.at(left.number)?.hash !== left.hash) return false;
  if (chain.at(node.number)?.hash !== node.hash || safeNumber === null || safeNumber >= left.number) return false;
  if (followed !== null && (followed.hash === left.hash || nowMs() - followed.atMs < followAgainMs)) return false;
  const mayWait = !isFirstFollower() && nowMs() - left.sinceMs < nextFollowMs;
  if (!mayAct() || (mayWait && !(yield* mayHaveLostOrigin(host, left, known)))) return false;
  memory.given = null;
  if (yield* lookAnew(host)) memory.followed = { hash: left.hash, atMs: nowMs() };
  return true;
}

/**
 * Of a sequencer that stands on the tip though all answer: its L1 client may never have had the tip's origin, which a
 * leader on another branch of L1 built on, and op-node asks for that again and again (sequencer.go). Made to look, it
 * leaves. Once for each tip, and only where its L1 client has come as far as the origin.
 */
export function* leaveWhatCannotBeBuiltOn(host: LookHost, node: BlockRef, { safeNumber, l1 }: Known): Steps<boolean> {
  const { chain, memory, mayAct } = host;
  const { stands } = memory;
  if (stands === null || stands.wasReset || stands.hash !== node.hash || chain.head()?.hash !== node.hash) return false;
  if (safeNumber === null || safeNumber >= node.number || l1 === null || !mayAct()) return false;
  const origin = originOf(chain, node.number);
  if (origin === null || l1.number < origin.number || l1.hash === origin.hash) return false;
  const wasReset = yield* lookAnew(host);
  if (memory.stands?.hash === stands.hash) memory.stands = { ...memory.stands, wasReset };
  return true;
}

/**
 * Of a leader's node on the tip that has just heard of an L1 head at the height of the tip's origin, and another one: made to
 * look, it leaves at once, and the others with it. Once for each such head: what is safe by then, or what its L1 client
 * takes back, it stays on. A follower's would only be taken back there by the next block that is gossiped.
 */
export function* leaveLostOrigin(host: LookHost, node: BlockRef, { safeNumber, l1 }: Known): Steps<boolean> {
  const { chain, memory, leads, mayAct } = host;
  if (l1 === null || !memory.isNewOnL1 || !leads()) return false;
  if (chain.head()?.hash !== node.hash || safeNumber === null || safeNumber >= node.number || !mayAct()) return false;
  const origin = originOf(chain, node.number);
  return origin?.number === l1.number && origin.hash !== l1.hash && (yield* lookAnew(host));
}

/**
 * Of a node whose chain has another block than the log: makes op-node look where it ends, if it is the log that went
 * elsewhere. Once: each reset has it derive again from its finalised head, and where that is no help it is its only way.
 */
export function* leaveAbandoned(host: LookHost): Steps<void> {
  const { chain, memory, mayAct } = host;
  const was = memory.seenOn;
  if (was === null || memory.abandoned === was.hash || !isAbandoned(chain, was) || !mayAct()) return;
  memory.given = null;
  if (yield* lookAnew(host)) memory.abandoned = was.hash;
}

/** The log has another block at its height, or ends below it. */
function isAbandoned(chain: ChainView, { number, hash }: BlockRef): boolean {
  const tip = chain.head();
  return tip !== null && (number > tip.number || (chain.at(number) ?? { hash }).hash !== hash);
}
