/**
 * Where a node's chain parts from the committed one: the lowest committed block that the node's chain does not have.
 * Found by asking the execution client for blocks by number, in steps that double and then halve.
 */
import { blockByNumber, readHeader, type BlockHeader, type BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { call, type Steps } from '../node/effects.ts';

/** 'belowLog': the log does not reach down to where they part, or to where the node's chain ends. 'unknown': the client did not answer. */
export type ForkPoint =
  | { readonly kind: 'parts'; readonly at: BlockHeader }
  | { readonly kind: 'same' }
  | { readonly kind: 'belowLog' }
  | { readonly kind: 'unknown' };

/** `head` is the last block of the node's chain. A node that is only behind parts above its head. */
export function* forkPoint(chain: ChainView, head: BlockRef): Steps<ForkPoint> {
  const tip = chain.head();
  if (tip === null) return { kind: 'same' };
  const top = head.number < tip.number ? head.number : tip.number;
  let differsAt = top + 1n;
  let step = 1n;
  let at = top;
  for (;;) {
    if (hashAt(chain, at) === null) return { kind: 'belowLog' };
    const agrees = yield* isOnBoth(chain, head, at);
    if (agrees === null) return { kind: 'unknown' };
    if (agrees) break;
    differsAt = at;
    at = at > step ? at - step : 0n;
    if (differsAt === 0n) return { kind: 'unknown' };
    // Not below what the log holds: the parent of its lowest block is as far down as it tells.
    while (hashAt(chain, at) === null && at + 1n < differsAt) at += (differsAt - at) / 2n;
    step *= 2n;
  }
  for (let agreesAt = at; differsAt - agreesAt > 1n;) {
    const middle = agreesAt + (differsAt - agreesAt) / 2n;
    const agrees = yield* isOnBoth(chain, head, middle);
    if (agrees === null) return { kind: 'unknown' };
    if (agrees) agreesAt = middle;
    else differsAt = middle;
  }
  if (differsAt > tip.number) return { kind: 'same' };
  const found = chain.at(differsAt);
  return found === null ? { kind: 'unknown' } : { kind: 'parts', at: found };
}

/** Whether the committed block at a height is on the node's chain too; null where that cannot be told. */
function* isOnBoth(chain: ChainView, head: BlockRef, number: bigint): Steps<boolean | null> {
  const hash = hashAt(chain, number);
  if (hash === null) return null;
  if (number === head.number) return hash === head.hash;
  const answer = yield* call(blockByNumber(number));
  const header = answer.kind === 'result' ? readHeader(answer.value) : null;
  return header?.number === number ? header.hash === hash : null;
}

/** Hash of the committed chain at a height, also of the parent of its lowest block; null where the log does not tell. */
function hashAt(chain: ChainView, number: bigint): string | null {
  return chain.at(number)?.hash ?? chain.at(number + 1n)?.parentHash ?? null;
}
