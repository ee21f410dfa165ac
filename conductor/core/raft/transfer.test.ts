import { describe, expect, it } from 'vitest';
import { blankPeerStatus, encodePeerStatus, type PeerStatus } from '../wire/peer-status.ts';
import { TestCluster } from './testing/cluster.ts';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  ballot,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  nonvoter,
  storeWith,
  timeoutNowFrom,
  voters,
} from './testing/messages.ts';

const THREE = voters('n1', 'n2', 'n3');
const TIMEOUT_NOW_ANSWER = { kind: 'timeoutNow', protocolVersion: 0, id: null, address: null } as const;

function transfer(n1: LoneNode, target: string | null, exclude: string[] = []): number {
  return n1.command({ kind: 'transfer', target, exclude });
}

/** Keeps the lease alive without moving the target's log on. */
function passTime(n1: LoneNode, ms: number): void {
  n1.run(ms, () => {
    for (const message of n1.take('heartbeat')) n1.acknowledge(message);
    return false;
  });
}

describe('a hand-over', () => {
  it('to a voter that holds the whole log: told at once, done when leadership is lost', () => {
    const n1 = LoneNode.leader(THREE);
    const id = transfer(n1, 'n3');
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n3']);
    expect(n1.results.has(id)).toBe(false);
    n1.request(heartbeatFrom('n3', 3));
    expect(n1.results.get(id)).toMatchObject({ kind: 'done', value: 'n3' });
  });

  it('a transfer to a member without a vote is refused at once, in words that say why', () => {
    const n1 = LoneNode.leader({ servers: [...THREE.servers, nonvoter('n5')] });
    const id = transfer(n1, 'n5');
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', message: 'server n5 is not a voter of the cluster' });
    expect(n1.take('timeoutNow')).toEqual([]);
  });

  it('waits until the target holds the last entry, and until it is durable here', () => {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    transfer(n1, 'n3');
    expect(n1.take('timeoutNow')).toEqual([]);
    n1.acknowledge(n1.take('append', 'n2')[0]!);
    expect(n1.take('timeoutNow')).toEqual([]);
    n1.acknowledge(n1.take('append', 'n3')[0]!);
    expect(n1.take('timeoutNow')).toHaveLength(1);
  });

  it('to nobody in particular: the voter furthest along, never a nonvoter nor one of the excluded', () => {
    const servers = [...voters('n1', 'n2', 'n3', 'n4').servers, nonvoter('n5')];
    const n1 = LoneNode.leader({ servers });
    n1.propose('x');
    for (const id of ['n3', 'n4', 'n5']) n1.acknowledge(n1.take('append', id)[0]!);
    transfer(n1, null, ['n3']);
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n4']);
  });

  it('to nobody in particular: one that answers before one that is further but silent', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3', 'n4', 'n5'));
    n1.propose('x');
    n1.acknowledge(n1.take('append', 'n2')[0]!);
    n1.run(600, () => {
      for (const message of n1.take('heartbeat')) if (message.peerId !== 'n2') n1.acknowledge(message);
      return false;
    });
    transfer(n1, null);
    n1.acknowledgeAll(['n2']);
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n3']);
  });

  it.each([
    ['itself', 'n1', 'no-peer'],
    ['a nonvoter', 'n4', 'unknown-server'],
    ['a stranger', 'n9', 'unknown-server'],
  ])('to %s is refused', (_, target, reason) => {
    const n1 = LoneNode.leader({ servers: [...THREE.servers, nonvoter('n4')] });
    expect(n1.results.get(transfer(n1, target))).toMatchObject({ kind: 'refused', reason });
    expect(n1.status.isTransferring).toBe(false);
  });

  it('with nobody to hand over to is refused; so is one by a follower', () => {
    const n1 = LoneNode.leader(voters('n1'));
    expect(n1.results.get(transfer(n1, null))).toMatchObject({ kind: 'refused', reason: 'no-peer' });
    const n2 = new LoneNode({ id: 'n2', store: storeWith([configurationEntry(1, 1, THREE)]) });
    expect(n2.results.get(transfer(n2, 'n1'))).toMatchObject({ kind: 'refused', reason: 'not-leader' });
  });

  it('refuses proposals, changes and other hand-overs meanwhile; reads go on', () => {
    const n1 = LoneNode.leader(THREE);
    transfer(n1, 'n3');
    const read = n1.command({ kind: 'read' });
    for (const id of [
      n1.propose('x'),
      n1.command({ kind: 'barrier' }),
      n1.command({ kind: 'removeServer', id: 'n2', previousIndex: 0 }),
      transfer(n1, 'n2'),
    ]) {
      expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'transferring' });
    }
    n1.acknowledgeAll();
    expect(n1.results.get(read)).toMatchObject({ kind: 'done' });
    expect(n1.status).toMatchObject({ isTransferring: true, isReady: false });
  });

  /** n3 lacks an entry that n2 has; that one is committed. */
  function ahead(): LoneNode {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    n1.acknowledge(n1.take('append', 'n2')[0]!);
    return n1;
  }

  it.each([
    ['the target never catches up', false],
    ['TimeoutNow has no effect', true],
  ])('is bounded by one election timeout and cleared: %s', (_, caughtUp) => {
    const n1 = caughtUp ? LoneNode.leader(THREE) : ahead();
    n1.take('append', 'n3');
    const id = transfer(n1, 'n3');
    for (const message of n1.take('timeoutNow')) n1.answer(message, TIMEOUT_NOW_ANSWER);
    passTime(n1, 999);
    expect(n1.results.has(id)).toBe(false);
    passTime(n1, 1);
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'timeout', offeredTo: 'n3' });
    expect(n1.status).toMatchObject({ role: 'leader', isTransferring: false });
    n1.propose('after');
    expect(n1.status.lastIndex).toBe(caughtUp ? 3 : 4);
  });

  it('where appends are lost and heartbeats pass, the target takes over without what is not committed, within one more', () => {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    n1.take('append');
    const id = transfer(n1, 'n3');
    passTime(n1, 999);
    expect(n1.take('timeoutNow')).toEqual([]);
    passTime(n1, 1);
    expect(n1.take('timeoutNow')).toMatchObject([{ peerId: 'n3', channel: 'heartbeat' }]);
    passTime(n1, 999);
    expect(n1.results.has(id)).toBe(false);
    passTime(n1, 1);
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'timeout' });
  });

  it('but not a target that answers nothing at all', () => {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    n1.take('append');
    const id = transfer(n1, 'n3');
    n1.run(1000, () => {
      for (const message of n1.take('heartbeat', 'n2')) n1.acknowledge(message);
      return false;
    });
    expect([n1.take('timeoutNow'), n1.results.get(id)]).toMatchObject([[], { kind: 'refused', reason: 'timeout' }]);
  });

  describe('where nothing is committed meanwhile, and the target lacks what is', () => {
    /** For `ms`, nobody but `heard` answers, and only heartbeats. */
    function onlyHear(n1: LoneNode, heard: string[], ms: number): void {
      n1.run(ms, () => {
        for (const message of n1.take('heartbeat')) if (heard.includes(message.peerId)) n1.acknowledge(message);
        return false;
      });
    }

    it('and nobody else is heard, leadership is given up: those that are not heard may hear each other', () => {
      const n1 = ahead();
      n1.propose('y');
      const id = transfer(n1, 'n3');
      onlyHear(n1, ['n3'], 999);
      expect([n1.status.role, n1.results.has(id)]).toEqual(['leader', false]);
      onlyHear(n1, ['n3'], 1);
      expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'timeout', offeredTo: 'n3' });
      expect(n1.status).toMatchObject({ role: 'follower' });
      n1.take('prevote');
      n1.run(3999, () => false);
      expect(n1.take('prevote')).toEqual([]);
      n1.run(1, () => false);
      expect(n1.take('prevote').map(({ peerId }) => peerId)).toEqual(['n2', 'n3']);
    });

    it.each([
      ['another voter is heard that has what is committed', ['n2', 'n3'], () => undefined],
      ['something was committed', ['n3'], (n1: LoneNode) => n1.acknowledge(n1.take('append', 'n2').at(-1)!)],
    ])('leadership is kept: %s', (_, heard, meanwhile) => {
      const n1 = ahead();
      n1.propose('y');
      const id = transfer(n1, 'n3');
      meanwhile(n1);
      onlyHear(n1, heard, 1000);
      expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'timeout' });
      expect(n1.status.role).toBe('leader');
    });
  });

  it('a connection that was reset is no answer: TimeoutNow goes out once more, then the hand-over is cleared', () => {
    const n1 = LoneNode.leader(THREE);
    const id = transfer(n1, 'n3');
    n1.fail(n1.take('timeoutNow')[0]!, 'reset');
    expect(n1.results.has(id)).toBe(false);
    expect(n1.take('timeoutNow'), 'who answers on a new connection is asked first').toEqual([]);
    n1.acknowledge(n1.take('append', 'n3')[0]!);
    const again = n1.take('timeoutNow');
    expect(again.map(({ peerId }) => peerId)).toEqual(['n3']);
    n1.fail(again[0]!, 'reset');
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'timeout' });
    expect(n1.take('timeoutNow')).toEqual([]);
  });

  it('told over a connection that was reset then: done when leadership is lost, and not sure of it before', () => {
    const n1 = LoneNode.leader(THREE);
    const id = transfer(n1, 'n3');
    n1.fail(n1.take('timeoutNow')[0]!, 'reset');
    expect(n1.status).toMatchObject({ role: 'leader', isSure: false });
    n1.request(heartbeatFrom('n3', 3));
    expect(n1.results.get(id)).toMatchObject({ kind: 'done', value: 'n3' });
  });

  it('waits for what is on its way to the target, which says who answers there', () => {
    const n1 = LoneNode.leader(THREE);
    n1.run(400, () => n1.sent.some(({ channel, peerId }) => channel === 'replicate' && peerId === 'n3'));
    transfer(n1, 'n3');
    expect(n1.take('timeoutNow')).toEqual([]);
    n1.acknowledge(n1.take('append', 'n3')[0]!);
    expect(n1.take('timeoutNow')).toMatchObject([{ channel: 'replicate', needsOpen: true }]);
  });

  it.each([
    ['of this software', []],
    ['of Go', ['n2', 'n3']],
  ])('to a server %s whose address leads to another one: refused, and nothing moves (rule 32)', async (_, goLike) => {
    const cluster = await TestCluster.form({ goLike });
    cluster.run(2000);
    cluster.mislead('n1', 'n2', 'n3');
    const id = cluster.command('n1', { kind: 'transfer', target: 'n2' });
    cluster.runUntil(() => cluster.results.has(id), 50);
    const message = 'another server answers at the address of n2';
    expect(cluster.results.get(id)).toEqual({
      ...{ kind: 'refused', requestId: id, reason: 'timeout', message },
      offeredTo: 'n2',
    });
    cluster.run(1000);
    expect(cluster.leader()).toBe('n1');
    cluster.heal();
    cluster.run(1000);
    cluster.command('n1', { kind: 'transfer', target: 'n2' });
    cluster.runUntil(() => cluster.leader() === 'n2', 200);
  });

  it.each(['refused', 'timeout'] as const)('TimeoutNow cannot be told (%s): cleared at once', (reason) => {
    const n1 = LoneNode.leader(THREE);
    const id = transfer(n1, 'n3');
    n1.fail(n1.take('timeoutNow')[0]!, reason);
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'timeout' });
    expect(n1.status.isTransferring).toBe(false);
  });

  it('a late failure of an earlier hand-over does not end the next one to the same server', () => {
    const n1 = LoneNode.leader(THREE);
    transfer(n1, 'n3');
    const [late] = n1.take('timeoutNow');
    passTime(n1, 1000);
    const id = transfer(n1, 'n3');
    n1.fail(late!, 'timeout');
    expect(n1.results.has(id)).toBe(false);
    expect(n1.status.isTransferring).toBe(true);
  });

  it('given up after its target was told: no lease for as long as that word may be on its way', () => {
    const n1 = LoneNode.leader(THREE);
    const lead = (ms: number): void => {
      for (let at = 0; at < ms; at += 50) {
        n1.run(50);
        n1.acknowledgeAll();
      }
    };
    lead(500);
    expect(n1.status.leaseEndsAtMs).toBeGreaterThan(n1.nowMs);
    const id = transfer(n1, 'n3');
    n1.take('timeoutNow');
    lead(1100);
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'timeout' });
    expect(n1.status).toMatchObject({ role: 'leader', leaseEndsAtMs: -Infinity });
    lead(4800);
    expect(n1.status.leaseEndsAtMs).toBe(-Infinity);
    lead(200);
    expect(n1.status.leaseEndsAtMs).toBeGreaterThan(n1.nowMs);
  });

  it('of a leader that is removed meanwhile: nobody but its target is told, once, and it is done', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3', 'n4'));
    n1.command({ kind: 'removeServer', id: 'n1', previousIndex: 0 });
    for (const message of n1.take('append', 'n4')) n1.acknowledge(message);
    const id = transfer(n1, 'n4');
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n4']);
    n1.acknowledgeAll();
    expect(n1.status.role).toBe('follower');
    expect(n1.take('timeoutNow')).toEqual([]);
    expect(n1.results.get(id)).toMatchObject({ kind: 'done', value: 'n4' });
  });

  it.each<[string, string | null, object]>([
    ['to that one', 'n2', { kind: 'done', value: 'n2' }],
    ['to nobody in particular', null, { kind: 'done', value: 'n2' }],
    [
      'to another one',
      'n4',
      {
        kind: 'refused',
        reason: 'not-leader',
        message: 'n2 was told to take over in place of n4: no longer a voter of the cluster',
      },
    ],
  ])(
    'that had told nobody yet when its leader was removed, %s: done if the last word is to that one',
    (_, target, result) => {
      const n1 = LoneNode.leader(voters('n1', 'n2', 'n3', 'n4'));
      n1.command({ kind: 'removeServer', id: 'n1', previousIndex: 0 });
      const id = transfer(n1, target);
      for (const message of n1.take('append')) if (message.peerId !== 'n4') n1.acknowledge(message);
      expect(n1.status.role).toBe('follower');
      expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n2']);
      expect(n1.results.get(id)).toMatchObject(result);
    },
  );

  it('whose leader’s disk fails: one of our own that was told is told again, an op-conductor is not; one that lags is not said to lead', () => {
    const fails = (n1: LoneNode): string[] => {
      n1.node.writeFailed('disk full');
      return (n1.node.ready()?.send ?? []).map(({ peerId, request }) => `${request.kind} ${peerId}`);
    };
    const ours = LoneNode.nativeLeader(THREE, encodePeerStatus(blankPeerStatus('test')));
    transfer(ours, 'n3');
    expect(fails(ours)).toEqual(['timeoutNow n3']);
    const foreign = LoneNode.leader(THREE);
    transfer(foreign, 'n3');
    expect(fails(foreign)).toEqual([]);
    const lagging = ahead();
    const id = transfer(lagging, 'n3');
    lagging.node.writeFailed('disk full');
    const results = lagging.node.ready()?.results ?? [];
    expect(results.find(({ requestId }) => requestId === id)).toMatchObject({ kind: 'refused', reason: 'not-leader' });
  });

  it('is over with the leadership, however that is lost; not done when the target was never told', () => {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    const id = transfer(n1, 'n3');
    n1.request(heartbeatFrom('n2', 3));
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-leader' });
  });
});

type Eligibility = Partial<Pick<PeerStatus, 'healthy' | 'paused'>> | null;

/** n1 leads; each peer told this of itself, nothing if null (op-conductor). */
function leader(n2: Eligibility, n3: Eligibility): LoneNode {
  const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
  n1.elect();
  for (const message of n1.take('append')) {
    const told = message.peerId === 'n2' ? n2 : n3;
    n1.acknowledge(message, told === null ? undefined : encodePeerStatus({ ...blankPeerStatus('test'), ...told }));
    n1.acknowledgeAll();
  }
  return n1;
}

describe('a leader that cannot lead on', () => {
  const cases: readonly (readonly [string, Eligibility, Eligibility, string])[] = [
    ['passes over one that is paused', { paused: true }, {}, 'n3'],
    ['passes over one that is unhealthy', { healthy: false }, { healthy: true }, 'n3'],
    ['tells one that is not fit where nobody is', { paused: true }, { healthy: false }, 'n2'],
  ];

  it.each(cases)('as it is no voter any more: it %s', (_, n2, n3, told) => {
    const n1 = leader(n2, n3);
    n1.command({ kind: 'demoteVoter', id: 'n1', previousIndex: 0 });
    for (const message of n1.take('append')) n1.acknowledge(message);
    expect(n1.status.role).toBe('follower');
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual([told]);
  });

  it.each(cases)('as its disk has failed: it %s', (_, n2, n3, told) => {
    const n1 = leader(n2, n3);
    n1.node.writeFailed('disk full');
    const sent = n1.node.ready()?.send ?? [];
    expect(sent.map(({ peerId, request: { kind } }) => `${kind} ${peerId}`)).toEqual([`timeoutNow ${told}`]);
  });
});

describe('a leader that no quorum answers within the lease', () => {
  it.each<readonly [string, Eligibility, Eligibility, readonly string[]]>([
    ['tells one of the last heard', {}, {}, ['n2']],
    ['passes over one that is unhealthy', { healthy: false }, {}, ['n3']],
    ['passes over one that is paused', { paused: true }, { healthy: true }, ['n3']],
    ['passes over an op-conductor, which would obey too late a word', null, {}, ['n3']],
    ['tells nobody where nobody is eligible', { healthy: false }, null, []],
  ])('hands over: it %s', (_, n2, n3, told) => {
    const n1 = leader(n2, n3);
    n1.run(2000, () => n1.status.role === 'follower');
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(told);
  });

  it('tells no server without a vote, though it was heard last', () => {
    const told = encodePeerStatus(blankPeerStatus('test'));
    const n1 = LoneNode.nativeLeader({ servers: [...THREE.servers, nonvoter('n4')] }, told);
    n1.run(2000, () => {
      for (const message of n1.take('heartbeat', 'n4')) n1.acknowledge(message, told);
      return n1.status.role === 'follower';
    });
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n2']);
  });

  it('its word carries peer status: who was paused since it was last heard lets it be, another obeys', () => {
    const n1 = leader({}, {});
    n1.run(2000, () => n1.status.role === 'follower');
    const [word] = n1.take('timeoutNow');
    expect(word!.request).toHaveProperty('peerStatus');
    for (const paused of [true, false]) {
      const n2 = new LoneNode({ id: 'n2', store: storeWith([configurationEntry(1, 1, THREE)]) });
      n2.node.setLocalStatus({ healthy: true, paused, unsafeNumber: null, unsafeHash: null });
      n2.request(word!.request);
      expect(n2.take('vote')).toHaveLength(paused ? 0 : 2);
    }
  });

  it.each(['n2', 'n3'])('tells the one that it has heard last, which it most likely still reaches: %s', (last) => {
    const n1 = leader({}, {});
    n1.take('heartbeat');
    n1.run(200, () => n1.take('heartbeat', last).some((message) => (n1.acknowledge(message), true)));
    n1.run(2000, () => n1.status.role === 'follower');
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual([last]);
  });

  it('passes over one that lacks what is committed, though it was heard last', () => {
    const n1 = leader({}, {});
    n1.propose('x');
    for (const message of n1.take('append', 'n3')) n1.acknowledge(message);
    n1.run(200, () => n1.take('heartbeat', 'n2').some((message) => (n1.acknowledge(message), true)));
    n1.run(2000, () => n1.status.role === 'follower');
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n3']);
  });

  it('has been stalled: tells nobody, somebody may lead by now', () => {
    const n1 = leader({}, {});
    n1.nowMs += 3000;
    n1.handle({ kind: 'tick' });
    expect(n1.status.role).toBe('follower');
    expect(n1.take('timeoutNow')).toEqual([]);
  });
});

describe('TimeoutNow', () => {
  function server(): LoneNode {
    const servers = [...THREE.servers, nonvoter('n4')];
    return new LoneNode({ store: storeWith([configurationEntry(1, 1, { servers }), commandEntry(2, 1)]) });
  }

  function follower(): LoneNode {
    const n1 = server();
    n1.request(heartbeatFrom('n2', 1));
    return n1;
  }

  const handedOver = [
    { term: 2, leadershipTransfer: true, lastLogIndex: 2 },
    { term: 2, leadershipTransfer: true },
  ];

  it('from the leader: votes are asked for at once, as handed over', () => {
    const n1 = follower();
    expect(n1.request(timeoutNowFrom('n2'))).toEqual(TIMEOUT_NOW_ANSWER);
    expect(n1.take('vote').map(({ request }) => request)).toMatchObject(handedOver);
  });

  it('told twice: the campaign that is under way goes on, in its term and with the votes it has', () => {
    const n1 = follower();
    n1.request(timeoutNowFrom('n2'));
    const asked = n1.take('vote');
    n1.request(timeoutNowFrom('n2'));
    expect(n1.take('vote')).toEqual([]);
    n1.answer(asked[0]!, ballot(asked[0]!.peerId, 'vote', 2, true));
    expect(n1.status).toMatchObject({ role: 'leader', term: 2 });
  });

  it('from another voter: the late word of a deposed leader while the new one is heard, obeyed when it is not', () => {
    const n1 = follower();
    expect(n1.request(timeoutNowFrom('n3'))).toEqual(TIMEOUT_NOW_ANSWER);
    expect(n1.sent).toEqual([]);
    n1.run(1001);
    n1.take('prevote');
    n1.request(timeoutNowFrom('n3'));
    expect(n1.take('vote').map(({ request }) => request)).toMatchObject(handedOver);
  });

  it('as the advice of a deposed leader: not where another one is followed, though that was not heard for long', () => {
    const peerStatus = encodePeerStatus(blankPeerStatus('test'));
    const n1 = follower();
    n1.run(1050);
    n1.request({ ...timeoutNowFrom('n3'), peerStatus });
    expect(n1.take('vote')).toEqual([]);
    n1.request(timeoutNowFrom('n3'));
    expect(n1.take('vote')).toHaveLength(2);
  });

  it('of an earlier term: the word was long on its way, and who sent it may lead again', () => {
    const n1 = follower();
    n1.request(heartbeatFrom('n2', 3));
    n1.request({ ...timeoutNowFrom('n2'), term: 2 });
    expect(n1.take('vote')).toEqual([]);
    n1.request({ ...timeoutNowFrom('n2'), term: 3 });
    expect(n1.take('vote')).toHaveLength(2);
  });

  it('tells the term to our own, and not to an op-conductor', () => {
    const ours = LoneNode.nativeLeader(THREE, encodePeerStatus(blankPeerStatus('test')));
    for (const [n1, term] of [
      [ours, ours.status.term],
      [LoneNode.leader(THREE), undefined],
    ] as const) {
      transfer(n1, 'n3');
      expect(n1.take('timeoutNow').map(({ request }) => (request as { term?: number }).term)).toEqual([term]);
    }
  });

  it.each([
    ['a nonvoter', 'n4'],
    ['a stranger', 'n9'],
    ['nobody', null],
  ])('from %s: answered and ignored (rule 10)', (_, from) => {
    const n1 = server();
    expect(n1.request({ ...timeoutNowFrom('n2'), id: from })).toEqual(TIMEOUT_NOW_ANSWER);
    expect(n1.sent).toEqual([]);
    expect(n1.status.term).toBe(1);
  });

  it('from the leader of this term, though it is no voter any more', () => {
    const n1 = follower();
    const without = [configurationEntry(3, 2, voters('n1', 'n3'))];
    n1.request(appendFrom('n2', { term: 2, prevLogIndex: 2, prevLogTerm: 1, entries: without, leaderCommit: 3 }));
    n1.request(timeoutNowFrom('n2'));
    expect(n1.take('vote').map(({ peerId }) => peerId)).toEqual(['n3']);
  });

  it('to a leader, a nonvoter or a recovering server has no effect', () => {
    const leader = LoneNode.leader(THREE);
    leader.request(timeoutNowFrom('n2'));
    expect(leader.status).toMatchObject({ role: 'leader', term: 2 });
    const n4 = new LoneNode({
      id: 'n4',
      store: storeWith([configurationEntry(1, 1, { servers: [...THREE.servers, nonvoter('n4')] })]),
    });
    n4.request(timeoutNowFrom('n2'));
    expect(n4.sent).toEqual([]);
    const entries = [configurationEntry(1, 1, THREE)];
    const recovering = new LoneNode({ store: storeWith(entries, { recovering: true }) });
    recovering.request(timeoutNowFrom('n2'));
    expect(recovering.sent).toEqual([]);
  });

  it('a lost one leaves the target’s normal rounds without the flag', () => {
    const n1 = follower();
    n1.request(timeoutNowFrom('n2'));
    for (const message of n1.take('vote')) n1.answer(message, ballot(message.peerId, 'vote', 2, false));
    n1.run(5000, () => n1.sent.length > 0);
    expect(n1.take('prevote')).toHaveLength(2);
  });
});
