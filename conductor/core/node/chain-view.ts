/**
 * What the control loop needs to know of the replicated payload chain. The Conductor implements it
 * over the state machine and the log store.
 */
import type { Envelope } from '../payload/envelope.ts';
import type { BlockHeader, BlockRef } from './calls.ts';

export interface ChainView {
  /** The committed head: the last payload applied; null while none is held. */
  head(): BlockRef | null;
  /** The committed payload at a height of the current chain, if the log still covers it. */
  at(number: bigint): (BlockHeader & { readonly sizeBytes: number; readonly isValidated?: boolean }) | null;
  /** That payload; its byte fields are views. null if it is no longer held. */
  envelope(number: bigint): Envelope | null;
  /** That payload as the JSON text of its envelope; null if it is no longer held. */
  envelopeJson(number: bigint): string | null;
}

/** One that can be asked about thousands of heights at once (`at` walks down from the head each time), and about other chains. */
export interface WholeChainView extends ChainView {
  /** Every height from `number` to the head is held, and there is one. */
  holdsFrom(number: bigint): boolean;
  /** The log holds this block, committed, and the chain has gone elsewhere since. */
  hasGivenUp(block: BlockRef): boolean;
}
