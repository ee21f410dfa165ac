import { describe, expect, it } from 'vitest';
import { encodeConfiguration } from '../wire/configuration.ts';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  ballot,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  nonvoter,
  preVoteFrom,
  storeWith,
  voteFrom,
  voter,
  voters,
} from './testing/messages.ts';
import type { Configuration, HardState } from './types.ts';

const MEMBERS = { servers: [...voters('n1', 'n2', 'n3').servers, nonvoter('n4')] };

/** n1 in term 3 with a log up to index 5, term 3. */
function follower(hard: Partial<HardState> = {}, raft = {}): LoneNode {
  const entries = [configurationEntry(1, 1, MEMBERS), ...[2, 3, 4].map((index) => commandEntry(index, 1))];
  return new LoneNode({ store: storeWith([...entries, commandEntry(5, 3)], { votedTerm: 1, ...hard }), raft });
}

describe('what a voter answers to a pre-vote, in the order of its checks', () => {
  it('grants a member whose log is as far, and answers in the proposed term without moving to it', () => {
    const n1 = follower();
    expect(n1.request(preVoteFrom('n2', 4, 5, 3))).toMatchObject({ granted: true, term: 4 });
    expect(n1.status.term).toBe(3);
  });

  it.each([
    ['a stranger, whatever its log', preVoteFrom('n9', 4, 9, 9), 3],
    ['an earlier term', preVoteFrom('n2', 2, 9, 9), 3],
    ['a nonvoter, in the term it proposes', preVoteFrom('n4', 9, 9, 9), 9],
    ['a log that ends in an earlier term', preVoteFrom('n2', 4, 9, 2), 4],
    ['a shorter log of the same term', preVoteFrom('n2', 4, 4, 3), 4],
  ])('refuses %s', (_, request, term) => {
    const n1 = follower();
    expect(n1.request(request)).toMatchObject({ granted: false, term });
    expect(n1.status.term).toBe(3);
  });

  it('refuses others for one heartbeat timeout after its leader was heard, by time and not by a flag', () => {
    const n1 = follower({}, { electionTimeoutMs: 5000 });
    n1.request(heartbeatFrom('n3', 3));
    n1.run(999);
    expect(n1.request(preVoteFrom('n2', 4, 5, 3))).toMatchObject({ granted: false });
    expect(n1.request(preVoteFrom('n3', 4, 5, 3))).toMatchObject({ granted: true });
    const others = [{ address: 'n3:1' }, { id: 'n3' }];
    for (const other of others) {
      expect(n1.request({ ...preVoteFrom('n2', 4, 5, 3), ...other })).toMatchObject({ granted: false });
      expect(n1.request({ ...voteFrom('n2', 4, 5, 3), ...other })).toMatchObject({ granted: false, term: 3 });
    }
    n1.run(1);
    expect(n1.request(preVoteFrom('n2', 4, 5, 3))).toMatchObject({ granted: true });
  });
});

describe('a nonvoter that was promoted by what is missing here (record 0144)', () => {
  const promoted = voters('n1', 'n2', 'n3', 'n4');
  /** Asked for a vote by n4, with a log that ends so, it asks the members; n2 tells of these. */
  function told(members: Configuration, lastLogIndex = 6): { readonly n1: LoneNode; readonly asked: number } {
    const n1 = follower();
    expect(n1.request(preVoteFrom('n4', 4, lastLogIndex, 3))).toMatchObject({ granted: false });
    const asked = n1.take('prevote');
    const answer = { ...ballot('n2', 'prevote', 3, false), configuration: encodeConfiguration(members) };
    if (asked[0] !== undefined) n1.answer(asked[0], answer);
    return { n1, asked: asked.length };
  }

  it('is voted for once a member says that it is a voter, if it has more of the log', () => {
    const { n1, asked } = told(promoted);
    expect(asked).toBe(3);
    expect(n1.request(preVoteFrom('n4', 4, 6, 3))).toMatchObject({ granted: true });
    expect(n1.request(preVoteFrom('n4', 4, 5, 3))).toMatchObject({ granted: false });
    expect(n1.request(voteFrom('n4', 4, 6, 3))).toMatchObject({ granted: true, term: 4 });
  });

  it('also where another member answers later that lacks the promotion, too', () => {
    const n1 = follower();
    n1.request(preVoteFrom('n4', 4, 6, 3));
    const asked = n1.take('prevote');
    for (const [id, members] of [['n2', promoted] as const, ['n3', MEMBERS] as const]) {
      const answer = { ...ballot(id, 'prevote', 3, false), configuration: encodeConfiguration(members) };
      n1.answer(
        asked.find(({ peerId }) => peerId === id)!,
        answer,
      );
    }
    expect(n1.request(preVoteFrom('n4', 4, 6, 3))).toMatchObject({ granted: true });
  });

  it('also where it is no member here at all, once a member says that it is a voter', () => {
    const n1 = follower();
    expect(n1.request(preVoteFrom('n5', 4, 5, 3))).toMatchObject({ granted: false });
    expect(n1.take('prevote')).toEqual([]);
    expect(n1.request(preVoteFrom('n5', 4, 6, 3))).toMatchObject({ granted: false });
    const members = encodeConfiguration(voters('n1', 'n2', 'n3', 'n5'));
    const answer = { ...ballot('n2', 'prevote', 3, false), configuration: members };
    for (const message of n1.take('prevote', 'n2')) n1.answer(message, answer);
    expect(n1.request(preVoteFrom('n5', 4, 6, 3))).toMatchObject({ granted: true });
    expect(n1.request(preVoteFrom('n6', 4, 6, 3))).toMatchObject({ granted: false });
    expect(n1.request(voteFrom('n5', 4, 6, 3))).toMatchObject({ granted: true, term: 4 });
  });

  it('but not where the member calls it a nonvoter, too', () => {
    const { n1 } = told(MEMBERS);
    expect(n1.request(preVoteFrom('n4', 4, 6, 3))).toMatchObject({ granted: false });
    expect(n1.request(voteFrom('n4', 4, 6, 3))).toMatchObject({ granted: false });
  });

  it('and nobody is asked for one that has no more of the log: it may have been demoted', () => {
    const { n1, asked } = told(promoted, 5);
    expect(asked).toBe(0);
    expect(n1.request(preVoteFrom('n4', 4, 6, 3))).toMatchObject({ granted: false });
  });
});

describe('a nonvoter whose own promotion is missing here (record 0144)', () => {
  /** n4, asked for its vote by n2 with such a log, while its own ends with 5/3; n2 tells of these members. */
  function asked(members: Configuration, lastLogTerm = 2, lastLogIndex = 9): LoneNode {
    const entries = [configurationEntry(1, 1, MEMBERS), ...[2, 3, 4].map((index) => commandEntry(index, 1))];
    const n4 = new LoneNode({ id: 'n4', store: storeWith([...entries, commandEntry(5, 3)], { votedTerm: 1 }) });
    n4.request(appendFrom('n2', { term: 3, prevLogIndex: 5, prevLogTerm: 3, entries: [], leaderCommit: 4 }));
    expect(n4.request(preVoteFrom('n2', 4, lastLogIndex, lastLogTerm))).toMatchObject({ granted: lastLogTerm > 3 });
    const answer = { ...ballot('n2', 'prevote', 3, false), configuration: encodeConfiguration(members) };
    for (const message of n4.take('prevote', 'n2')) n4.answer(message, answer);
    n4.sent = [];
    return n4;
  }
  const promoted = voters('n1', 'n2', 'n3', 'n4');

  it('campaigns once a member says that it is a voter, if its log is ahead: nobody else may be able to win', () => {
    const n4 = asked(promoted);
    n4.elect();
    expect(n4.status).toMatchObject({ role: 'leader', term: 4 });
  });

  it('leads until an entry of its term is committed, and then hands over', () => {
    const n4 = asked(promoted);
    n4.elect();
    expect(n4.take('timeoutNow')).toEqual([]);
    n4.acknowledgeAll();
    expect(n4.status.role).toBe('follower');
    expect(n4.take('timeoutNow')).toHaveLength(1);
  });

  it.each([
    ['where the member calls it a nonvoter, too', () => asked(MEMBERS)],
    ['where its log is behind', () => asked(promoted, 4)],
    ['for one that may not have heard of its demotion', () => asked(promoted, 2, 1)],
    [
      'and it waits for its promotion while somebody leads',
      () => {
        const n4 = asked(promoted);
        n4.request(heartbeatFrom('n2', 4));
        return n4;
      },
    ],
  ])('but not %s', (_, make) => {
    const n4 = make();
    n4.run(20_000);
    expect(n4.take('prevote')).toEqual([]);
  });
});

describe('what a voter answers to a request for its vote, in the order of its checks', () => {
  it('grants the first that asks with a log as far, durably before it answers', () => {
    const n1 = follower();
    expect(n1.request(voteFrom('n2', 4, 5, 3))).toMatchObject({ granted: true, term: 4 });
    expect(n1.store.load().hardState).toEqual({
      term: 4,
      votedTerm: 4,
      votedFor: { id: 'n2', address: 'n2:1' },
      recovering: false,
    });
  });

  it.each([
    ['a stranger, and stays in its term', voteFrom('n9', 50, 9, 9), 3],
    ['a stranger that claims a hand-over, and stays in its term', voteFrom('n9', 50, 9, 9, true), 3],
    ['an earlier term', voteFrom('n2', 2, 9, 9), 3],
    ['a nonvoter, and follows its term (as hashicorp does)', voteFrom('n4', 9, 9, 9), 9],
    ['a log that ends in an earlier term, and follows its term', voteFrom('n2', 4, 9, 2), 4],
    ['a shorter log of the same term', voteFrom('n2', 4, 4, 3), 4],
  ])('refuses %s', (_, request, term) => {
    const n1 = follower();
    expect(n1.request(request)).toMatchObject({ granted: false, term });
    expect(n1.store.load().hardState).toMatchObject({ term, votedTerm: 1 });
  });

  it('refuses others while it hears its leader, and stays in its term, unless leadership was handed over', () => {
    const n1 = follower();
    n1.request(heartbeatFrom('n3', 3));
    expect(n1.request(voteFrom('n2', 4, 5, 3))).toMatchObject({ granted: false, term: 3 });
    expect(n1.request(voteFrom('n2', 4, 5, 3, true))).toMatchObject({ granted: true, term: 4 });
  });

  it('honours a hand-over only from configured voters (rule 10)', () => {
    for (const candidate of [voteFrom('n4', 4, 5, 3, true), { ...voteFrom('n9', 4, 5, 3, true), id: null }]) {
      const n1 = follower();
      n1.request(heartbeatFrom('n3', 3));
      expect(n1.request(candidate)).toMatchObject({ granted: false, term: 3 });
    }
  });

  it.each([null, ''])('a candidate whose id is %j is no member, whatever its address', (id) => {
    const n1 = follower();
    for (const request of [voteFrom('n2', 4, 5, 3), voteFrom('n2', 4, 5, 3, true), preVoteFrom('n2', 4, 5, 3)])
      expect(n1.request({ ...request, id })).toMatchObject({ granted: false, term: 3 });
    expect(n1.status.term).toBe(3);
  });

  it('votes once per term: again for the same candidate even with a shorter log, never for another', () => {
    const n1 = follower();
    n1.request(voteFrom('n2', 4, 5, 3));
    expect(n1.request(voteFrom('n2', 4, 1, 1))).toMatchObject({ granted: true });
    expect(n1.request(voteFrom('n3', 4, 9, 3))).toMatchObject({ granted: false, term: 4 });
  });

  it('votes for the pair of id and address that asked, and not for another process with either of them', () => {
    const n1 = follower();
    const elsewhere = { address: 'n2:2', candidate: 'n2:2' };
    expect(n1.request({ ...voteFrom('n2', 4, 5, 3), ...elsewhere })).toMatchObject({ granted: true });
    const again = new LoneNode({ store: n1.store });
    for (const voter of [n1, again]) {
      expect(voter.request(voteFrom('n2', 4, 5, 3))).toMatchObject({ granted: false });
      expect(voter.request({ ...voteFrom('n3', 4, 5, 3), ...elsewhere })).toMatchObject({ granted: false });
      expect(voter.request({ ...voteFrom('n2', 4, 5, 3), ...elsewhere })).toMatchObject({ granted: true });
    }
    expect(n1.request(voteFrom('n2', 5, 5, 3))).toMatchObject({ granted: true });
  });

  it('keeps its vote across a crash', () => {
    const before = follower();
    before.request(voteFrom('n2', 4, 5, 3));
    const n1 = new LoneNode({ store: before.store });
    expect(n1.request(voteFrom('n3', 4, 9, 3))).toMatchObject({ granted: false });
    expect(n1.request(voteFrom('n2', 4, 5, 3))).toMatchObject({ granted: true });
  });

  it('a term voted in for nobody is a term it votes for nobody in (rules 8 and 9)', () => {
    const n1 = follower({ term: 4, votedTerm: 4, votedFor: null });
    expect(n1.request(voteFrom('n2', 4, 9, 4))).toMatchObject({ granted: false });
    expect(n1.request(voteFrom('n2', 5, 9, 4))).toMatchObject({ granted: true });
  });

  it('nothing granted leaves before it is durable', () => {
    const n1 = follower();
    n1.store.failure = 'disk full';
    expect(n1.request(voteFrom('n2', 4, 5, 3))).toBeUndefined();
  });

  it('a granted vote restarts the timer, a refused one does not', () => {
    const n1 = follower({}, { fastElections: false });
    n1.run(900);
    n1.request(voteFrom('n3', 4, 1, 1));
    n1.run(700, () => n1.take('prevote').length > 0);
    expect(n1.nowMs).toBe(1500);
    const other = follower();
    other.run(900);
    other.request(voteFrom('n3', 4, 5, 3));
    other.run(1499);
    expect(other.take('prevote')).toEqual([]);
  });

  it('a leader that fell silent is not named any more once a campaign has failed, until it is heard again', () => {
    const n1 = follower({}, { fastElections: false });
    n1.request(heartbeatFrom('n2', 3));
    n1.run(10_000, () => n1.sent.some(({ request }) => request.kind === 'prevote'));
    const asked = n1.take('prevote');
    expect(n1.status.leaderId).toBe('n2');
    for (const message of asked) n1.fail(message, 'refused');
    expect(n1.status).toMatchObject({ leaderId: null, term: 3, role: 'follower' });
    n1.request(heartbeatFrom('n2', 3));
    expect(n1.status.leaderId).toBe('n2');
  });

  it('leads and refuses: a leader that is in contact votes for nobody', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'));
    expect(n1.request(voteFrom('n2', 9, 9, 9))).toMatchObject({ granted: false, term: 2 });
    expect(n1.request(preVoteFrom('n2', 9, 9, 9))).toMatchObject({ granted: false, term: 2 });
  });
});

describe('a server that leads a cluster of its own refuses everybody (rule 9)', () => {
  it.each([
    ['a stranger', voteFrom('n2', 9, 9, 9, true)],
    ['somebody without an id', { ...voteFrom('n2', 9, 9, 9, true), id: null }],
    ['a stranger in a pre-vote', preVoteFrom('n2', 9, 9, 9)],
    ['nobody in a pre-vote', { ...preVoteFrom('n2', 9, 9, 9), id: null }],
  ])('%s', (_, request) => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, voters('n1'))]) });
    expect(n1.request(request)).toMatchObject({ granted: false, term: 1 });
    n1.run(2000);
    expect(n1.status.role).toBe('leader');
    const { term } = n1.status;
    expect(n1.request(request)).toMatchObject({ granted: false, term });
  });
});

describe('rounds', () => {
  function candidate(): LoneNode {
    const n1 = follower();
    n1.run(2000, () => n1.sent.length > 0);
    return n1;
  }

  it('asks voters only, first for pre-votes in the next term without entering it', () => {
    const n1 = candidate();
    expect(n1.nowMs).toBe(1500);
    expect(n1.sent.map(({ peerId, request }) => [peerId, request])).toMatchObject([
      ['n2', { kind: 'prevote', term: 4, lastLogIndex: 5, lastLogTerm: 3 }],
      ['n3', { kind: 'prevote', term: 4, lastLogIndex: 5, lastLogTerm: 3 }],
    ]);
    expect(n1.status).toMatchObject({ term: 3, role: 'follower' });
  });

  it('with a majority of pre-votes it votes for itself durably, then asks for votes', () => {
    const n1 = candidate();
    n1.trace.length = 0;
    n1.answer(n1.take('prevote')[0]!, ballot('n2', 'prevote', 4, true));
    expect(n1.trace).toEqual(['write', 'send vote', 'send vote']);
    expect(n1.store.load().hardState).toMatchObject({ term: 4, votedTerm: 4, votedFor: { id: 'n1' } });
    expect(n1.take('vote')[0]!.request).toMatchObject({ term: 4, leadershipTransfer: false, candidate: 'n1:1' });
    expect(n1.status.role).toBe('candidate');
  });

  it('counts each voter once and nonvoters never', () => {
    const servers = [...voters('n1', 'n2', 'n3', 'n4', 'n5').servers, { ...voter('n6'), suffrage: 1 as const }];
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, { servers })]) });
    n1.run(2000, () => n1.sent.length > 0);
    const asked = n1.take('prevote');
    expect(asked.map(({ peerId }) => peerId)).toEqual(['n2', 'n3', 'n4', 'n5']);
    n1.answer(asked[0]!, ballot('n2', 'prevote', 2, true));
    n1.answer(asked[0]!, ballot('n2', 'prevote', 2, true));
    expect(n1.status.term).toBe(1);
    n1.answer(asked[1]!, ballot('n3', 'prevote', 2, true));
    expect(n1.status.term).toBe(2);
  });

  it('follows a later term from a refusal, and forgets the round', () => {
    const n1 = candidate();
    const [first, second] = n1.take('prevote');
    n1.answer(first!, ballot('n2', 'prevote', 7, false));
    expect(n1.status).toMatchObject({ term: 7, role: 'follower' });
    n1.answer(second!, ballot('n3', 'prevote', 4, true));
    expect(n1.status).toMatchObject({ term: 7, role: 'follower' });
  });

  it('pre-votes of an earlier round do not count in a later one', () => {
    const n1 = candidate();
    const [late] = n1.take('prevote');
    n1.run(4000, () => n1.sent.length > 0);
    n1.answer(late!, ballot('n2', 'prevote', 4, true));
    expect(n1.status.term).toBe(3);
  });

  it('a round that cannot be won any more is over; the next one follows', () => {
    const n1 = candidate();
    const asked = n1.take('prevote');
    n1.answer(asked[0]!, ballot('n2', 'prevote', 4, false));
    n1.fail(asked[1]!, 'refused');
    n1.run(5000, () => n1.sent.length > 0);
    expect(n1.take('prevote')).toHaveLength(2);
    expect(n1.status.term).toBe(3);
  });

  it('a candidate follows whoever leads its term', () => {
    const n1 = candidate();
    n1.answer(n1.take('prevote')[0]!, ballot('n2', 'prevote', 4, true));
    n1.request(heartbeatFrom('n3', 4));
    expect(n1.status).toMatchObject({ role: 'follower', leaderId: 'n3', term: 4 });
    for (const message of n1.take('vote')) n1.answer(message, ballot(message.peerId, 'vote', 4, true));
    expect(n1.status.role).toBe('follower');
  });
});
