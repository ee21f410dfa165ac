import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  ballot,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  statusOf,
  preVoteFrom,
  storeWith,
  voteFrom,
  voters,
} from './testing/messages.ts';
import { RANDOM_TIMEOUT_PART } from './timing.ts';
import type { FailureReason } from '../ports.ts';

const HEARTBEATS = 7;
const REPLICATION = 8;
const LOG = [configurationEntry(1, 1, voters('n1', 'n2', 'n3')), commandEntry(2, 1)];

/** n2 follows n1 in term 1, which has a heartbeat and a replication connection; `own` are known to be ours. */
function follower(own: readonly string[] = ['n1', 'n3'], raft = {}): LoneNode {
  const n2 = new LoneNode({ id: 'n2', store: storeWith(LOG), raft });
  n2.run(100);
  const peerStatus = own.length > 0 ? { peerStatus: statusOf(...own) } : {};
  n2.request(
    appendFrom('n1', { term: 1, prevLogIndex: 2, prevLogTerm: 1, leaderCommit: 2, ...peerStatus }),
    REPLICATION,
  );
  n2.request(heartbeatFrom('n1', 1), HEARTBEATS);
  return n2;
}

function closeAll(n2: LoneNode): void {
  n2.handle({ kind: 'inboundClosed', connectionId: HEARTBEATS });
  n2.handle({ kind: 'inboundClosed', connectionId: REPLICATION });
}

/** All connections closed and the redial answered so. */
function suspecting(reason: FailureReason = 'refused', own?: readonly string[]): LoneNode {
  const n2 = follower(own);
  closeAll(n2);
  n2.fail(n2.take('prevote', 'n1')[0]!, reason);
  // The kept connection was dead; the next is a new one.
  if (reason === 'reset') n2.fail(n2.take('prevote', 'n1')[0]!, reason);
  return n2;
}

const isAsking = (n2: LoneNode) => () => n2.sent.some(({ request }) => request.kind === 'prevote');

describe('a leader whose process is gone is replaced at once (rule 13)', () => {
  it.each(['refused', 'reset'] as const)(
    'all connections closed, redial %s: a pre-vote within 25 ms, to the leader too',
    (reason) => {
      const n2 = suspecting(reason);
      n2.run(25, isAsking(n2));
      expect(n2.take('prevote').map(({ peerId }) => peerId)).toEqual(['n1', 'n3']);
    },
  );

  it('the redialled peer grants a pre-vote: it does not lead any more', () => {
    const n2 = follower();
    closeAll(n2);
    n2.answer(n2.take('prevote', 'n1')[0]!, ballot('n1', 'prevote', 2, true));
    n2.run(25, isAsking(n2));
    expect(n2.take('prevote')).toHaveLength(2);
  });

  it('voters take turns by rank', () => {
    const n3 = new LoneNode({ id: 'n3', store: storeWith(LOG) });
    n3.request(heartbeatFrom('n1', 1), HEARTBEATS);
    n3.handle({ kind: 'inboundClosed', connectionId: HEARTBEATS });
    n3.fail(n3.take('prevote')[0]!, 'refused');
    n3.run(14);
    expect(n3.take('prevote')).toEqual([]);
    n3.run(11);
    expect(n3.take('prevote')).toHaveLength(2);
  });
});

describe('without any one of the conditions there is no fast election', () => {
  function expectElectionTimeout(n2: LoneNode): void {
    n2.run(800);
    expect(n2.take('prevote')).toEqual([]);
    expect(n2.request(preVoteFrom('n3', 2, 9, 9), 99)).toMatchObject({ granted: false });
  }

  it('one connection of the leader is still open', () => {
    const n2 = follower();
    n2.handle({ kind: 'inboundClosed', connectionId: REPLICATION });
    expect(n2.take('prevote')).toEqual([]);
    expectElectionTimeout(n2);
  });

  it('the leader is heard again on a new connection', () => {
    const n2 = follower();
    closeAll(n2);
    const [probe] = n2.take('prevote');
    n2.request(heartbeatFrom('n1', 1), 50);
    n2.fail(probe!, 'refused');
    expectElectionTimeout(n2);
  });

  it.each(['timeout', 'unreachable', 'unauthorized', 'overflow', 'malformed', 'cancelled'] as const)(
    'the redial failed for another reason: %s',
    (reason) => expectElectionTimeout(suspecting(reason)),
  );

  it('a connection that was kept had died, and the leader refuses the pre-vote on a new one: it lives', () => {
    const n2 = follower();
    closeAll(n2);
    n2.fail(n2.take('prevote', 'n1')[0]!, 'reset');
    // Nobody else's pre-vote is granted on that alone either.
    expect(n2.request(preVoteFrom('n3', 2, 9, 9), 99)).toBeUndefined();
    n2.answer(n2.take('prevote', 'n1')[0]!, ballot('n1', 'prevote', 1, false));
    expect([...n2.replies.values()].at(-1)).toMatchObject({ kind: 'prevote', granted: false });
    expectElectionTimeout(n2);
  });

  it('the redialled leader refuses the pre-vote: it lives', () => {
    const n2 = follower();
    closeAll(n2);
    n2.answer(n2.take('prevote', 'n1')[0]!, ballot('n1', 'prevote', 1, false));
    expectElectionTimeout(n2);
  });

  it('the connection was not the leader’s', () => {
    const n2 = follower();
    n2.request(preVoteFrom('n3', 2, 2, 1), 30);
    n2.handle({ kind: 'inboundClosed', connectionId: 30 });
    expectElectionTimeout(n2);
  });

  it('the connection that closes last is another server’s', () => {
    const n2 = follower();
    n2.request(preVoteFrom('n3', 2, 2, 1), 30);
    closeAll(n2);
    n2.answer(n2.take('prevote', 'n1')[0]!, ballot('n1', 'prevote', 1, false));
    n2.handle({ kind: 'inboundClosed', connectionId: 30 });
    expect(n2.take('prevote')).toEqual([]);
  });

  it('the connection was that of an earlier term’s leader', () => {
    const n2 = follower();
    n2.request(heartbeatFrom('n3', 2), 40);
    closeAll(n2);
    expect(n2.take('prevote')).toEqual([]);
  });

  it('the option turns it off', () => {
    const n2 = follower(['n1', 'n3'], { fastElections: false });
    closeAll(n2);
    expectElectionTimeout(n2);
  });
});

describe('lost fast rounds', () => {
  /** When the timer of a follower that was last heard at 100 ends, with half of its random part. */
  const timerMs = Math.round(100 + 1000 + 500 * RANDOM_TIMEOUT_PART);

  it('the supposed leader refuses: the suspected failure is over', () => {
    const n2 = suspecting();
    n2.run(25, isAsking(n2));
    n2.answer(n2.take('prevote', 'n1')[0]!, ballot('n1', 'prevote', 1, false));
    expect(n2.request(preVoteFrom('n3', 2, 9, 9), 99)).toMatchObject({ granted: false });
    n2.take('prevote');
    n2.run(700);
    expect(n2.take('prevote')).toEqual([]);
  });

  /** Loses every round at once; returns when each began. */
  function failElections(n2: LoneNode, withinMs: number): number[] {
    const at: number[] = [];
    n2.run(withinMs, () => {
      const asked = n2.take('prevote');
      if (asked.length > 0) at.push(Math.round(n2.nowMs));
      for (const message of asked) {
        if (message.peerId === 'n1') n2.fail(message, 'refused');
        else n2.answer(message, ballot('n3', 'prevote', 1, false));
      }
      return false;
    });
    return at;
  }

  it('three of them, 25 to 75 ms apart, then the timer that was running anyway', () => {
    const at = failElections(suspecting(), timerMs);
    expect(at).toEqual([105, 155, 205, timerMs]);
  });

  it('a lost vote leaves that timer as it was too, and the next round asks in the next term', () => {
    const n2 = suspecting();
    n2.run(25, isAsking(n2));
    n2.answer(n2.take('prevote', 'n3')[0]!, ballot('n3', 'prevote', 2, true));
    for (const message of n2.take('vote')) {
      if (message.peerId === 'n1') n2.fail(message, 'refused');
      else n2.answer(message, ballot('n3', 'vote', 2, false));
    }
    n2.take('prevote');
    expect(failElections(n2, timerMs)).toEqual([155, 205, timerMs]);
    expect(n2.status.term).toBe(2);
  });

  it('beside a survivor that is not ours Go’s election timeout goes on as it was: T to 2T after the last contact', () => {
    const at = failElections(suspecting('refused', []), 1600);
    expect(at).toEqual([105, 155, 205, 1600]);
  });

  it('no more than three for one leader and term, even when it is suspected again', () => {
    const n2 = suspecting();
    failElections(n2, 300);
    n2.request(heartbeatFrom('n1', 1), 60);
    n2.handle({ kind: 'inboundClosed', connectionId: 60 });
    expect(n2.take('prevote')).toEqual([]);
  });
});

describe('stickiness is waived only on own evidence', () => {
  const ask = (n2: LoneNode) => n2.request(preVoteFrom('n3', 2, 2, 1), 99);
  const heldAnswer = (n2: LoneNode) => [...n2.replies.values()].at(-1);

  it('who asks while the leader is redialled is answered when its fate is known', () => {
    for (const [reason, granted] of [
      ['refused', true],
      ['timeout', false],
    ] as const) {
      const n2 = follower();
      closeAll(n2);
      expect(ask(n2)).toBeUndefined();
      n2.fail(n2.take('prevote', 'n1')[0]!, reason);
      expect(heldAnswer(n2)).toMatchObject({ kind: 'prevote', granted });
    }
  });

  it('who asks while the leader is redialled is refused when the leader is heard again', () => {
    const n2 = follower();
    closeAll(n2);
    expect(ask(n2)).toBeUndefined();
    n2.request(heartbeatFrom('n1', 1), 60);
    expect([...n2.replies.values()].filter(({ kind }) => kind === 'prevote')).toMatchObject([{ granted: false }]);
  });

  it('a request for a vote while the leader is redialled is refused', () => {
    const n2 = follower();
    closeAll(n2);
    expect(n2.request(voteFrom('n3', 2, 2, 1), 99)).toMatchObject({ granted: false, term: 1 });
    n2.fail(n2.take('prevote', 'n1')[0]!, 'refused');
    expect(n2.request(voteFrom('n3', 2, 2, 1), 99)).toMatchObject({ granted: true, term: 2 });
  });

  it('before the connections close others are refused, after the redial failed they are granted', () => {
    const n2 = follower();
    expect(ask(n2)).toMatchObject({ granted: false });
    closeAll(n2);
    n2.fail(n2.take('prevote', 'n1')[0]!, 'refused');
    expect(ask(n2)).toMatchObject({ granted: true });
    n2.request(heartbeatFrom('n1', 1), 60);
    expect(ask(n2)).toMatchObject({ granted: false });
  });
});

describe('a node whose sequencer could not work comes after the turns of the others (rule 17)', () => {
  it.each([
    ['unhealthy', { healthy: false, paused: false }],
    ['paused', { healthy: true, paused: true }],
  ])('%s: asks 250 ms later, once', (_, state) => {
    const n2 = suspecting();
    n2.node.setLocalStatus({ ...state, unsafeNumber: null, unsafeHash: null });
    n2.run(245, isAsking(n2));
    expect(n2.take('prevote')).toEqual([]);
    n2.run(30, isAsking(n2));
    expect(n2.take('prevote')).toHaveLength(2);
  });
});
