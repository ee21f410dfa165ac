/**
 * A client that is killed: what its server says afterwards proves nothing, also where op-node told of no head while it died
 * (rules 6 and 30).
 */
import { describe, expect, test } from 'vitest';
import { block } from '../control/testing/world.ts';
import { ObservedNode } from './testing/observed-node.ts';
import { proofAgainst, type VoterWord } from './proof.ts';

/** op-node and its client stand on block 5; block 4 begins an epoch, and blocks stay in the database without their states. */
function standing(tip = 5n): ObservedNode {
  const node = new ObservedNode();
  node.tip = block(tip);
  for (let number = 1n; number <= 9n; number += 1n) {
    const origin = `0x${(number >= 4n ? 'b' : 'a').repeat(64)}`;
    node.origins.set(number, origin);
    node.ownOrigins.set(number, origin);
  }
  for (const kept of [4n, 5n]) node.held.add(block(kept).hash);
  return node;
}

/** Its client is killed, while op-node tells of no head if it is being reset, and is back at block 3. */
function backAtBlock3(node: ObservedNode, isResetting: boolean): ObservedNode {
  node.run(1000);
  node.isResetting = isResetting;
  node.run(2000);
  node.isClientGone = true;
  node.run(3000);
  node.isClientGone = false;
  node.clientHead = block(3n);
  if (isResetting) node.run(1000);
  node.isResetting = false;
  node.head = block(3n);
  node.run(1500);
  return node;
}

/** The same of one that is back where it was, and does not take the tip above that. */
function killedBelowTip(isResetting: boolean): ObservedNode {
  const node = standing(6n);
  node.isResetting = isResetting;
  node.run(300);
  node.isClientGone = true;
  node.run(3000);
  node.isClientGone = false;
  node.run(500);
  node.isResetting = false;
  node.run(6000);
  return node;
}

describe('a client that dies while op-node is being reset', () => {
  test('control: with op-node telling its head, it has left nothing', () => {
    expect(backAtBlock3(standing(), false).kinds(block(4n))).not.toContain('left');
  });

  test('it has left nothing: it was killed, and came back below', () => {
    expect(backAtBlock3(standing(), true).kinds(block(4n))).not.toContain('left');
  });

  test('nor has one that was on its way to the tip', () => {
    expect(backAtBlock3(standing(9n), true).kinds(block(4n))).not.toContain('left');
  });

  test('control: nor is a block not taken by one that was killed', () => {
    expect(killedBelowTip(false).kinds(block(6n))).toEqual([]);
  });

  test('nor is a block not taken by one that was killed unseen', () => {
    expect(killedBelowTip(true).kinds(block(6n))).toEqual([]);
  });
});

describe('killed clients with damaged states, back above their genesis, where the third voter is gone', () => {
  const word = (id: string, node: ObservedNode): VoterWord => ({
    id,
    isNative: true,
    isHeard: true,
    ...node.observer.word,
  });
  const killed = (): ObservedNode => {
    const node = new ObservedNode();
    node.run(500);
    node.isUp = false;
    node.run(2000);
    node.tip = block(6n); // committed by the leader meanwhile, and held by the leader's client
    node.isUp = true;
    node.refused.add(block(6n).hash); // "missing trie node": op-geth's newPayload says INVALID, reportBlock lists it
    node.run(4000);
    return node;
  };
  const chain = {
    head: () => block(6n),
    at: (n: bigint) => (n >= 1n && n <= 6n ? { ...block(n), sizeBytes: 1 } : null),
    envelope: () => null,
    envelopeJson: () => null,
  };
  const gone: VoterWord = { id: 'a', isNative: true, isHeard: false, safeNumber: null, observations: [] };
  test('two of three: the published block of the dead leader stays', () => {
    const ground = { chain, voters: [gone, word('b', killed()), word('c', killed())], members: 'native' as const };
    expect(proofAgainst(block(6n), ground).kind).toBe('unproved');
  });
  test('beside two op-conductors, one client alone', () => {
    const go = (id: string): VoterWord => ({ ...gone, id, isNative: false });
    const ground = { chain, voters: [word('a', killed()), go('b'), go('c')], members: 'mixed' as const };
    expect(proofAgainst(block(6n), ground).kind).toBe('unproved');
  });
});
