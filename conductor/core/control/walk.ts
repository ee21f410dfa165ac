/**
 * Whether a block beyond the committed tip descends from it (rule 4): its parents are asked for by hash,
 * one by one, down to the tip's height.
 */
import { blockByHash, failureOf, readHeader, type BlockHeader, type BlockRef } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';

/** Most parents that are asked for. */
export const WALK_STEPS_MAX = 4096;

/** 'lost': a parent could not be read, or the way is too long. `missing` counts the heights between tip and block. */
export type Walk =
  | { readonly kind: 'reached'; readonly missing: number }
  | { readonly kind: 'otherBranch' }
  | { readonly kind: 'lost'; readonly message: string };

/** What an operator can do who knows that a block too far above the tip descends from it; for the message that refuses it. */
export function wayAcross(hash: string): string {
  return `if you trust that it descends from it, start every conductor with --consensus.allow-gap=${hash}`;
}

/**
 * Walks from `block`, whose number is above the tip's, towards `tip`. `trustedHash` is a block that an operator
 * says descends from the tip (--consensus.allow-gap), or null: reaching it is as good.
 */
export function* walkToTip(block: BlockHeader, tip: BlockRef, trustedHash: string | null): Steps<Walk> {
  const missing = Number(block.number - tip.number - 1n);
  let at = block;
  for (let steps = 0; ; steps += 1) {
    if (at.hash === trustedHash || at.parentHash === trustedHash) return { kind: 'reached', missing };
    if (at.number === tip.number + 1n) {
      return at.parentHash === tip.hash ? { kind: 'reached', missing } : { kind: 'otherBranch' };
    }
    if (steps === WALK_STEPS_MAX) {
      const far = `block ${block.number} is more than ${WALK_STEPS_MAX} blocks above the committed head ${tip.number}`;
      return { kind: 'lost', message: `${far}; ${wayAcross(block.hash)}` };
    }
    const answer = yield* call(blockByHash(at.parentHash));
    const parent = answer.kind === 'result' ? readHeader(answer.value) : null;
    if (parent === null || parent.number !== at.number - 1n || parent.hash !== at.parentHash) {
      return {
        kind: 'lost',
        message: failureOf(answer) ?? `the execution client does not have block ${at.parentHash}`,
      };
    }
    at = parent;
  }
}
