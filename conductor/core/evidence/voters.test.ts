import { expect, it } from 'vitest';
import { block } from '../control/testing/world.ts';
import type { Observation } from './observation.ts';
import { Evidence, type EvidenceHost, type HeardPeer } from './evidence.ts';

const tip = block(5n);
const left: readonly Observation[] = [{ number: tip.number, hash: tip.hash, kinds: ['left'] }];

/** What these voters, this server and a nonvoter come to; this server has seen nothing. */
function proofOf(saysSo: readonly string[], others: readonly string[] = ['s1', 's2']) {
  const peers = [...others, 'n'].map((id): HeardPeer => ({
    id,
    isVoter: id !== 'n',
    isNative: true,
    known: { safeNumber: 0n, observations: saysSo.includes(id) ? left : [] },
  }));
  const chain = { head: () => tip, at: (number: bigint) => block(number) };
  const host = { chain, selfId: 's0', rollback: 'proof', isVoter: () => true, peers: () => peers, nowMs: () => 0 };
  return new Evidence(1000, host as unknown as EvidenceHost).proofAgainst(tip).kind;
}

it('a proof is of voters: what a nonvoter says of a block counts for nothing', () => {
  expect(proofOf(['s1', 's2'])).toBe('proved');
  expect(proofOf(['s1', 'n'])).toBe('unproved');
});

it('the own server is one of them: of two voters both have to speak, of four three', () => {
  expect(proofOf(['s1'], ['s1'])).toBe('unproved');
  expect(proofOf(['s1', 's2'], ['s1', 's2', 's3'])).toBe('unproved');
  expect(proofOf(['s1', 's2', 's3'], ['s1', 's2', 's3'])).toBe('proved');
});
