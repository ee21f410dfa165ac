/**
 * A node that stays on blocks which the log has given up. Where L1 took their origin op-node leaves them by itself, but not
 * before L1 has made another block and op-node has polled it (l1_traversal.go); made to look, it leaves at once.
 */
import { resetPipeline, type BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { call, type Steps } from '../node/effects.ts';
import { soon, type LookHost } from './look-host.ts';

/**
 * Of a node whose chain has another block than the log: makes op-node look where it ends, if it is the log that went
 * elsewhere. Once: each reset has it derive again from its finalised head, and where that is no help it is its only way.
 */
export function* leaveAbandoned({ chain, memory, mayAct }: LookHost): Steps<void> {
  const was = memory.seenOn;
  if (was === null || memory.abandoned === was.hash || !isAbandoned(chain, was) || !mayAct()) return;
  memory.abandoned = was.hash;
  memory.given = null;
  yield* call(soon(resetPipeline));
}

/** The log has another block at its height, or ends below it. */
function isAbandoned(chain: ChainView, { number, hash }: BlockRef): boolean {
  const tip = chain.head();
  return tip !== null && (number > tip.number || (chain.at(number) ?? { hash }).hash !== hash);
}
