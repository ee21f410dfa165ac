/**
 * A node that stays on blocks whose origin L1 has taken. op-node leaves them by itself, but not before L1 has made
 * another block and it has polled for it (l1_traversal.go); made to look, it leaves at once. That is done where the
 * leader's node has left: whether the others go too is for their own L1 clients to say, and needed to prove it (rule 6);
 * and where the log has given the blocks up.
 */
import { resetPipeline, type BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { call, type Steps } from '../node/effects.ts';
import { soon, type LookHost } from './look-host.ts';

/** Its own L1 client may be behind, or differ: it is made to look again after so long, then after twice that, and so on. */
const againMinMs = 500;
const againMaxMs = 60_000;

/** A leader whose L1 client differs from the others' loses the lead; until then they look no oftener, milliseconds. */
const followAgainMs = 5000;

/** Makes op-node look, once for each block that the leader's node has left; says whether it was. */
export function* leaveWithLeader({ chain, memory, mayPost, nowMs }: LookHost, node: BlockRef): Steps<boolean> {
  const { leftByLeader: left, followed } = memory;
  if (left === null || node.number < left.number || chain.at(left.number)?.hash !== left.hash) return false;
  if (followed !== null && (followed.hash === left.hash || nowMs() - followed.atMs < followAgainMs)) return false;
  if (!mayPost()) return false;
  memory.followed = { hash: left.hash, atMs: nowMs() };
  memory.given = null;
  yield* call(soon(resetPipeline));
  return true;
}

/** Of a node whose chain has another block than the log: makes op-node look where it ends, if it is the log that went elsewhere. */
export function* leaveAbandoned({ chain, memory, mayPost, nowMs }: LookHost): Steps<void> {
  const was = memory.seenOn;
  if (was === null || !isAbandoned(chain, was) || !mayPost()) return;
  const before = memory.abandoned?.hash === was.hash ? memory.abandoned : null;
  if (before !== null && nowMs() < before.lookAtMs) return;
  const againMs = before === null ? againMinMs : Math.min(2 * before.againMs, againMaxMs);
  memory.abandoned = { hash: was.hash, lookAtMs: nowMs() + againMs, againMs };
  memory.given = null;
  yield* call(soon(resetPipeline));
}

/** The log has another block at its height, or ends below it. */
function isAbandoned(chain: ChainView, { number, hash }: BlockRef): boolean {
  const tip = chain.head();
  return tip !== null && (number > tip.number || (chain.at(number) ?? { hash }).hash !== hash);
}
