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
