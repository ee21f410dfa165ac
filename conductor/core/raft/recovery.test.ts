import { describe, expect, it } from 'vitest';
import { TestCluster } from './testing/cluster.ts';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  ballot,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  statusOf,
  noopEntry,
  nonvoter,
  preVoteFrom,
  snapshotFrom,
  storeWith,
  timeoutNowFrom,
  voteFrom,
  voter,
  voters,
} from './testing/messages.ts';
import type { Configuration } from './types.ts';

const THREE = voters('n1', 'n2', 'n3');
const WITH_NONVOTER = { servers: [...voters('n2', 'n3').servers, nonvoter('n1')] };

/** The whole log of n2, leader of term 5: a configuration, a command, the no-op of its term. */
function wholeLog(configuration: Configuration) {
  return [configurationEntry(1, 1, configuration), commandEntry(2, 1), noopEntry(3, 5)];
}

/** `isGo`: the leader sends no peer status. */
function offer(n1: LoneNode, configuration: Configuration, { connectionId = 1, isGo = false } = {}): number {
  const before = new Set(n1.replies.keys());
  const peerStatus = isGo ? {} : { peerStatus: statusOf('n2') };
  n1.request(
    appendFrom('n2', { term: 5, entries: wholeLog(configuration), leaderCommit: 2, ...peerStatus }),
    connectionId,
  );
  return [...n1.replies.keys()].filter((id) => !before.has(id)).length;
}

describe('a server with a new store (rule 9)', () => {
  it('says so durably with its first write', () => {
    expect(new LoneNode().store.load().hardState).toMatchObject({ recovering: true, term: 0 });
  });

  it('grants nothing, does not campaign, ignores TimeoutNow', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)], { recovering: true }) });
    expect(n1.request(preVoteFrom('n2', 9, 9, 9))).toMatchObject({ granted: false });
    expect(n1.request(voteFrom('n2', 9, 9, 9))).toMatchObject({ granted: false, term: 9 });
    expect(n1.store.load().hardState).toMatchObject({ term: 9, votedTerm: 1 });
    n1.request(timeoutNowFrom('n2'));
    n1.run(10_000);
    expect(n1.sent).toEqual([]);
    expect(n1.node.nextDeadlineMs()).toBeGreaterThan(100_000);
  });

  it('grants nothing to anybody while it belongs to no cluster, unless told to do as Go does', () => {
    expect(new LoneNode().request(voteFrom('n2', 9, 9, 9))).toMatchObject({ granted: false });
    const legacy = new LoneNode({ raft: { legacyEmptyStore: true } });
    expect(legacy.request(preVoteFrom('n2', 2, 1, 1))).toMatchObject({ granted: true });
    expect(legacy.request(voteFrom('n2', 2, 1, 1))).toMatchObject({ granted: true });
    expect(legacy.store.load().hardState).toMatchObject({ recovering: false });
  });

  it.each([
    ['does not vote by', WITH_NONVOTER],
    ['is not in', voters('n2', 'n3')],
  ])('asks, too, when it %s the part of the log that it has: that may be older than its membership', (_, part) => {
    const n1 = new LoneNode();
    expect(offer(n1, part)).toBe(0);
    for (const message of n1.take('prevote')) n1.answer(message, ballot(message.peerId, 'prevote', 5, false));
    expect([...n1.replies.values()]).toMatchObject([{ success: true }]);
    expect(n1.status).toMatchObject({ isRecovering: true, lastIndex: 3 });
  });

  it('as a voter first asks every other voter for its term, and holds its replies until all have answered', () => {
    const n1 = new LoneNode();
    expect(offer(n1, THREE)).toBe(0);
    const asked = n1.take('prevote');
    expect(asked.map(({ peerId, request }) => [peerId, request])).toMatchObject([
      ['n2', { term: 1, lastLogIndex: 0, lastLogTerm: 0 }],
      ['n3', { term: 1 }],
    ]);
    expect(n1.request(heartbeatFrom('n2', 5), 2)).toBeUndefined();
    n1.answer(asked[0]!, ballot('n2', 'prevote', 5, false));
    expect(n1.replies.size).toBe(0);
    n1.answer(asked[1]!, ballot('n3', 'prevote', 4, false));
    expect([...n1.replies.values()]).toMatchObject([
      { success: true, term: 5 },
      { success: true, term: 5 },
    ]);
  });

  it('adopts the highest term it hears of, and acknowledges nothing to a leader of an earlier one', () => {
    const n1 = new LoneNode();
    offer(n1, THREE);
    const asked = n1.take('prevote');
    n1.answer(asked[1]!, ballot('n3', 'prevote', 7, false));
    expect(n1.store.load().hardState).toMatchObject({ term: 7, recovering: true });
    n1.answer(asked[0]!, ballot('n2', 'prevote', 5, false));
    expect([...n1.replies.values()]).toMatchObject([{ success: false, term: 7 }]);
  });

  it('refuses at once what it does not hold; that is no promise', () => {
    const n1 = new LoneNode();
    const answer = n1.request(appendFrom('n2', { term: 5, prevLogIndex: 3, prevLogTerm: 5, leaderCommit: 3 }));
    expect(answer).toMatchObject({ success: false, lastLog: 0 });
  });

  it('asks silent voters again, and passes over them after three of the largest timeouts', () => {
    const n1 = new LoneNode({ raft: { electionTimeoutMs: 2000 } });
    offer(n1, THREE);
    n1.answer(n1.take('prevote', 'n2')[0]!, ballot('n2', 'prevote', 5, false));
    let questions = 0;
    const failAll = () => {
      for (const message of n1.take('prevote')) {
        questions++;
        n1.fail(message, 'refused');
      }
      return false;
    };
    n1.run(5999, failAll);
    expect(questions).toBeGreaterThan(50);
    expect(n1.replies.size).toBe(0);
    n1.run(1, failAll);
    expect([...n1.replies.values()]).toMatchObject([{ success: true }]);
    expect(n1.notices).toContainEqual(expect.objectContaining({ kind: 'warning', fields: { server: 'n3' } }));
    // Nobody is waited for again.
    const entries = [configurationEntry(4, 5, voters('n1', 'n2', 'n3', 'n4'))];
    const next = appendFrom('n2', { term: 5, prevLogIndex: 3, prevLogTerm: 5, entries, leaderCommit: 2 });
    expect(n1.request(next)).toMatchObject({ success: true });
  });

  it('in a term that one who was passed over may know of it has voted: it is beyond those when it recovers', () => {
    const n1 = new LoneNode();
    offer(n1, THREE);
    n1.run(3000, () => {
      for (const message of n1.take('prevote'))
        if (message.peerId === 'n2') n1.answer(message, ballot('n2', 'prevote', 5, false));
        else n1.fail(message, 'timeout');
      return false;
    });
    const next = appendFrom('n2', { term: 5, prevLogIndex: 3, prevLogTerm: 5, leaderCommit: 3 });
    expect(n1.request(next)).toMatchObject({ success: false, term: 37 });
    expect(n1.store.load().hardState).toMatchObject({ recovering: false, term: 37, votedTerm: 37, votedFor: null });
    expect(n1.request(voteFrom('n3', 6, 4, 6))).toMatchObject({ granted: false, term: 37 });
    expect(n1.request(voteFrom('n2', 38, 3, 5))).toMatchObject({ granted: true });
  });

  it('holds a bounded number of replies', () => {
    const n1 = new LoneNode();
    offer(n1, THREE);
    for (let i = 0; i < 300; i++) n1.request(heartbeatFrom('n2', 5), 100 + i);
    expect([...n1.replies.values()].every(({ kind }) => kind === 'error')).toBe(true);
    expect(n1.replies.size).toBe(301 - 256);
  });

  it('an installed snapshot is acknowledged under the same condition', () => {
    const n1 = new LoneNode();
    n1.request(snapshotFrom('n2', { term: 5, index: 10, lastTerm: 5, configuration: THREE }), 3);
    expect(n1.replies.size).toBe(0);
    n1.request(heartbeatFrom('n2', 5), 2);
    for (const message of n1.take('prevote')) n1.answer(message, ballot(message.peerId, 'prevote', 5, false));
    expect([...n1.replies.values()]).toMatchObject([
      { kind: 'snapshot', success: true },
      { kind: 'append', success: true },
    ]);
  });
});

describe('recovery ends', () => {
  function caughtUp(configuration: Configuration): LoneNode {
    const n1 = new LoneNode();
    offer(n1, configuration);
    for (const message of n1.take('prevote')) n1.answer(message, ballot(message.peerId, 'prevote', 5, false));
    expect(n1.status.isRecovering).toBe(true);
    return n1;
  }

  function tell(n1: LoneNode, part: object, connectionId = 1): void {
    n1.request(appendFrom('n2', { term: 5, prevLogIndex: 3, prevLogTerm: 5, ...part }), connectionId);
  }

  it.each([
    ['a voter', THREE],
    ['a nonvoter', WITH_NONVOTER],
  ])(
    '%s: told, after a reply on that connection, of a commit of the leader’s own term that it holds',
    (_, configuration) => {
      const n1 = caughtUp(configuration);
      tell(n1, { leaderCommit: 3 });
      expect(n1.status.isRecovering).toBe(false);
      expect(n1.store.load().hardState).toMatchObject({ recovering: false, term: 5, votedTerm: 5, votedFor: null });
      expect(n1.notices).toContainEqual({ kind: 'recovered', index: 3, term: 5 });
      expect(n1.request(voteFrom('n3', 5, 9, 9, true))).toMatchObject({ granted: false });
      expect(new LoneNode({ store: n1.store }).status.isRecovering).toBe(false);
    },
  );

  it.each([
    ['on a connection without a reply of ours', { leaderCommit: 3 }, 9],
    ['of a commit of an earlier term', { leaderCommit: 2 }, 1],
    ['of a commit beyond what it verifies', { leaderCommit: 4 }, 1],
    ['of nothing', { leaderCommit: 0 }, 1],
  ])('not when told %s', (_, part, connectionId) => {
    const n1 = caughtUp(THREE);
    tell(n1, part, connectionId);
    expect(n1.status.isRecovering).toBe(true);
  });

  it('not when told just of what the request brings: there may be more, of which nothing was told', () => {
    const n1 = caughtUp(THREE);
    tell(n1, { entries: [commandEntry(4, 5)], leaderCommit: 4 });
    expect(n1.status).toMatchObject({ isRecovering: true, commitIndex: 4 });
    tell(n1, { prevLogIndex: 4, entries: [commandEntry(5, 5)], leaderCommit: 4 });
    expect(n1.status).toMatchObject({ isRecovering: false, lastIndex: 5 });
  });

  it('not when told so by an empty request that only looks for where the logs agree', () => {
    const n1 = caughtUp(THREE);
    tell(n1, { prevLogIndex: 9 });
    tell(n1, { leaderCommit: 3 });
    expect(n1.status.isRecovering).toBe(true);
    tell(n1, { leaderCommit: 3 });
    expect(n1.status.isRecovering).toBe(false);
  });

  it('not with the first request, however much that holds', () => {
    const n1 = new LoneNode();
    const entries = [...wholeLog(WITH_NONVOTER), commandEntry(4, 5)];
    const first = appendFrom('n2', { term: 5, entries, leaderCommit: 3, peerStatus: statusOf('n2') });
    n1.request(first);
    for (const message of n1.take('prevote')) n1.answer(message, ballot(message.peerId, 'prevote', 5, false));
    n1.request(first, 2);
    expect(n1.status).toMatchObject({ isRecovering: true, commitIndex: 3 });
    n1.request(first, 2);
    expect(n1.status.isRecovering).toBe(false);
  });

  it('not by a reply to an earlier leader on the same connection', () => {
    const n1 = caughtUp(WITH_NONVOTER);
    const entries = [noopEntry(4, 6)];
    n1.request(appendFrom('n2', { term: 6, prevLogIndex: 3, prevLogTerm: 5, entries, leaderCommit: 4 }));
    expect(n1.status).toMatchObject({ isRecovering: true, commitIndex: 4 });
  });

  it('not while the other voters have not been asked', () => {
    const n1 = new LoneNode();
    n1.request(appendFrom('n2', { term: 5, prevLogIndex: 9, prevLogTerm: 5, leaderCommit: 9 }));
    offer(n1, THREE, { connectionId: 3 });
    tell(n1, { leaderCommit: 3 });
    expect(n1.status.isRecovering).toBe(true);
  });

  it('not by an answer that was held back: its leader may be another by then', () => {
    const n1 = new LoneNode();
    const peerStatus = statusOf('n2');
    n1.request(appendFrom('n2', { term: 5, prevLogIndex: 9, prevLogTerm: 5, leaderCommit: 3, peerStatus }));
    n1.request(
      appendFrom('n2', { term: 5, entries: [...wholeLog(THREE), commandEntry(4, 5)], leaderCommit: 3, peerStatus }),
    );
    for (const message of n1.take('prevote')) n1.answer(message, ballot(message.peerId, 'prevote', 5, false));
    expect([...n1.replies.values()].at(-1)).toMatchObject({ kind: 'append', success: true });
    expect(n1.status).toMatchObject({ isRecovering: true, commitIndex: 3 });
    tell(n1, { prevLogIndex: 4, leaderCommit: 4 });
    expect(n1.status.isRecovering).toBe(false);
  });
});

describe('recovery ends under a leader of Go, which sends no peer status and never lowers what it counts as held (rule 33)', () => {
  function caughtUp(): LoneNode {
    const n1 = new LoneNode();
    offer(n1, THREE, { isGo: true });
    for (const message of n1.take('prevote')) n1.answer(message, ballot(message.peerId, 'prevote', 5, false));
    return n1;
  }

  function tell(n1: LoneNode, part: object): void {
    n1.request(appendFrom('n2', { term: 5, prevLogIndex: 3, prevLogTerm: 5, ...part }));
  }

  it('not with a batch that goes beyond the commit index: the lost store may have held more', () => {
    const n1 = caughtUp();
    tell(n1, { entries: [commandEntry(4, 5), commandEntry(5, 5)], leaderCommit: 3 });
    tell(n1, { prevLogIndex: 5, entries: [commandEntry(6, 5)], leaderCommit: 200 });
    expect(n1.status).toMatchObject({ isRecovering: true, lastIndex: 6, commitIndex: 6 });
  });

  it('when it had nothing more to send once, and all of what it had then is committed', () => {
    const n1 = caughtUp();
    tell(n1, { entries: [commandEntry(4, 5), commandEntry(5, 5)], leaderCommit: 3 });
    tell(n1, { prevLogIndex: 5, leaderCommit: 4 });
    expect(n1.status).toMatchObject({ isRecovering: true, commitIndex: 4 });
    // Under load it may never again have nothing to send.
    tell(n1, { prevLogIndex: 5, entries: [commandEntry(6, 5)], leaderCommit: 4 });
    expect(n1.status.isRecovering).toBe(true);
    tell(n1, { prevLogIndex: 6, entries: [commandEntry(7, 5)], leaderCommit: 5 });
    expect(n1.status.isRecovering).toBe(false);
    expect(n1.notices).toContainEqual({ kind: 'recovered', index: 5, term: 5 });
  });

  it('not by an empty append that only looks for where the logs agree, as one of ours sends before its first peer status', () => {
    const n1 = caughtUp();
    tell(n1, { prevLogIndex: 99, leaderCommit: 99 });
    tell(n1, { leaderCommit: 3 });
    expect(n1.status.isRecovering).toBe(true);
    tell(n1, { entries: [commandEntry(4, 5)], leaderCommit: 4 });
    expect(n1.status.isRecovering).toBe(true);
  });

  it('not by a heartbeat, nor by an empty append that it refuses', () => {
    const n1 = caughtUp();
    n1.request(heartbeatFrom('n2', 5));
    tell(n1, { prevLogIndex: 99, leaderCommit: 99 });
    tell(n1, { entries: [commandEntry(4, 5)], leaderCommit: 4 });
    expect(n1.status.isRecovering).toBe(true);
    tell(n1, { prevLogIndex: 4, leaderCommit: 4 });
    expect(n1.status.isRecovering).toBe(false);
  });
});

describe('a voter that lost its disk under a leader of Go (rule 33)', () => {
  it('helps nobody to lead who lacks what the leader committed by what it had acknowledged before', async () => {
    const cluster = await TestCluster.form({ size: 5, goLike: ['n1'], raft: { inflightRequestsMax: 1 } });
    for (const id of ['n3', 'n4', 'n5']) cluster.starve(id);
    const proposals = Array.from({ length: 300 }, (_, at) => cluster.propose('n1', `p${at}`));
    cluster.runUntil(() => (cluster.status('n2')?.lastIndex ?? 0) === cluster.status('n1')!.lastIndex, 300);
    // Its answers arrive, too.
    cluster.run(20);
    cluster.crash('n2');
    cluster.wipe('n2');
    cluster.start('n2');
    // The leader has sent it two batches and no more.
    cluster.runUntil(() => (cluster.status('n2')?.lastIndex ?? 0) >= 128, 1000);
    cluster.starve('n2');
    cluster.feed('n3');
    cluster.runUntil(() => proposals.every((id) => cluster.results.get(id)?.kind === 'done'), 5000);
    expect(cluster.status('n2')!.lastIndex).toBeLessThan(300);
    cluster.crash('n1');
    cluster.isolate('n3');
    for (const id of ['n2', 'n4', 'n5']) cluster.feed(id);
    cluster.run(10_000);
    expect(cluster.leader()).toBeNull();
    cluster.heal();
    cluster.runUntil(() => cluster.leader() !== null);
    cluster.run(2000);
    expect(cluster.leader()).toBe('n3');
    cluster.laws.assertKept(cluster.servers.get('n3')!.machine);
    cluster.start('n1');
    cluster.runUntil(() => ['n1', 'n2', 'n4', 'n5'].every((id) => cluster.status(id)?.isRecovering === false));
  });

  it('comes back to full membership while blocks go on', async () => {
    const cluster = await TestCluster.form({ goLike: ['n1'] });
    cluster.crash('n3');
    cluster.wipe('n3');
    cluster.start('n3');
    for (let each = 0; each < 5; each++) {
      cluster.propose('n1', `q${each}`);
      cluster.run(1000);
    }
    expect(cluster.status('n3')?.isRecovering).toBe(false);
  });
});

describe('a bootstrapped server', () => {
  it('waits for nothing that it was about to ask others before', () => {
    const n1 = new LoneNode();
    n1.request(appendFrom('x', { term: 0 }));
    n1.command({ kind: 'bootstrap', servers: [voter('n1')] });
    n1.run(10_000);
    expect(n1.status.role).toBe('leader');
  });

  function bootstrapped(): LoneNode {
    const n1 = new LoneNode();
    const id = n1.command({ kind: 'bootstrap', servers: [voter('n1')] });
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
    n1.run(1);
    expect(n1.status).toMatchObject({ role: 'leader', isRecovering: false, commitIndex: 2 });
    return n1;
  }

  it('is exempt while its configuration names itself alone, and then refuses appends, snapshots and votes', () => {
    const n1 = bootstrapped();
    const { term } = n1.status;
    const refused = { kind: 'error', message: expect.stringContaining('leads a cluster of its own') as string };
    expect(n1.request(appendFrom('n2', { term: 9, entries: wholeLog(THREE) }))).toMatchObject(refused);
    expect(n1.request(heartbeatFrom('n2', 9))).toMatchObject(refused);
    const snapshot = snapshotFrom('n2', { term: 9, index: 10, lastTerm: 5, configuration: THREE });
    expect(n1.request(snapshot)).toMatchObject({ success: false });
    expect(n1.request(voteFrom('n2', 9, 99, 9, true))).toMatchObject({ granted: false });
    expect(n1.request(preVoteFrom('n2', 9, 99, 9))).toMatchObject({ granted: false });
    expect(n1.status).toMatchObject({ role: 'leader', term, lastIndex: 2 });
  });

  it('is not taken for one that lost its store and has got no more yet than the first entry of the log', () => {
    const n1 = new LoneNode();
    const first = configurationEntry(1, 1, voters('n1'));
    expect(n1.request(appendFrom('n2', { term: 5, entries: [first] }))).toMatchObject({ success: true });
    const rest = [configurationEntry(2, 1, THREE), noopEntry(3, 5)];
    n1.request(appendFrom('n2', { term: 5, prevLogIndex: 1, prevLogTerm: 1, entries: rest }));
    expect(n1.status).toMatchObject({ lastIndex: 3, isRecovering: true, leaderId: 'n2' });
  });

  it.each([
    ['others beside itself', [voter('n1'), voter('n2')]],
    ['somebody else', [voter('n2')]],
    ['itself as a nonvoter', [nonvoter('n1')]],
    ['itself elsewhere', [{ ...voter('n1'), address: 'n1:2' }]],
  ])('does not name %s', (_, servers) => {
    const n1 = new LoneNode();
    expect(n1.results.get(n1.command({ kind: 'bootstrap', servers }))).toMatchObject({
      kind: 'refused',
      reason: 'invalid',
    });
    expect(n1.status.lastIndex).toBe(0);
  });

  it('is not bootstrapped again, nor after it has seen a term, nor when its store has failed', () => {
    const again = bootstrapped();
    const store = storeWith([], { term: 3, recovering: true });
    for (const [node, reason] of [
      [again, 'already-bootstrapped'],
      [new LoneNode({ store }), 'already-bootstrapped'],
    ] as const) {
      const id = node.command({ kind: 'bootstrap', servers: [voter('n1')] });
      expect(node.results.get(id)).toMatchObject({ kind: 'refused', reason });
    }
    const failing = new LoneNode({ store: storeWith([]) });
    failing.store.failure = 'disk full';
    failing.request(voteFrom('n2', 0, 0, 0));
    failing.node.writeFailed('disk full');
    const id = failing.command({ kind: 'bootstrap', servers: [voter('n1')] });
    expect(failing.results.get(id)).toMatchObject({ kind: 'refused', reason: 'failed' });
  });
});
