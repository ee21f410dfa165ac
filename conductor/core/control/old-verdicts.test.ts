/** Verdicts that outlive what they were about: the known failures stale-health and stall-bounce. */
import { describe, expect, test } from 'vitest';
import type { Peer } from './target.ts';
import { block, ControlWorld } from './testing/world.ts';

const healthy = { isHealthy: true, nodeAnswers: true };
const stale = { isHealthy: false, nodeAnswers: true };
const partial = { ...stale, mayRecover: false };

const peer = (id: string, isHealthy: boolean | null, ceasedLeadingAtMs: number | null = null): Peer => ({
  id,
  isVoter: true,
  isNative: true,
  isInContact: true,
  isAgainstTip: false,
  known:
    isHealthy === null
      ? null
      : {
          isHealthy,
          isPaused: false,
          headNumber: 5n,
          headHash: null,
          safeNumber: null,
          l1Number: null,
          observations: [],
        },
  ceasedLeadingAtMs,
});

/** A follower at the committed head whose own head has grown old with everybody's. */
function world(): ControlWorld {
  const made = new ControlWorld();
  made.commitThrough(5n);
  made.nodeHead = block(5n);
  return made;
}

describe('stall-bounce', () => {
  test('a new leader with an old head starts; it does not hand back to the one that just stalled', () => {
    const one = world();
    one.loop.verdictChanged(stale);
    one.peerList = [peer('stalled', false, one.now - 5), peer('third', null)];
    one.lead(2);
    one.run(100);
    expect(one.isSequencing).toBe(true);
    expect(one.transfers).toEqual([]);
  });

  test('while its head is still old it goes on sequencing, for one unsafe interval', () => {
    const one = world();
    one.loop.verdictChanged(stale);
    one.peerList = [peer('stalled', null, one.now - 5), peer('third', null)];
    one.lead(2);
    one.run(100);
    one.loop.verdictChanged(stale);
    one.run(2000);
    expect(one.isSequencing).toBe(true);
    expect(one.transfers).toEqual([]);
  });
});

describe('stale-health', () => {
  test('a verdict of an earlier leadership does not end the next one', () => {
    const one = world();
    one.peerList = [peer('b', null)];
    one.lead(2);
    one.run(4000);
    one.loop.verdictChanged(stale);
    one.run(100);
    expect(one.isSequencing).toBe(false);
    expect(one.transfers).toHaveLength(1);
    one.follow(3);
    one.peerList = [peer('b', null, one.now)];
    one.lead(4);
    one.run(100);
    expect(one.isSequencing).toBe(true);
    expect(one.transfers).toHaveLength(1);
  });

  test('nor does a head that stood in an earlier leadership (rule 31)', () => {
    const one = world();
    one.peerList = [peer('b', true)];
    one.lead(2);
    one.run(100);
    const head = { number: 5n, sinceMs: one.now };
    one.loop.headStands({ kind: 'own', l1Number: 1n, safeNumber: 1n, head });
    one.run(100);
    expect(one.transfers).toHaveLength(1);
    one.follow(3);
    one.lead(4);
    one.run(100);
    expect(one.isSequencing).toBe(true);
    expect(one.transfers).toHaveLength(1);
  });

  test('nothing of it sticks once the node is healthy again', () => {
    const one = world();
    one.loop.verdictChanged(stale);
    one.peerList = [peer('b', null)];
    one.loop.verdictChanged(healthy);
    one.lead(2);
    one.run(10_000);
    expect(one.isSequencing).toBe(true);
    expect(one.transfers).toEqual([]);
  });

  test('a cause that sequencing on cannot end (a builder that is down) is not waited out', () => {
    const one = world();
    one.peerList = [peer('b', null)];
    one.lead(2);
    one.run(100);
    expect(one.isSequencing).toBe(true);
    one.peerList = [peer('b', true)];
    one.loop.verdictChanged(partial);
    one.run(100);
    expect(one.isSequencing).toBe(false);
    expect(one.transfers).toMatchObject([{ target: 'b' }]);
  });
});

describe('a leader whose node went back to an old head', () => {
  const old = { ...stale, isOnlyStale: true, headNumber: 3n };

  /** It sequences for long, its peers are well, and its node is suddenly two blocks below the committed head. */
  function leading({ hasLeft = false, lookMs = 30 } = {}): ControlWorld {
    const one = world();
    one.peerList = [peer('b', true), peer('c', true)];
    one.lead(2);
    one.run(6000);
    one.nodeHead = block(3n);
    one.lookMs = lookMs;
    one.nodeHasLeft = hasLeft;
    one.loop.verdictChanged(old);
    return one;
  }

  test('is looked at, and hands over if it went for reasons of its own', () => {
    const one = leading();
    one.run(20);
    expect(one.transfers).toEqual([]);
    one.run(100);
    expect(one.transfers).toHaveLength(1);
  });

  test('keeps leadership for a while if L1 made it go: what it offers next decides (rule 6)', () => {
    const one = leading({ hasLeft: true });
    one.run(2900);
    expect([one.transfers, one.isSequencing]).toEqual([[], true]);
    one.run(200);
    expect(one.transfers).toHaveLength(1);
  });

  test('and for no longer where the look tells nothing', () => {
    const one = leading({ lookMs: Infinity });
    one.run(2900);
    expect(one.transfers).toEqual([]);
    one.run(200);
    expect(one.transfers).toHaveLength(1);
  });

  test('is as one just started once the chain goes on from there: its head is still old', () => {
    const one = leading({ hasLeft: true });
    one.run(1000);
    one.loop.headGoesOn();
    one.nodeHasLeft = false;
    one.loop.verdictChanged({ ...old, headNumber: 5n });
    one.run(2500);
    expect(one.transfers).toEqual([]);
    one.run(1000);
    expect(one.transfers).toHaveLength(1);
  });

  test('is not where it went for reasons of its own, and commits meanwhile', () => {
    const one = leading({ lookMs: 50 });
    one.run(20);
    one.loop.headGoesOn();
    one.run(100);
    expect(one.transfers).toHaveLength(1);
  });

  test('hands over at once where its head is merely old', () => {
    const one = leading({ hasLeft: true });
    one.follow(3);
    one.nodeHead = block(5n);
    one.lead(4);
    one.run(6000);
    one.loop.verdictChanged({ ...old, headNumber: 5n });
    one.run(100);
    expect(one.transfers).toHaveLength(1);
  });
});

describe('a leader whose head stands for a cause that all share (rule 31)', () => {
  test.each([
    ['only the age of its head', { ...stale, isOnlyStale: true }, 0],
    ['something else as well', stale, 1],
  ])('keeps the lead for as long as nothing else is wrong: %s', (_, verdict, transfers) => {
    const one = world();
    one.peerList = [peer('b', true)];
    one.lead(2);
    one.run(6000);
    const head = { number: 5n, sinceMs: 1000 };
    one.loop.headStands({ kind: 'common', l1Number: 1n, safeNumber: 1n, head });
    one.loop.verdictChanged(verdict);
    one.run(100);
    expect(one.transfers).toHaveLength(transfers);
  });
});
