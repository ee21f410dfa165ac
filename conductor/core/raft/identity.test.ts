import { describe, expect, it } from 'vitest';
import { TestCluster } from './testing/cluster.ts';
import { alarmsOf, LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  appendReply,
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
import type { RpcRequest } from './types.ts';

const THREE = voters('n1', 'n2', 'n3');
const LOG = [configurationEntry(1, 1, THREE), commandEntry(2, 1)];

describe('in one term one server leads, under one id and one address (rule 32)', () => {
  const add = (text: string) => ({ prevLogIndex: 2, prevLogTerm: 1, entries: [commandEntry(3, 4, text)] });

  it.each([
    ['the same id at another address', { address: 'copy:1' }],
    ['another id', { id: 'n3', address: 'n3:1' }],
    ['another id at the same address', { id: 'n3' }],
  ])('a second leader, %s, is not followed: nothing is acknowledged to it', (_, other) => {
    const n1 = new LoneNode({ store: storeWith(LOG, { term: 3 }) });
    n1.request(heartbeatFrom('n2', 4));
    const second = [
      heartbeatFrom('n2', 4),
      appendFrom('n2', { term: 4, ...add('a') }),
      snapshotFrom('n2', { term: 4, index: 9, lastTerm: 4, configuration: THREE }),
    ];
    for (const request of second) expect(n1.request({ ...request, ...other }, 2)).not.toMatchObject({ success: true });
    expect(n1.status).toMatchObject({ leaderAddress: 'n2:1', lastIndex: 2, snapshotIndex: 0 });
    expect(alarmsOf(n1.notices)).toEqual(['second-leader']);
    expect(n1.request(appendFrom('n2', { term: 4, ...add('a') }))).toMatchObject({ success: true });
  });

  it('one that names its address alone, as servers of long ago did, is the same with its id', () => {
    const n1 = new LoneNode({ store: storeWith(LOG, { term: 3 }) });
    n1.request({ ...heartbeatFrom('n2', 4), id: null });
    expect(n1.request(heartbeatFrom('n2', 4))).toMatchObject({ success: true });
  });

  it.each([
    ['of the same size', commandEntry(3, 4, 'b')],
    ['of another size', commandEntry(3, 4, 'bb')],
    ['of another type', { ...commandEntry(3, 4, 'a'), type: 4 }],
  ])('an entry that is held with other content, %s, is not acknowledged', (_, entry) => {
    const n1 = new LoneNode({ store: storeWith(LOG, { term: 3 }) });
    n1.request(appendFrom('n2', { term: 4, ...add('a') }));
    const answer = n1.request(appendFrom('n2', { term: 4, ...add('a'), entries: [entry], leaderCommit: 3 }));
    expect(answer).toMatchObject({ kind: 'error' });
    expect(n1.status.commitIndex).toBe(0);
    expect(alarmsOf(n1.notices)).toEqual(['second-leader']);
    expect(n1.request(appendFrom('n2', { term: 4, ...add('a'), leaderCommit: 3 }))).toMatchObject({ success: true });
  });
});

describe('an address that leads elsewhere (rule 32)', () => {
  it('to the candidate itself: it gives itself no second vote, and leads nobody', async () => {
    const cluster = await TestCluster.form();
    cluster.mislead('n3', 'n2', 'n3');
    cluster.isolate('n3');
    cluster.run(200);
    cluster.command('n1', { kind: 'transfer', target: 'n2' });
    cluster.run(20_000);
    expect(cluster.status('n3')?.role).not.toBe('leader');
    expect(alarmsOf(cluster.notices.filter(({ id }) => id === 'n3').map(({ notice }) => notice))).toContain('own-name');
    expect(cluster.leader()).toBe('n2');
  });

  it('to another follower: its acknowledgements do not count twice, and nothing acknowledged is lost', async () => {
    const cluster = await TestCluster.form({ size: 5 });
    cluster.mislead('n1', 'n2', 'n3');
    for (const id of ['n4', 'n5']) cluster.isolate(id);
    cluster.run(50);
    const proposal = cluster.propose('n1', 'acknowledged by two');
    cluster.run(5000);
    expect(cluster.results.get(proposal)?.kind).not.toBe('done');
    expect(alarmsOf(cluster.notices.map(({ notice }) => notice))).toContain('wrong-server');
    for (const id of ['n1', 'n3']) cluster.crash(id);
    cluster.heal();
    cluster.runUntil(() => cluster.leader() !== null);
    const { machine } = cluster.servers.get(cluster.leader()!)!;
    cluster.run(1000);
    cluster.laws.assertKept(machine);
  });

  it('is dialled again once it leads home, and all goes on', async () => {
    const cluster = await TestCluster.form();
    cluster.mislead('n1', 'n2', 'n3');
    cluster.run(3000);
    cluster.heal();
    cluster.crash('n3');
    const proposal = cluster.propose('n1', 'after');
    cluster.runUntil(() => cluster.results.get(proposal)?.kind === 'done', 2000);
  });
});

describe('a request that names this server as its sender (rule 32)', () => {
  const requests: [string, RpcRequest][] = [
    ['a heartbeat', heartbeatFrom('n1', 9)],
    ['an append', appendFrom('n1', { term: 9, prevLogIndex: 2, prevLogTerm: 1 })],
    ['a snapshot', snapshotFrom('n1', { term: 9, index: 9, lastTerm: 9, configuration: THREE })],
    ['a vote request', voteFrom('n1', 9, 9, 9)],
    ['a vote request by hand-over', voteFrom('n1', 9, 9, 9, true)],
    ['a pre-vote request', preVoteFrom('n1', 9, 9, 9)],
    ['TimeoutNow', timeoutNowFrom('n1')],
    ['a vote request with this address and no id', { ...voteFrom('n1', 9, 9, 9), id: null }],
  ];

  it.each(requests)('%s: is refused, changes nothing, and is an alarm', (_name, request) => {
    const n1 = new LoneNode({ store: storeWith(LOG) });
    const before = n1.status;
    expect(n1.request(request)).toMatchObject({ kind: 'error', message: expect.stringContaining('n1') as string });
    expect(n1.status).toEqual(before);
    expect(n1.store.writes).toBe(1);
    expect(n1.sent).toEqual([]);
    expect(alarmsOf(n1.notices)).toEqual(['own-name']);
  });

  it('is told as an alarm again only after a while', () => {
    const n1 = new LoneNode({ store: storeWith(LOG), raft: { fastElections: false } });
    for (let each = 0; each < 50; each++) {
      n1.request(heartbeatFrom('n1', 9));
      n1.nowMs += 500;
    }
    expect(alarmsOf(n1.notices)).toHaveLength(3);
  });
});

describe('an answer under another id than the peer’s that was asked (rule 32)', () => {
  it('counts as no vote and no pre-vote, and its term is nobody’s', () => {
    for (const kind of ['prevote', 'vote'] as const) {
      const n1 = new LoneNode({ store: storeWith(LOG) });
      n1.run(2000, () => n1.sent.some(({ request }) => request.kind === 'prevote'));
      if (kind === 'vote')
        for (const asked of n1.take('prevote')) n1.answer(asked, ballot(asked.peerId, 'prevote', 2, true));
      const asked = n1.take(kind).find(({ peerId }) => peerId === 'n2')!;
      const { role, term } = n1.status;
      n1.answer(asked, ballot('n3', kind, 2, true));
      expect(n1.status).toMatchObject({ role, term });
      const again = new LoneNode({ store: storeWith(LOG) });
      again.run(2000, () => again.sent.some(({ request }) => request.kind === 'prevote'));
      again.answer(again.take('prevote')[0]!, ballot('n3', 'prevote', 77, false));
      expect(again.status.term).toBe(1);
      expect(alarmsOf(n1.notices)).toEqual(['wrong-server']);
    }
  });

  it('moves no match, is no contact, confirms no read, and closes the connections to that peer', () => {
    const n1 = LoneNode.leader(THREE);
    const proposal = n1.propose('x');
    const read = n1.command({ kind: 'read' });
    n1.take('append', 'n3');
    n1.take('heartbeat', 'n3');
    const term = n1.status.term;
    n1.run(100);
    for (const message of [...n1.take('append', 'n2'), ...n1.take('heartbeat', 'n2')])
      n1.answer(message, appendReply('n3', { term, success: true, lastLog: 3 }));
    expect(n1.results.get(proposal)).toBeUndefined();
    expect(n1.results.get(read)).toBeUndefined();
    expect(n1.status.peers.find(({ id }) => id === 'n2')).toMatchObject({ match: 2, contactAgeMs: 100 });
    expect(n1.forgotten).toContain('n2');
    n1.run(1000);
    for (const message of [...n1.take('append', 'n2'), ...n1.take('heartbeat', 'n2')])
      n1.answer(message, appendReply('n3', { term: term + 5, success: false }));
    expect(n1.status.term).toBe(term);
    expect(new Set(alarmsOf(n1.notices))).toEqual(new Set(['wrong-server']));
  });

  it('an answer without an id, as servers of long ago give it, counts', () => {
    const n1 = LoneNode.leader(THREE);
    const proposal = n1.propose('x');
    const [append] = n1.take('append', 'n2');
    n1.answer(append!, { ...appendReply('n2', { term: n1.status.term, success: true, lastLog: 2 }), id: null });
    expect(n1.results.get(proposal)).toMatchObject({ kind: 'done' });
  });
});

describe('an answer to a snapshot, which has no id with Go (rule 32)', () => {
  it('moves no match: the answer to the append after it does', () => {
    const n1 = LoneNode.leader(THREE, { raft: { trailingLogs: 0, snapshotThreshold: 1 } });
    n1.propose('x');
    n1.acknowledgeAll(['n2']);
    n1.node.takeSnapshot();
    n1.propose('y');
    const [append] = n1.take('append', 'n2');
    const { term } = n1.status;
    n1.answer(append!, appendReply('n2', { term, success: false, lastLog: 0 }));
    n1.run(100, () => n1.sent.some(({ request }) => request.kind === 'snapshot'));
    const [sent] = n1.take('snapshot', 'n2');
    const zero = { protocolVersion: 0, id: null, address: null };
    n1.answer(sent!, { ...zero, kind: 'snapshot', term, success: true });
    expect(n1.status.peers.find(({ id }) => id === 'n2')?.match).toBe(0);
    const next = n1.take('append', 'n2').at(-1)!;
    expect(next.request).toMatchObject({ prevLogIndex: 3 });
    n1.acknowledge(next);
    expect(n1.status.peers.find(({ id }) => id === 'n2')?.match).toBe(4);
  });
});
