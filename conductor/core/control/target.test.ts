import { describe, expect, test } from 'vitest';
import {
  chooseFresher,
  chooseNextTurn,
  chooseTransferTarget,
  chooseTarget,
  chooseWhilePaused,
  holderOf,
  type Peer,
  type KnownStatus,
} from './target.ts';
import { chooseBetter, untriedUnder } from './standing-head.ts';

const options = { selfId: 'a', leftAloneMs: 3000, isRoundRobin: false };

function peer(id: string, known: KnownStatus | null, ceasedLeadingAtMs: number | null = null, isVoter = true): Peer {
  return { id, known, ceasedLeadingAtMs, isVoter, isNative: known !== null, isInContact: true, isAgainstTip: false };
}
function known(headNumber: bigint, isHealthy = true, isPaused = false): KnownStatus {
  return { headNumber, headHash: null, safeNumber: null, l1Number: null, observations: [], isHealthy, isPaused };
}

describe('transfer target (rule 18)', () => {
  test('the best peer known healthy comes first', () => {
    const peers = [peer('b', known(5n)), peer('c', known(7n)), peer('d', null)];
    expect(chooseTarget(peers, options, 0)).toEqual({ kind: 'healthy', target: 'c', exclude: ['d'] });
  });

  test('among equals one whose log holds what is committed comes before one that would have to be brought up', () => {
    const behind = { ...peer('b', known(7n)), holdsLog: false };
    const level = { ...peer('c', known(7n)), holdsLog: true };
    expect(chooseTarget([behind, level], options, 0)).toMatchObject({ kind: 'healthy', target: 'c' });
    expect(chooseTarget([behind, peer('d', known(5n))], options, 0)).toMatchObject({ kind: 'healthy', target: 'd' });
    expect(chooseTarget([behind, peer('d', null)], options, 0)).toMatchObject({ kind: 'healthy', target: 'b' });
    expect(chooseTarget([behind, { ...level, holdsLog: false }], options, 0)).toMatchObject({ target: 'b' });
    const inTurn = { ...options, isRoundRobin: true };
    expect(chooseTarget([behind, level, peer('d', null)], inTurn, 0)).toMatchObject({ target: 'c' });
    expect(chooseTarget([behind, peer('d', null)], inTurn, 0)).toMatchObject({ target: 'b' });
    const holders = [behind, level].map((one) => ({ ...one, known: { ...known(7n), headHash: '0x07' } }));
    expect(holderOf('0x07', holders)?.id).toBe('c');
  });

  test('while only the head is old: one whose node has a newer block, and not the one under which it just stood', () => {
    const peers = [peer('b', known(9n), 1000), peer('c', known(7n)), peer('d', known(6n)), peer('e', null)];
    expect(chooseFresher(peers, 6n, options, 2000)).toMatchObject({ kind: 'healthy', target: 'c' });
    expect(chooseFresher(peers, 7n, options, 2000)).toEqual({ kind: 'none' });
    expect(chooseFresher(peers, 7n, options, 4000)).toMatchObject({ kind: 'healthy', target: 'b' });
  });

  test('never one whose node is against the committed head, as the own one may be (rule 3)', () => {
    const against = { ...peer('b', known(9n)), isAgainstTip: true };
    expect(chooseTarget([against], options, 0)).toEqual({ kind: 'none' });
    expect(chooseTarget([against, peer('c', null)], options, 0)).toMatchObject({ kind: 'unknown', exclude: ['b'] });
  });

  test('one whose new head was rolled back is as one nothing is known of, and after those', () => {
    const off = { ...peer('b', known(24n)), isNonCanonical: true };
    const on = peer('c', { ...known(12n), isHealthy: null });
    expect(chooseTarget([off, on], options, 0)).toEqual({ kind: 'unknown', target: null, exclude: ['b'] });
    expect(chooseTarget([off, peer('c', known(12n))], options, 0)).toMatchObject({ kind: 'healthy', target: 'c' });
    expect(chooseTarget([off, peer('c', known(12n, false))], options, 0)).toMatchObject({
      kind: 'unknown',
      exclude: ['c'],
    });
    expect(chooseFresher([off], 12n, options, 0)).toEqual({ kind: 'none' });
    const newer = peer('c', known(13n));
    expect(chooseFresher([off, newer], 12n, options, 0)).toEqual({ kind: 'healthy', target: 'c', exclude: ['b'] });
  });

  test('never one known unhealthy or paused', () => {
    const peers = [peer('b', known(9n, false)), peer('c', known(9n, true, true))];
    expect(chooseTarget(peers, options, 0)).toEqual({ kind: 'none' });
  });

  test('one nothing is known of, but not a moment after it lost leadership', () => {
    const peers = [peer('b', null, 1000), peer('c', null)];
    expect(chooseTarget(peers, options, 2000)).toEqual({ kind: 'unknown', target: null, exclude: ['b'] });
    expect(chooseTarget([peer('b', null, 1000)], options, 3999)).toEqual({ kind: 'none' });
    expect(chooseTarget([peer('b', null, 1000)], options, 4000)).toMatchObject({ kind: 'unknown' });
  });

  test('one that sends peer status but does not know whether it could work is as one nothing is known of', () => {
    const unsure = { ...known(5n), isHealthy: null };
    expect(chooseTarget([peer('b', unsure), peer('c', known(9n, false))], options, 0)).toEqual({
      kind: 'unknown',
      target: null,
      exclude: ['c'],
    });
    expect(chooseTarget([peer('b', { ...unsure, isPaused: true })], options, 0)).toEqual({ kind: 'none' });
    expect(chooseTarget([peer('b', unsure), peer('c', known(1n))], options, 0)).toMatchObject({ target: 'c' });
  });

  test('ping-pong: each that nothing is known of gets its turn before one gets a second', () => {
    const now = 100_000;
    const all = [peer('b', null, 1000), peer('c', null, 2000), peer('d', null)];
    expect(chooseTarget(all, options, now)).toMatchObject({ exclude: ['b', 'c'] });
    expect(chooseTarget(all.slice(0, 2), options, now)).toMatchObject({ exclude: ['c'] });
  });

  test('but after those that need no snapshot first, whose log may lack the last entry', () => {
    const cut = { ...peer('b', { ...known(12n), isHealthy: null }), holdsLog: false, needsSnapshot: true };
    const level = { ...peer('c', { ...known(26n), isHealthy: null }, 1000), holdsLog: true };
    expect(chooseTarget([{ ...cut, needsSnapshot: false }, level], options, 100_000)).toMatchObject({ exclude: ['c'] });
    expect(chooseTarget([cut, level], options, 100_000)).toEqual({ kind: 'unknown', target: null, exclude: ['b'] });
    expect(chooseTarget([cut], options, 100_000)).toMatchObject({ kind: 'unknown', exclude: [] });
  });

  test('one that does not answer is not handed leadership', () => {
    const peers = [{ ...peer('b', null), isInContact: false }, peer('c', null)];
    expect(chooseTarget(peers, options, 0)).toEqual({ kind: 'unknown', target: null, exclude: ['b'] });
    expect(chooseTarget(peers.slice(0, 1), options, 0)).toEqual({ kind: 'none' });
  });

  test('nonvoters never qualify', () => {
    expect(chooseTarget([peer('b', known(1n), null, false)], options, 0)).toEqual({ kind: 'none' });
  });

  test('round robin takes the next id after ourselves and wraps around', () => {
    const peers = [peer('c', null), peer('b', null), peer('d', null, 1)];
    expect(chooseTarget(peers, { ...options, selfId: 'b', isRoundRobin: true }, 2)).toMatchObject({ target: 'c' });
    expect(chooseTarget(peers, { ...options, selfId: 'z', isRoundRobin: true }, 2)).toMatchObject({ target: 'b' });
  });
});

describe('a transfer target, when leadership must go', () => {
  test('is the best target; also one that lost leadership just now', () => {
    expect(chooseTransferTarget([peer('b', known(5n)), peer('c', null)], options)).toEqual({
      target: 'b',
      exclude: ['c'],
    });
    const peers = [peer('b', null, 1000), peer('c', null, 900)];
    expect(chooseTransferTarget(peers, options)).toMatchObject({ target: null, exclude: ['b'] });
  });

  test('is never one known to be unhealthy or paused; one that is silent may be left', () => {
    const silent = { ...peer('d', null), isInContact: false };
    const peers = [peer('b', known(9n, false)), peer('c', known(9n, true, true)), silent];
    expect(chooseTransferTarget(peers, options)).toEqual({ target: null, exclude: ['b', 'c'] });
  });
});

describe('the target of a leader that is paused, and was elected so', () => {
  const fit = peer('b', known(5n));

  test.each<[string, Peer]>([
    ['does not answer', { ...fit, isInContact: false }],
    ['has its node against the committed head', { ...fit, isAgainstTip: true }],
    ['has no vote', { ...fit, isVoter: false }],
    ['says nothing of itself', { ...fit, known: null }],
  ])('is never one that %s', (_, other) => {
    expect(chooseWhilePaused([fit], options, 0)).toMatchObject({ kind: 'healthy', target: 'b' });
    expect(chooseWhilePaused([other], options, 0)).toEqual({ kind: 'none' });
  });

  const foreign = (id: string, ceasedLeadingAtMs: number | null = null): Peer => ({
    ...peer(id, null, ceasedLeadingAtMs),
    isForeign: true,
  });

  test('is an op-conductor where none of ours will do, but not the one that handed over just now', () => {
    const [went, stays] = [foreign('c', 1000), foreign('d')];
    const ours = peer('b', known(5n, true, true));
    const toD = { kind: 'unknown', target: null, exclude: ['b', 'c'] };
    expect(chooseWhilePaused([ours, went, stays], options, 2000)).toEqual(toD);
    expect(chooseWhilePaused([ours, went], options, 3999)).toEqual({ kind: 'none' });
    expect(chooseWhilePaused([ours, went], options, 4000)).toMatchObject({ kind: 'unknown', exclude: ['b'] });
    const unfit = peer('b', known(5n, false));
    expect(chooseWhilePaused([unfit, stays], options, 2000)).toMatchObject({ target: 'b' });
  });

  test('of two that are not healthy it is not the one that handed over just now, unless that is all there is', () => {
    const [went, stays] = [peer('b', known(9n, false), 1000), peer('c', known(5n, false))];
    expect(chooseWhilePaused([went, stays], options, 2000)).toEqual({ kind: 'healthy', target: 'c', exclude: ['b'] });
    expect(chooseWhilePaused([went, stays], options, 4000)).toMatchObject({ target: 'b' });
    expect(chooseWhilePaused([went], options, 2000)).toMatchObject({ target: 'b' });
    const fitAgain = peer('b', known(9n), 1000);
    expect(chooseWhilePaused([fitAgain, stays], options, 2000)).toMatchObject({ target: 'b' });
  });

  test('is no op-conductor that does not answer, whose state has another block, or that has no vote', () => {
    const peers = [
      { ...foreign('c'), isInContact: false },
      { ...foreign('d'), isAgainstTip: true },
      { ...foreign('e'), isVoter: false },
    ];
    expect(chooseWhilePaused(peers, options, 0)).toEqual({ kind: 'none' });
  });
});

test('the next turn is of nobody who just had one, also where the log chooses among those of whom nothing is known', () => {
  const peers = [peer('b', null, 1000), peer('c', null), peer('d', null, 500)];
  expect(chooseNextTurn(peers, options, 10_000, 2000)).toEqual({ kind: 'unknown', target: null, exclude: ['b', 'd'] });
});

describe('the target where the own head stands (rule 31)', () => {
  const head = { number: 5n, sinceMs: 1000 };
  const ours = { l1Number: 20n, safeNumber: 4n, head };
  const low = peer('b', { ...known(5n), l1Number: 20n, safeNumber: 4n });

  test('a healthy peer with a newer L1 block or a higher safe head comes before one with a higher head', () => {
    const others = [peer('c', { ...known(9n), l1Number: 20n }), peer('d', null)];
    const onNewerL1 = { ...low, known: { ...low.known!, l1Number: 21n } };
    expect(chooseBetter([onNewerL1, ...others], ours, options, 0)).toMatchObject({ kind: 'healthy', target: 'b' });
    const derivedFurther = { ...low, known: { ...low.known!, safeNumber: 5n } };
    expect(chooseBetter([derivedFurther, ...others], ours, options, 0)).toMatchObject({ target: 'b' });
    expect(chooseBetter([low, ...others], ours, options, 0)).toMatchObject({ kind: 'healthy', target: 'c' });
  });

  test('the same once all had their turn: who has what ours lacks comes before a higher head', () => {
    const tried = (id: string, more: Partial<KnownStatus>): Peer =>
      peer(id, { ...known(5n), l1Number: 20n, safeNumber: 4n, ...more }, 2000);
    const others = [tried('b', { l1Number: 21n }), tried('c', { headNumber: 9n })];
    expect(chooseBetter(others, ours, options, 2500)).toMatchObject({ kind: 'healthy', target: 'b' });
  });

  test('one under whom the head stood does not get it back while another holds it that had no turn', () => {
    const tried = peer('b', known(9n), 2000);
    expect(chooseBetter([tried, peer('c', known(5n))], ours, options, 2500)).toMatchObject({
      ...{ kind: 'healthy', target: 'c', exclude: ['b'] },
    });
    expect(untriedUnder(head, [tried])).toEqual([]);
  });

  test('a turn needs the head, contact and a vote, and nothing known against it but the age of the head', () => {
    const ids = (peers: readonly Peer[]): string[] => untriedUnder(head, peers).map(({ id }) => id);
    const ineligible = [
      peer('b', known(5n, false)),
      peer('c', known(5n, true, true)),
      peer('d', known(4n)),
      peer('e', null),
    ];
    expect(ids(ineligible)).toEqual([]);
    expect(ids([{ ...peer('b', known(5n)), isInContact: false }, peer('c', known(5n), null, false)])).toEqual([]);
    expect(ids([peer('b', known(5n), 999), peer('c', known(5n), 1000)])).toEqual(['b']);
    expect(ids([peer('b', { ...known(5n), isHealthy: null })])).toEqual(['b']);
  });

  test('and so has one that says nothing of its node, as where what it says is lost, if its log has all', () => {
    const silent = (holdsLog: boolean | null): Peer => ({ ...peer('b', null), isNative: true, holdsLog });
    expect([true, false, null].map((holdsLog) => untriedUnder(head, [silent(holdsLog)]).length)).toEqual([1, 0, 0]);
    expect(untriedUnder(head, [{ ...silent(true), isNative: false, isForeign: true }])).toEqual([]);
    expect(untriedUnder(head, [{ ...silent(true), isNative: false }])).toEqual([]);
  });

  test('else anybody eligible, never one known unhealthy', () => {
    const ineligible = peer('b', { ...known(5n, false), l1Number: 21n });
    expect(chooseBetter([ineligible, peer('c', null)], ours, options, 0)).toMatchObject({
      kind: 'unknown',
      exclude: ['b'],
    });
    expect(chooseBetter([ineligible], ours, options, 0)).toEqual({ kind: 'none' });
  });
});
