import { describe, expect, test } from 'vitest';
import { block } from '../control/testing/world.ts';
import { RefusedBlocks } from './refused-blocks.ts';

/** The log holds blocks 1 to 5. */
function refusing(hash: string, reason = 'invalid'): RefusedBlocks {
  const held = (number: bigint) => (number >= 1n && number <= 5n ? { ...block(number), sizeBytes: 1 } : null);
  const refused = new RefusedBlocks({ head: () => held(5n), at: held, envelope: () => null, envelopeJson: () => null });
  refused.add(hash, reason);
  return refused;
}

describe('a head on a block that was refused', () => {
  test('is found above the log, and where the log has another block', () => {
    for (const other of [block(6n, 1, 6n), block(5n, 1, 5n)]) {
      expect(refusing(other.hash).has(other)).toBe(true);
      expect(refusing(block(9n).hash).has(other)).toBe(false);
    }
  });

  test('is none once the log has taken that block, as by the next leader', () => {
    for (const reason of ['not-leader', 'invalid']) expect(refusing(block(5n).hash, reason).has(block(5n))).toBe(false);
  });

  test('that was refused because another server leads counts once the log has another one there', () => {
    expect(refusing(block(6n).hash, 'not-leader').has(block(6n))).toBe(false);
    expect(refusing(block(5n, 1, 5n).hash, 'not-leader').has(block(5n, 1, 5n))).toBe(true);
  });

  test('a hash that its block does not have says nothing, and older ones than the last eight are forgotten', () => {
    expect(refusing(block(6n).hash, 'block-hash').has(block(6n))).toBe(false);
    const refused = refusing(block(6n).hash);
    for (let number = 7n; number <= 13n; number += 1n) refused.add(block(number).hash, 'gap');
    expect(refused.has(block(6n))).toBe(true);
    refused.add(block(14n).hash, 'gap');
    expect(refused.has(block(6n))).toBe(false);
  });
});
