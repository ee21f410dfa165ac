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
import type { OriginOnL1 } from './memory.ts';

/** L1 is asked no oftener than this, milliseconds: the endpoint may be one that is paid by the request. */
const askL1AgainMs = 1000;
/** Blocks of L1 from an origin to its head: what is deeper is as good as final. */
const l1DepthMax = 64n;

/** What the own node knows of L1: its head, and its newest final block; null for none. */
export interface NodesL1 {
  readonly l1: BlockRef | null;
  readonly finalizedL1: BlockRef | null;
}

/** Also of an origin that is final: nobody can tell who is wrong then. */
const saysNothing: OriginOnL1 = { isOther: false, isTaken: false };

/**
 * L1 has another block in place of this one's origin, as the endpoint and the own node say. The endpoint alone proves
 * nothing: all voters may have the same one, and it may be on a branch that no node follows (record 0150).
 */
export function* isTakenByL1(host: LookHost, at: BlockRef, nodes: NodesL1): Steps<boolean> {
  return (yield* originOnL1(host, at, nodes)).isTaken;
}

/**
 * The L1 client of the own node has had another block in place of this one's origin, or the endpoint has: the node may
 * leave if it is made to look.
 */
export function* mayHaveLostOrigin(host: LookHost, at: BlockRef, nodes: NodesL1): Steps<boolean> {
  const origin = originOf(host.chain, at.number);
  if (origin !== null && host.memory.hasOtherOnL1(origin)) return true;
  return (yield* originOnL1(host, at, nodes)).isOther;
}

function* originOnL1(
  { chain, hasL1, memory, nowMs, tipAgeMs, blockTimeMs }: LookHost,
  at: BlockRef,
  nodes: NodesL1,
): Steps<OriginOnL1> {
  if (!hasL1) return saysNothing;
  // A follower has each new block a moment after it was committed.
  if (chain.head()?.hash === at.hash && tipAgeMs() < blockTimeMs) return saysNothing;
  const { origin: before } = memory;
  if (before !== null && nowMs() - before.askedAtMs < askL1AgainMs) return before.of === at.hash ? before : saysNothing;
  const origin = originOf(chain, at.number);
  if (origin === null || nodes.finalizedL1 === null || origin.number <= nodes.finalizedL1.number) return saysNothing;
  const told = yield* askL1(origin, nodes.finalizedL1, nodes.l1);
  memory.origin = { of: at.hash, ...told, askedAtMs: nowMs() };
  return told;
}

function* askL1(origin: L1Origin, finalized: BlockRef, head: BlockRef | null): Steps<OriginOnL1> {
  const [held] = yield* l1Blocks(origin.number, origin.number);
  if (held === undefined || held === null || held.hash === origin.hash) return saysNothing;
  // An endpoint of another network has another block everywhere.
  const isOther = (yield* l1Blocks(finalized.number, finalized.number))[0]?.hash === finalized.hash;
  // Where nothing is built on it yet, it may be on the branch that loses, and the node only behind.
  const isBuiltOn = head !== null && head.number > origin.number;
  if (!isOther || !isBuiltOn || head.number - origin.number > l1DepthMax) return { isOther, isTaken: false };
  const upToHead = [held, ...(yield* l1Blocks(origin.number + 1n, head.number))];
  // Behind one address there may be several that differ: each has to follow the one before.
  const areJoined = upToHead.every((block, at) => at === 0 || block?.parentHash === upToHead[at - 1]?.hash);
  return { isOther, isTaken: areJoined && upToHead.at(-1)?.hash === head.hash };
}

/** Those of L1 at these heights, as the endpoint has them; null for what it does not tell. */
function* l1Blocks(from: bigint, to: bigint): Steps<readonly (BlockHeader | null)[]> {
  const numbers = Array.from({ length: Number(to - from) + 1 }, (_, above) => from + BigInt(above));
  const answers = yield { kind: 'calls', requests: numbers.map((number) => soon(l1Block(number))) };
  if (answers.kind !== 'calls') return numbers.map(() => null);
  return answers.results.map((answer, at) => {
    const header = answer.kind === 'result' ? readHeader(answer.value) : null;
    return header?.number === numbers[at] ? header : null;
  });
}

/**
 * Whether the node shows that L1 still has the origin of a block which it has left: then something else made it leave. The
 * origin may be its head of L1 (`l1`), and the block's parent, which the node has, may name the same origin, or what the node
 * has in its place. True also while the node does not say: its driver may be busy, and silence proves nothing.
 */
export function* mayStandOnItsOrigin(
  chain: ChainView,
  { number }: BlockHeader,
  node: BlockRef,
  l1: BlockRef | null,
): Steps<boolean> {
  const origin = originOf(chain, number);
  if (origin === null) return false;
  if (l1?.hash === origin.hash) return true;
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
