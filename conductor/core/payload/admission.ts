/**
 * Whether the leader may append a payload (rules 1, 2 and 4). A pure look at the chain that the log
 * leads to with its uncommitted entries; what follows from a refusal (rules 3 and 6) is not decided here.
 */
import type { BlockSummary } from './block-summary.ts';
import type { ChainIndex } from './chain-index.ts';
import { sameBytes } from '../same-bytes.ts';
import { NONE, type ChainRecord } from './chain-records.ts';
import { prefixedHex } from './hex.ts';

/** A payload the log holds. */
export interface HeldBlock {
  readonly number: bigint;
  /** "0x" and 64 digits. */
  readonly hash: string;
  readonly committed: boolean;
}

export type Admission =
  | { readonly kind: 'append' }
  /** The chain holds this very block: success if committed, else wait until the entry at `index` is. */
  | { readonly kind: 'same'; readonly index: number; readonly committed: boolean }
  | {
      readonly kind: 'refused';
      /**
       * 'height-held': another hash stands at this height. 'parent-mismatch': it is the next height, but not on the tip.
       * 'below-chain': the height is under what the log still holds, or in a gap. `held` is the tip in these two.
       */
      readonly reason: 'height-held' | 'parent-mismatch' | 'below-chain';
      readonly held: HeldBlock;
    }
  /**
   * Heights are missing between the tip and this payload. It may be appended if walking parents by hash from its
   * parentHash reaches the tip's hash after `steps` blocks, and `tip` is still the tip then.
   */
  | { readonly kind: 'gap'; readonly tip: HeldBlock; readonly steps: bigint };

export function admit(chain: ChainIndex, committedIndex: number, block: BlockSummary): Admission {
  const tipSequence = chain.last.tip;
  const tip = chain.record(tipSequence);
  if (tip === null) return { kind: 'append' };
  if (block.number > tip.number + 1n) {
    return { kind: 'gap', tip: held(tip, committedIndex), steps: block.number - tip.number - 1n };
  }
  if (block.number === tip.number + 1n) {
    if (sameBytes(block.parentHash, tip.hash)) return { kind: 'append' };
    return { kind: 'refused', reason: 'parent-mismatch', held: held(tip, committedIndex) };
  }
  const sequence = chain.descend(tipSequence, block.number);
  const record = sequence === NONE ? null : chain.record(sequence);
  if (record?.number !== block.number)
    return { kind: 'refused', reason: 'below-chain', held: held(tip, committedIndex) };
  if (sameBytes(record.hash, block.hash))
    return { kind: 'same', index: record.index, committed: record.index <= committedIndex };
  return { kind: 'refused', reason: 'height-held', held: held(record, committedIndex) };
}

function held(record: ChainRecord, committedIndex: number): HeldBlock {
  return { number: record.number, hash: prefixedHex(record.hash), committed: record.index <= committedIndex };
}
