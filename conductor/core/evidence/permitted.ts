/** What may be done where it is proved that a committed block can be given up: --consensus.rollback. */
import type { BlockRef } from '../node/calls.ts';
import type { Proof } from './proof.ts';

/** `auto` is another name of `proof`. */
export type RollbackPolicy = 'proof' | 'refuse';

/** Why what is proved is not acted on. */
const forbidden = 'started with --consensus.rollback=refuse: an operator decides';

/** What is acted on: an operator's word always, what the nodes prove unless that is forbidden. */
export function permitted(block: BlockRef, proof: Proof, policy: RollbackPolicy): Proof {
  if (policy === 'proof' || proof.kind === 'unproved' || proof.by === 'operator') return proof;
  const shown = `${proof.by}, by ${proof.voters.join(', ')}`;
  const why = `that block ${block.number} (${block.hash}) is to be given up is proved (${shown}), but ${forbidden}`;
  return { kind: 'unproved', isForbidden: true, why };
}
