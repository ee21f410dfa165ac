import { describe, expect, it } from 'vitest';
import { encodeConfiguration } from '../wire/configuration.ts';
import { TestCluster } from './testing/cluster.ts';
import { alarmsOf, LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  ballot,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  preVoteFrom,
  snapshotFrom,
  storeWith,
  timeoutNowFrom,
  voteFrom,
  voters,
} from './testing/messages.ts';
import type { OutboundRequest } from '../ports.ts';
import type { RaftState } from './state.ts';
import type { Configuration, HardState, RpcRequest } from './types.ts';

const THREE = voters('n1', 'n2', 'n3');
const LOG = [configurationEntry(1, 1, THREE), commandEntry(2, 3)];
/** The largest term that is no mistake of whoever sends it. */
const LAST_TERM = 2 ** 52;

function follower(hard: Partial<HardState> = {}): LoneNode {
  return new LoneNode({ store: storeWith(LOG, { term: 3, ...hard }), raft: { fastElections: false } });
}

/** Every kind of request that says something, in a term. */
function requestsOf(id: string, term: number): [string, RpcRequest][] {
  return [
    ['a heartbeat', heartbeatFrom(id, term)],
    [
      'an append',
      appendFrom(id, { term, prevLogIndex: 2, prevLogTerm: 3, entries: [commandEntry(3, term)], leaderCommit: 3 }),
    ],
    ['a snapshot', snapshotFrom(id, { term, index: 9, lastTerm: term, configuration: voters(id) })],
    ['a vote request', voteFrom(id, term, 99, term)],
    ['a vote request by hand-over', voteFrom(id, term, 99, term, true)],
    ['a pre-vote request', preVoteFrom(id, term, 99, term)],
    ['TimeoutNow', timeoutNowFrom(id)],
  ];
}

/** The pre-votes that ask members what they know. */
function questions(node: LoneNode): OutboundRequest[] {
  return node.take('prevote').filter(({ request }) => 'configuration' in request);
}

function membersIn(term: number, peer: string, configuration?: Configuration) {
  return {
    ...ballot(peer, 'prevote', term, false),
    ...(configuration && { configuration: encodeConfiguration(configuration) }),
  };
}

describe('a server that is no member changes nothing (rule 32)', () => {
  it.each(
    [3, 4, LAST_TERM].flatMap((term) => requestsOf('n9', term).map(([name, sent]) => [name, term, sent] as const)),
  )('%s in term %i', (_name, _term, request) => {
    for (const hears of [false, true]) {
      const n1 = follower();
      if (hears) n1.request(heartbeatFrom('n2', 3));
      n1.run(100);
      const before = { status: n1.status, deadlineMs: n1.node.nextDeadlineMs(), writes: n1.store.writes };
      for (const named of [request, { ...request, address: 'n2:1' }]) n1.request(named);
      expect(n1.status).toEqual(before.status);
      expect(n1.node.nextDeadlineMs()).toBe(before.deadlineMs);
      expect(n1.store.writes).toBe(before.writes);
      questions(n1);
      expect(n1.sent).toEqual([]);
    }
  });

  it.each(requestsOf('n9', 4).slice(0, 3))('%s to a leader: it goes on leading', (_name, request) => {
    const n1 = LoneNode.leader(THREE);
    n1.request({ ...request, id: 'n9' });
    n1.request({ ...request, id: '', address: 'nowhere:1' });
    expect(n1.status).toMatchObject({ role: 'leader', term: 2 });
    expect(alarmsOf(n1.notices)).toEqual(['stranger']);
  });

  it('nor is one that a member’s own store, still new, would have to take: its term is bounded', () => {
    const n1 = new LoneNode();
    expect(n1.request(heartbeatFrom('n9', LAST_TERM))).toMatchObject({ kind: 'error' });
    expect(n1.request(voteFrom('n9', LAST_TERM, 9, 9))).toMatchObject({ granted: false, term: 0 });
    expect(n1.status.term).toBe(0);
    n1.request(heartbeatFrom('n2', 40_000));
    expect(n1.status).toMatchObject({ term: 40_000, leaderId: 'n2' });
  });
});

describe('one packet does not end a cluster (rule 32)', () => {
  it.each(['n9', 'n2', 'n3', ''])(
    'under the id "%s" to everybody: the term stays where it was, and elections go on',
    async (id) => {
      const cluster = await TestCluster.form();
      const { term } = cluster.status('n1')!;
      for (const target of ['n1', 'n2', 'n3'])
        for (const [, request] of requestsOf(id, LAST_TERM))
          if (request.kind !== 'timeoutNow') cluster.inject(target, request);
      cluster.run(3000);
      expect(Math.max(...['n1', 'n2', 'n3'].map((each) => cluster.status(each)!.term))).toBeLessThan(term + 64);
      cluster.crash(cluster.leader()!);
      cluster.runUntil(() => cluster.leader() !== null, 10_000);
      const proposal = cluster.propose(cluster.leader()!, 'still here');
      cluster.runUntil(() => cluster.results.get(proposal)?.kind === 'done', 5000);
    },
  );
});

describe('one packet to an op-conductor, which takes any term of anybody, does not end a mixed cluster (rule 32)', () => {
  it.each([LAST_TERM, LAST_TERM - 3, 2 ** 41])(
    '%i in a member of Go: the two of ours go on without it, with an alarm',
    async (term) => {
      const cluster = await TestCluster.form({ goLike: ['n3'] });
      cluster.run(2000);
      (cluster.servers.get('n3')!.node!.state as RaftState).setHard({ term });
      cluster.run(5000);
      expect(Math.max(...['n1', 'n2'].map((id) => cluster.status(id)!.term))).toBeLessThan(100);
      expect(alarmsOf(cluster.notices.map(({ notice }) => notice))).toContain('term-jump');
      cluster.runUntil(() => cluster.leader() === 'n1' || cluster.leader() === 'n2');
      const proposal = cluster.propose(cluster.leader()!, 'still here');
      cluster.runUntil(() => cluster.results.get(proposal)?.kind === 'done', 2000);
    },
  );
});

describe('a later term under the name of a member, from another address than its own (rule 32)', () => {
  const elsewhere = <R extends RpcRequest>(request: R): R => ({ ...request, address: 'n3.other:1' });
  /** It follows n2 in term 3. */
  function following(): LoneNode {
    const n1 = follower();
    n1.request(heartbeatFrom('n2', 3));
    return n1;
  }
  const ofTerm4 = requestsOf('n3', 4).filter(([, { kind }]) => kind !== 'prevote' && kind !== 'timeoutNow');

  it.each(ofTerm4)('%s: an alarm, and not followed while a leader is heard', (_name, request) => {
    for (const n1 of [following(), LoneNode.leader(THREE)]) {
      const { term, leaderId } = n1.status;
      n1.request(elsewhere({ ...request, term: term + 1 } as RpcRequest));
      expect(n1.status).toMatchObject({ term, leaderId });
      if (request.kind !== 'vote' || request.leadershipTransfer) expect(alarmsOf(n1.notices)).toEqual(['stranger']);
    }
  });

  it('is followed once that member confirms it at its configured address', () => {
    const n1 = following();
    expect(n1.request(elsewhere(heartbeatFrom('n3', 4)))).toMatchObject({ kind: 'error' });
    const asked = questions(n1);
    expect(asked.map(({ peerId, address }) => [peerId, address])).toContainEqual(['n3', 'n3:1']);
    n1.answer(
      asked.find(({ peerId }) => peerId === 'n3')!,
      membersIn(4, 'n3'),
    );
    n1.request(elsewhere(heartbeatFrom('n3', 4)));
    expect(n1.status).toMatchObject({ term: 4, leaderId: 'n3' });
  });

  it('is followed by who has been in contact with nobody for a heartbeat timeout, and from the leader that is followed', () => {
    const alone = follower();
    expect(alone.request(elsewhere(heartbeatFrom('n3', 4)))).toMatchObject({ kind: 'error' });
    alone.run(1000);
    alone.request(elsewhere(heartbeatFrom('n3', 4)));
    expect(alone.status).toMatchObject({ term: 4, leaderId: 'n3' });
    alone.request(elsewhere(heartbeatFrom('n3', 5)));
    expect(alone.status).toMatchObject({ term: 5, leaderId: 'n3' });
  });

  it.each([
    ['192.0.2.7:1', true],
    ['[2001:db8::7]:1', true],
    ['192.0.2.7:2', false],
    ['n3.other:1', false],
  ])(
    'but an op-conductor names its address as it was resolved, with its port: %s is followed: %s',
    (address, isFollowed) => {
      const n1 = following();
      n1.request({ ...heartbeatFrom('n3', 4), address });
      expect(n1.status.leaderId).toBe(isFollowed ? 'n3' : 'n2');
    },
  );

  it('TimeoutNow under the name of the leader is obeyed from its address alone while that is heard', () => {
    const n1 = following();
    n1.request({ ...timeoutNowFrom('n2'), address: 'n2.other:1' });
    expect(n1.take('vote')).toEqual([]);
    n1.request(timeoutNowFrom('n2'));
    expect(n1.take('vote')).toHaveLength(2);
  });
});

describe('a term that elections do not explain (rule 32)', () => {
  it.each(requestsOf('n2', 5000).filter(([, request]) => request.kind !== 'prevote' && request.kind !== 'timeoutNow'))(
    '%s of a member: an alarm, and followed only when a member confirms it at its configured address',
    (_name, request) => {
      const n1 = follower();
      n1.run(1);
      n1.request(request);
      expect(n1.status).toMatchObject({ term: 3, leaderId: null });
      expect(alarmsOf(n1.notices)).toEqual(['term-jump']);
      const asked = questions(n1);
      expect(asked.map(({ peerId, address, request: { kind } }) => [peerId, address, kind])).toEqual([
        ['n2', 'n2:1', 'prevote'],
        ['n3', 'n3:1', 'prevote'],
      ]);
      n1.answer(asked[1]!, membersIn(3, 'n3'));
      expect(n1.status.term).toBe(3);
      n1.answer(asked[0]!, membersIn(5000, 'n2'));
      expect(n1.status).toMatchObject({ term: 5000, leaderId: null, role: 'follower' });
      n1.request(heartbeatFrom('n2', 5000));
      expect(n1.status).toMatchObject({ term: 5000, leaderId: 'n2' });
    },
  );

  it.each([
    ['another server', { id: 'n3' }],
    ['nobody', { id: null }],
  ])('is not confirmed by the answer of %s', (_, header) => {
    const n1 = follower();
    n1.request(heartbeatFrom('n2', LAST_TERM));
    n1.answer(questions(n1)[0]!, { ...membersIn(LAST_TERM, 'n2'), ...header });
    expect(n1.status.term).toBe(3);
  });

  it('is not taken from an answer that names nobody either', () => {
    const n1 = follower();
    n1.run(3000, () => n1.sent.length > 0);
    n1.answer(n1.take('prevote')[0]!, { ...ballot('n2', 'prevote', LAST_TERM, false), id: null });
    expect(n1.status.term).toBe(3);
  });

  it('in an answer makes a server ask before it takes it', () => {
    const n1 = follower();
    n1.run(3000, () => n1.sent.length > 0);
    n1.answer(n1.take('prevote', 'n2')[0]!, ballot('n2', 'prevote', 5000, false));
    expect(n1.status.term).toBe(3);
    n1.answer(questions(n1)[0]!, membersIn(5000, 'n2'));
    expect(n1.status.term).toBe(5000);
  });

  it('is what elections explain when they had the time for it', () => {
    const n1 = follower();
    n1.request(heartbeatFrom('n2', 3));
    n1.request(heartbeatFrom('n3', 3 + 65));
    expect(n1.status.term).toBe(3);
    n1.request(heartbeatFrom('n3', 3 + 64));
    expect(n1.status.term).toBe(67);
    // Nobody is heard for a hundred heartbeat timeouts.
    for (let each = 0; each < 1000; each++) n1.run(100, () => (n1.take('prevote'), false));
    n1.request(heartbeatFrom('n2', 67 + 64 + 1000));
    expect(n1.status.term).toBe(67 + 64 + 1000);
  });

  it('makes a server ask no more often than four times a second', () => {
    const n1 = follower();
    let asked = 0;
    for (let each = 0; each < 1000; each++) {
      n1.request(heartbeatFrom('n2', 5000));
      asked += questions(n1).length;
      n1.nowMs++;
    }
    expect(asked).toBe(2 * 4);
    expect(alarmsOf(n1.notices)).toEqual(['term-jump']);
  });

  it('brings home a voter that was away for weeks', async () => {
    const cluster = await TestCluster.form();
    cluster.crash('n3');
    for (let each = 0; each < 120; each++) {
      const from = cluster.leader()!;
      cluster.command(from, { kind: 'transfer', target: from === 'n1' ? 'n2' : 'n1' });
      cluster.runUntil(() => cluster.leader() !== null && cluster.leader() !== from);
      cluster.run(20);
    }
    cluster.start('n3');
    const leader = cluster.leader()!;
    // Sooner than it would ask for votes itself, which a nonvoter never does.
    cluster.runUntil(() => cluster.status('n3')?.leaderId === leader, 600);
    expect(alarmsOf(cluster.notices.map(({ notice }) => notice))).toContain('term-jump');
  });
});

describe('a leader that joined while this server was away (rule 32)', () => {
  const FOUR = voters('n1', 'n2', 'n3', 'n4');

  it('is followed once a member has told that it is one, and not for longer than that lasts', () => {
    const n1 = follower();
    expect(n1.request(heartbeatFrom('n4', 3))).toMatchObject({ kind: 'error' });
    expect(alarmsOf(n1.notices)).toEqual(['stranger']);
    const [asked] = questions(n1);
    n1.answer(asked!, membersIn(3, 'n2', FOUR));
    expect(n1.request(heartbeatFrom('n5', 3))).toMatchObject({ kind: 'error' });
    expect(n1.request(heartbeatFrom('n4', 3))).toMatchObject({ kind: 'append', success: true });
    expect(n1.status.leaderId).toBe('n4');
    const gone = [configurationEntry(3, 3, THREE)];
    n1.request(appendFrom('n4', { term: 3, prevLogIndex: 2, prevLogTerm: 3, entries: gone }));
    expect(n1.request(heartbeatFrom('n4', 4))).toMatchObject({ kind: 'error' });
  });

  it('is not, when the word is not that of the member that was asked, or the term is higher than the members know', () => {
    const n1 = follower();
    n1.request(heartbeatFrom('n4', 500));
    const asked = questions(n1);
    n1.answer(asked[0]!, { ...membersIn(3, 'n2', FOUR), id: null });
    expect(n1.request(heartbeatFrom('n4', 3))).toMatchObject({ kind: 'error' });
    n1.answer(asked[1]!, membersIn(500, 'n3', FOUR));
    expect(n1.status.term).toBe(3);
    expect(n1.request(heartbeatFrom('n4', 500))).toMatchObject({ kind: 'error' });
    expect(n1.status.term).toBe(3);
  });

  it('tells its members to members that ask, and to nobody else', () => {
    const n1 = follower();
    const asks = { configuration: new Uint8Array(0) };
    expect(n1.request({ ...preVoteFrom('n2', 1, 0, 0), ...asks })).toMatchObject({
      configuration: encodeConfiguration(THREE),
    });
    expect(n1.request({ ...preVoteFrom('n9', 1, 0, 0), ...asks })).not.toHaveProperty('configuration');
    expect(n1.request(preVoteFrom('n2', 1, 0, 0))).not.toHaveProperty('configuration');
  });

  it('who was taken out tells whoever asks of those that are left; who is new has nothing to tell', () => {
    const asks = { ...preVoteFrom('n9', 1, 0, 0), configuration: new Uint8Array(0) };
    const left = voters('n4');
    const taken = new LoneNode({ id: 'n1', store: storeWith([configurationEntry(1, 1, left)]) });
    expect(taken.request(asks)).toMatchObject({ configuration: encodeConfiguration(left) });
    expect(new LoneNode({ id: 'n1' }).request(asks)).not.toHaveProperty('configuration');
  });

  it('brings up a voter that knows none of those who are left but one', async () => {
    const cluster = await TestCluster.form();
    cluster.crash('n3');
    for (const id of ['n4', 'n5']) {
      cluster.add(id);
      cluster.addVoter('n1', id);
    }
    cluster.command('n1', { kind: 'transfer', target: 'n5' });
    cluster.runUntil(() => cluster.leader() === 'n5');
    cluster.run(200);
    const removal = cluster.command('n5', { kind: 'removeServer', id: 'n1', previousIndex: 0 });
    cluster.runUntil(() => cluster.results.get(removal)?.kind === 'done');
    cluster.start('n3');
    cluster.runUntil(() => cluster.status('n3')?.leaderId === 'n5', 3000);
    cluster.runUntil(() => cluster.status('n3')?.commitIndex === cluster.status('n5')?.commitIndex, 3000);
  });
});
