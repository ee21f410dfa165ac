import { describe, expect, test } from 'vitest';
import { chooseTarget, type Peer, type PeerHint } from './target.ts';

const options = { selfId: 'a', unsafeIntervalMs: 3000, isRoundRobin: false };

function peer(id: string, hint: PeerHint | null, ceasedLeadingAtMs: number | null = null, isVoter = true): Peer {
  return { id, hint, ceasedLeadingAtMs, isVoter, isOwn: hint !== null, isInContact: true };
}
function hint(headNumber: bigint, isHealthy = true, isPaused = false): PeerHint {
  return { headNumber, headHash: null, isHealthy, isPaused };
}

describe('transfer target (rule 18)', () => {
  test('the best peer known healthy comes first', () => {
    const peers = [peer('b', hint(5n)), peer('c', hint(7n)), peer('d', null)];
    expect(chooseTarget(peers, options, 0)).toEqual({ kind: 'healthy', target: 'c', exclude: ['d'] });
  });

  test('never one known unhealthy or paused', () => {
    const peers = [peer('b', hint(9n, false)), peer('c', hint(9n, true, true))];
    expect(chooseTarget(peers, options, 0)).toEqual({ kind: 'none' });
  });

  test('one nothing is known of, but not within an unsafe interval of losing leadership', () => {
    const peers = [peer('b', null, 1000), peer('c', null)];
    expect(chooseTarget(peers, options, 2000)).toEqual({ kind: 'unknown', target: null, exclude: ['b'] });
    expect(chooseTarget([peer('b', null, 1000)], options, 3999)).toEqual({ kind: 'none' });
    expect(chooseTarget([peer('b', null, 1000)], options, 4000)).toMatchObject({ kind: 'unknown' });
  });

  test('one that does not answer is not handed leadership', () => {
    const peers = [{ ...peer('b', null), isInContact: false }, peer('c', null)];
    expect(chooseTarget(peers, options, 0)).toEqual({ kind: 'unknown', target: null, exclude: ['b'] });
    expect(chooseTarget(peers.slice(0, 1), options, 0)).toEqual({ kind: 'none' });
  });

  test('nonvoters never qualify', () => {
    expect(chooseTarget([peer('b', hint(1n), null, false)], options, 0)).toEqual({ kind: 'none' });
  });

  test('round robin takes the next id after ourselves and wraps around', () => {
    const peers = [peer('c', null), peer('b', null), peer('d', null, 1)];
    expect(chooseTarget(peers, { ...options, selfId: 'b', isRoundRobin: true }, 2)).toMatchObject({ target: 'c' });
    expect(chooseTarget(peers, { ...options, selfId: 'z', isRoundRobin: true }, 2)).toMatchObject({ target: 'b' });
  });
});
