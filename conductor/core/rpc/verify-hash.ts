/**
 * Whether a payload's block hash is that of its fields, found in steps of some milliseconds: a block of 20 MB
 * takes longer to hash than a leader may be silent.
 */
import { blockHashSteps } from '../payload/block-hash.ts';
import type { Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';

/** Ends with null when the hash is right, else with a sentence that names both. */
export type Verification = Generator<undefined, string | null>;

export function* verifyHash(envelope: Envelope): Verification {
  const expected = prefixedHex(yield* blockHashSteps(envelope));
  const claimed = prefixedHex(envelope.executionPayload.blockHash);
  return expected === claimed ? null : `the payload's block hash ${claimed} is not that of its fields, ${expected}`;
}
