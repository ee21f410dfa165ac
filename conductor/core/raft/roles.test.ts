import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  ballot,
  configurationEntry,
  statusOf,
  storeWith,
  timeoutNowFrom,
  voteFrom,
  voters,
} from './testing/messages.ts';
import { RANDOM_TIMEOUT_PART } from './timing.ts';

const LOG = [configurationEntry(1, 1, voters('n1', 'n2', 'n3'))];

/** n2 after one append of n1 at time 0, which knows `own` to be ours; `random` is what the random port returns. */
function follower(own: readonly string[], random: number): LoneNode {
  const n2 = new LoneNode({ id: 'n2', store: storeWith(LOG), random: () => random });
  const peerStatus = own.length > 0 ? { peerStatus: statusOf(...own) } : {};
  n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, ...peerStatus }));
  n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1 }));
  return n2;
}

/** When pre-votes are asked for, each round being refused at once by everybody. */
function rounds(n2: LoneNode, count: number): number[] {
  const at: number[] = [];
  n2.run(60_000, () => {
    const asked = n2.take('prevote');
    if (asked.length > 0) at.push(Math.round(n2.nowMs));
    for (const message of asked) n2.answer(message, ballot(message.peerId, 'prevote', 1, false));
    return at.length === count;
  });
  return at;
}

function gaps(at: readonly number[]): number[] {
  return at.slice(1).map((ms, i) => ms - at[i]!);
}

describe('election timeout (rule 12)', () => {
  it.each([
    [0, 1000],
    [0.5, 1100],
    [0.999, 1200],
  ])('all ours: the heartbeat timeout and a random fifth (%d)', (random, ms) => {
    expect(rounds(follower(['n1', 'n3'], random), 1)).toEqual([ms]);
  });

  it('all ours: the random part doubles with each failed election, up to the heartbeat timeout', () => {
    const between = gaps(rounds(follower(['n1', 'n3'], 0.999), 6));
    expect(between.map((ms) => Math.round(ms / 100) * 100)).toEqual([400, 800, 1000, 1000, 1000]);
  });

  it('all ours: hearing a leader again ends the doubling', () => {
    const n2 = follower(['n1', 'n3'], 0.999);
    rounds(n2, 3);
    const lastContactMs = n2.nowMs;
    n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, peerStatus: statusOf('n1', 'n3') }));
    expect(rounds(n2, 1)[0]! - lastContactMs).toBeCloseTo(1200, -1);
  });

  it.each([
    ['all ours: the random part and a little, not a whole timeout', ['n1', 'n3'], [100, 300]],
    ['with a voter not known as ours: Go’s, T to 2T', ['n1'], [1000, 2000]],
  ] as const)('after a vote split while the third voter is silent; %s', (_, own, [least, most]) => {
    for (const random of [0, 0.999]) {
      const n2 = follower(own, random);
      n2.run(3000, () => n2.sent.length > 0);
      const asked = n2.take('prevote').find(({ peerId }) => peerId === 'n3')!;
      n2.answer(asked, ballot('n3', 'prevote', 2, true));
      const vote = n2.take('vote').find(({ peerId }) => peerId === 'n3')!;
      const splitMs = n2.nowMs;
      n2.answer(vote, ballot('n3', 'vote', 2, false));
      n2.run(3000, () => n2.sent.length > 0);
      expect(n2.take('prevote')).toHaveLength(2);
      expect(n2.nowMs - splitMs).toBeGreaterThanOrEqual(least);
      expect(n2.nowMs - splitMs).toBeLessThanOrEqual(most);
    }
  });

  it.each([[[]], [['n1']]])('with a voter not known as ours (%j): Go’s, T to 2T, in every round', (own) => {
    for (const [random, ms] of [
      [0, 1000],
      [0.999, 1999],
    ] as const) {
      const at = rounds(follower(own, random), 3);
      expect(at[0]).toBe(ms);
      for (const gap of gaps(at)) expect(gap).toBe(ms);
    }
  });
});

describe('what observers are told', () => {
  it('role and leader change once each, in order', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'));
    n1.request(appendFrom('n2', { term: 5, prevLogIndex: 9, prevLogTerm: 5 }));
    const told = n1.notices.filter(({ kind }) => kind === 'role' || kind === 'leader');
    expect(
      told.map((notice) =>
        notice.kind === 'role' ? notice.role : `${notice.kind} ${'leaderId' in notice ? notice.leaderId : ''}`,
      ),
    ).toEqual(['candidate', 'leader', 'leader n1', 'leader null', 'follower', 'leader n2']);
  });
});

describe('a node whose sequencer could not work lets the others go first (rule 17)', () => {
  const ineligible = [
    ['unhealthy', { healthy: false, paused: false }],
    ['paused', { healthy: true, paused: true }],
  ] as const;
  const tell = (n2: LoneNode, state: { readonly healthy: boolean | null; readonly paused: boolean }): LoneNode => {
    n2.node.setLocalStatus({ ...state, unsafeNumber: null, unsafeHash: null });
    return n2;
  };

  it.each(ineligible)('%s: its own timer is delayed by one timeout, once', (_, state) => {
    const [first, second] = rounds(tell(follower(['n1', 'n3'], 0), state), 2) as [number, number];
    expect(first).toBe(2000);
    expect(second - first).toBeLessThanOrEqual(1000);
  });

  it('healthy, or not known yet: not at all', () => {
    expect(rounds(tell(follower(['n1', 'n3'], 0), { healthy: true, paused: false }), 1)).toEqual([1000]);
    expect(rounds(tell(follower(['n1', 'n3'], 0), { healthy: null, paused: false }), 1)).toEqual([1000]);
  });

  it('paused, but its sequencer was started by an operator: not at all, elsewhere that one is told it does not lead', () => {
    const n2 = follower(['n1', 'n3'], 0);
    n2.node.setLocalStatus({ healthy: true, paused: true, builds: true, unsafeNumber: null, unsafeHash: null });
    expect(rounds(n2, 1)).toEqual([1000]);
  });

  it('hearing a leader again makes it yield once more', () => {
    const n2 = tell(follower(['n1', 'n3'], 0.5), ineligible[0][1]);
    rounds(n2, 1);
    const lastContactMs = n2.nowMs;
    n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, peerStatus: statusOf('n1', 'n3') }));
    expect(rounds(n2, 1)[0]).toBeCloseTo(lastContactMs + 2000 + 500 * RANDOM_TIMEOUT_PART, 0);
  });

  it.each(ineligible)('%s: TimeoutNow is obeyed at once, and votes are granted as ever', (_, state) => {
    const n2 = tell(follower(['n1', 'n3'], 0), state);
    expect(n2.request(voteFrom('n3', 2, 1, 1, true))).toMatchObject({
      granted: true,
    });
    n2.request(timeoutNowFrom('n1'));
    expect(n2.take('vote')).toHaveLength(2);
  });

  it.each(ineligible)('%s and the only voter: it has nobody to wait for', (_, state) => {
    const alone = new LoneNode({
      id: 'n1',
      store: storeWith([configurationEntry(1, 1, voters('n1'))]),
      random: () => 0,
    });
    tell(alone, state);
    alone.run(1100);
    expect(alone.node.status().role).toBe('leader');
  });
});
