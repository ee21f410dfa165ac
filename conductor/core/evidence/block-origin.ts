/**
 * What is known of the L1 block that a committed block comes from, when the own node is not on that block: whether the
 * node's own chain shows that L1 still has it (record 0096), and whether L1 itself, where it can be asked, has another
 * block in its place.
 */
import { outputAtBlock, readHeader, readOutputOrigin, type BlockHeader, type BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { l1Block } from '../node/engine-calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { l1OriginOf, type L1Origin } from '../payload/l1-origin.ts';
import { soon, type LookHost } from './look-host.ts';

/** L1 is asked no oftener than this, milliseconds: the endpoint may be one that is paid by the request. */
const askL1AgainMs = 1000;

/**
 * L1 has another block at the height of this one's origin. False also while it was not asked, or says nothing, and for
 * an origin that is final: then one of the two is wrong about L1, and nobody can tell which. `finalized` is the newest
 * final L1 block that the own node knows; null for none.
 */
export function* isTakenByL1(
  { chain, hasL1, memory, nowMs, tipAgeMs, blockTimeMs }: LookHost,
  at: BlockRef,
  finalized: BlockRef | null,
): Steps<boolean> {
  if (!hasL1) return false;
  // A follower has each new block a moment after it was committed.
  if (chain.head()?.hash === at.hash && tipAgeMs() < blockTimeMs) return false;
  const { origin: before } = memory;
  if (before !== null && nowMs() - before.askedAtMs < askL1AgainMs) return before.of === at.hash && before.isTaken;
  const origin = originOf(chain, at.number);
  if (origin === null || finalized === null || origin.number <= finalized.number) return false;
  const held = yield* l1At(origin.number);
  const isOther = held !== null && held.hash !== origin.hash;
  // Where nothing is built on it yet, it may be on the branch that loses, and the node only behind.
  const isBuiltOn = isOther && (yield* l1At(origin.number + 1n))?.parentHash === held.hash;
  // An endpoint of another network has another block everywhere.
  const isTaken = isBuiltOn && (yield* l1At(finalized.number))?.hash === finalized.hash;
  memory.origin = { of: at.hash, isTaken, askedAtMs: nowMs() };
  return isTaken;
}

/**
 * The L1 client of the own node has had another block in place of this one's origin, or L1 itself has, where it can be
 * asked: the node leaves as soon as it is made to look.
 */
export function* hasLostOrigin(host: LookHost, at: BlockRef, finalizedL1: BlockRef | null): Steps<boolean> {
  const origin = originOf(host.chain, at.number);
  if (origin !== null && host.memory.hasOtherOnL1(origin)) return true;
  return yield* isTakenByL1(host, at, finalizedL1);
}

function* l1At(number: bigint): Steps<BlockHeader | null> {
  const answer = yield* call(soon(l1Block(number)));
  const header = answer.kind === 'result' ? readHeader(answer.value) : null;
  return header?.number === number ? header : null;
}

/**
 * Whether the node's own chain shows that L1 still has the origin of a block which it has left: then something else made
 * it leave. Its parent, which the node has, may name the same origin, or what the node has in its place. True also while
 * the node does not say: its driver may be busy, and silence proves nothing.
 */
export function* mayStandOnItsOrigin(chain: ChainView, { number }: BlockHeader, node: BlockRef): Steps<boolean> {
  const origin = originOf(chain, number);
  if (origin === null) return false;
  if (originOf(chain, number - 1n)?.hash === origin.hash) return true;
  for (const at of [number - 1n, number]) {
    if (at > node.number) continue;
    const answer = yield* call(soon(outputAtBlock(at)));
    if (answer.kind === 'failed') return true;
    if (answer.kind === 'result' && readOutputOrigin(answer.value) === origin.hash) return true;
  }
  return false;
}

/** The L1 block that a committed block comes from; null where its payload does not say. */
export function originOf(chain: ChainView, number: bigint): L1Origin | null {
  const envelope = chain.envelope(number);
  return envelope === null ? null : l1OriginOf(envelope.executionPayload.transactions);
}
