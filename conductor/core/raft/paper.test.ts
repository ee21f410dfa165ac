/**
 * Scenes of Ongaro's thesis "Consensus: Bridging Theory and Practice", played on this implementation.
 */
import { describe, expect, it } from 'vitest';
import type { OutboundRequest } from '../ports.ts';
import { LoneNode } from './testing/lone-node.ts';
import { TestCluster } from './testing/cluster.ts';
import {
  appendFrom,
  ballot,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  preVoteFrom,
  storeWith,
  timeoutNowFrom,
  voteFrom,
  voters,
} from './testing/messages.ts';
import type { MemoryStore } from './testing/memory-store.ts';

/** Entries whose terms are `terms`, from index 1; the first holds the configuration. */
function storeOf(terms: readonly number[], members: readonly string[], term: number): MemoryStore {
  const entries = terms.map((held, i) =>
    i === 0 ? configurationEntry(1, held, voters(...members)) : commandEntry(i + 1, held, `${held}:${i + 1}`),
  );
  return storeWith(entries, { term, votedTerm: term });
}

/** Starts a server of a test cluster on what the figure says it holds. */
function place(cluster: TestCluster, id: string, store: MemoryStore): void {
  cluster.servers.get(id)!.store = store;
  cluster.start(id);
}

const SEVEN = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'];
const LEADER_LOG = [1, 1, 1, 4, 4, 5, 5, 6, 6, 6];
/** Followers (a) to (f). */
const FOLLOWER_LOGS = {
  a: [1, 1, 1, 4, 4, 5, 5, 6, 6],
  b: [1, 1, 1, 4],
  c: [1, 1, 1, 4, 4, 5, 5, 6, 6, 6, 6],
  d: [1, 1, 1, 4, 4, 5, 5, 6, 6, 6, 7, 7],
  e: [1, 1, 1, 4, 4, 4, 4],
  f: [1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3],
};

describe('figure 3.6 (figure 7 of the paper): followers whose logs differ from the leader’s in every way', () => {
  it.each(Object.entries(FOLLOWER_LOGS))('(%s) alone is brought in step; nothing of the leader’s is lost', (_, log) => {
    const members = ['n1', 'n2', 'n3'];
    const cluster = new TestCluster();
    place(cluster, 'n1', storeOf(LEADER_LOG, members, 7));
    place(cluster, 'n2', storeOf(LEADER_LOG, members, 7));
    cluster.runUntil(() => cluster.leader() !== null);
    place(cluster, 'n3', storeOf(log, members, 7));
    cluster.run(3000);
    expectInStep(cluster, members);
  });

  it('all of them at once: only one whose log is as far as a majority’s can lead, and all end the same', () => {
    const cluster = new TestCluster({ size: 7 });
    place(cluster, 'n1', storeOf(LEADER_LOG, SEVEN, 7));
    Object.values(FOLLOWER_LOGS).forEach((log, i) => place(cluster, SEVEN[i + 1]!, storeOf(log, SEVEN, 7)));
    cluster.runUntil(() => cluster.leader() !== null);
    // (b), (e) and (f) can be elected by no majority.
    expect(['n1', 'n2', 'n4', 'n5']).toContain(cluster.leader());
    cluster.run(5000);
    expectInStep(cluster, SEVEN);
  });

  function expectInStep(cluster: TestCluster, members: readonly string[]): void {
    const logs = members.map((id) =>
      cluster.servers.get(id)!.machine.applied.map(({ term, index }) => `${term}:${index}`),
    );
    expect(logs[0]!.slice(0, 8)).toEqual(LEADER_LOG.slice(1, 9).map((term, i) => `${term}:${i + 2}`));
    for (const log of logs) expect(log).toEqual(logs[0]);
  }
});

describe('figures 3.7 and 3.8 (8 and 9 of the paper): an entry of an earlier term on a majority is not committed by that', () => {
  const FIVE = ['n1', 'n2', 'n3', 'n4', 'n5'];

  function answer(id: string) {
    return {
      kind: 'append',
      protocolVersion: 3,
      id,
      address: `${id}:1`,
      term: 4,
      noRetryBackoff: true,
      lastLog: 2,
    } as const;
  }

  /** (c): n1 leads term 4 and has copied its entry of term 2 at index 2 to n2 and n3, but nothing of term 4. */
  function sceneC() {
    const n1 = new LoneNode({ store: storeOf([1, 2], FIVE, 3), raft: { appendEntriesMax: 1 } });
    n1.elect();
    expect(n1.status).toMatchObject({ role: 'leader', term: 4 });
    const onTheWay: OutboundRequest[] = [];
    for (const id of ['n2', 'n3']) {
      const [whole] = n1.take('append', id);
      n1.answer(whole!, { ...answer(id), success: false, lastLog: 1 });
      n1.acknowledge(n1.take('append', id)[0]!);
      const [second, third] = n1.take('append', id);
      onTheWay.push(third!);
      expect(second!.request).toMatchObject({ prevLogIndex: 1, entries: [{ index: 2, term: 2 }] });
      n1.acknowledge(second!);
    }
    expect(n1.status.peers.filter(({ match }) => match === 2)).toHaveLength(2);
    return { n1, onTheWay };
  }

  it('(c) and (d): the leader of term 4 does not count it, and n5 may still be elected and overwrite it', () => {
    const { n1 } = sceneC();
    expect(n1.status.commitIndex).toBe(0);
    expect(n1.machine.applied).toEqual([]);
    // n2, with that entry, grants n5 its vote: its last entry is of term 3.
    const n2 = new LoneNode({ id: 'n2', store: storeOf([1, 2], FIVE, 4) });
    expect(n2.request(voteFrom('n5', 5, 2, 3))).toMatchObject({ granted: true });
    const entries = [commandEntry(2, 3, 'n5')];
    n2.request(appendFrom('n5', { term: 5, prevLogIndex: 1, prevLogTerm: 1, entries, leaderCommit: 2 }));
    expect(n2.machine.applied).toMatchObject([{ command: 'n5' }]);
  });

  it('(e): once an entry of term 4 is on a majority both are committed, and n5 cannot be elected any more', () => {
    const { n1, onTheWay } = sceneC();
    n1.acknowledge(onTheWay[0]!);
    expect(n1.status.commitIndex).toBe(0);
    n1.acknowledge(onTheWay[1]!);
    expect(n1.status.commitIndex).toBe(3);
    expect(n1.machine.applied).toMatchObject([{ index: 2, term: 2 }]);
    const n2 = new LoneNode({ id: 'n2', store: storeOf([1, 2, 4], FIVE, 4) });
    expect(n2.request(voteFrom('n5', 5, 2, 3))).toMatchObject({ granted: false });
  });
});

describe('figure 4.3: several servers added at once would allow two majorities; one at a time they overlap', () => {
  it('a leader cut off with two newcomers wins neither of them over', async () => {
    const cluster = await TestCluster.form({ raft: { stageVoters: false } });
    for (const id of ['n4', 'n5']) cluster.add(id);
    for (const id of ['n2', 'n3']) {
      cluster.cut('n1', id);
      cluster.cut(id, 'n1');
    }
    const add = (id: string) =>
      cluster.command('n1', { kind: 'addServer', id, address: `${id}:1`, suffrage: 0, previousIndex: 0 });
    const [fourth, fifth] = [add('n4'), add('n5')];
    const lost = cluster.propose('n1', 'lost');
    expect(cluster.results.get(fifth)).toMatchObject({ kind: 'refused', reason: 'change-in-progress' });
    cluster.runUntil(() => ['n2', 'n3'].includes(cluster.leader()!));
    const kept = cluster.propose(cluster.leader()!, 'kept');
    cluster.runUntil(() => cluster.results.has(kept));
    cluster.heal();
    // Requests lost on the cut link wait for their deadline of 5 s.
    cluster.run(8000);
    expect([fourth, lost].map((id) => cluster.results.get(id)!.kind)).toEqual(['unknown', 'unknown']);
    expect(cluster.results.get(kept)!.kind).toBe('done');
    expect(cluster.status('n1')!.configuration.configuration).toEqual(voters('n1', 'n2', 'n3'));
    expect(cluster.servers.get('n1')!.machine.applied.map(({ command }) => command)).toEqual(['kept']);
  });
});

describe('§4.2.2: a server that is being removed may have to lead until its removal is committed', () => {
  it('campaigns and commits its own removal where nobody else can, then follows', () => {
    // n2 holds the configuration without itself, uncommitted; n3, whose log is shorter, cannot win against it.
    const entries = [configurationEntry(1, 1, voters('n2', 'n3')), configurationEntry(2, 1, voters('n3'))];
    const cluster = new TestCluster();
    place(cluster, 'n2', storeWith(entries));
    place(cluster, 'n3', storeWith(entries.slice(0, 1)));
    cluster.runUntil(() => cluster.leader() === 'n2');
    cluster.runUntil(() => cluster.leader() === 'n3' && cluster.status('n3')!.isConfigurationCommitted);
    cluster.run(3000);
    expect(cluster.status('n3')!.configuration.configuration).toEqual(voters('n3'));
    expect(cluster.status('n2')!.role).toBe('follower');
  });
});

describe('§4.2.3: servers that were removed do not disrupt the cluster', () => {
  it('one that never learned of its removal asks in vain: no term rises, the leader stays', async () => {
    const cluster = await TestCluster.form({ size: 3 });
    cluster.isolate('n3');
    const removal = cluster.command('n1', { kind: 'removeServer', id: 'n3', previousIndex: 0 });
    cluster.runUntil(() => cluster.results.get(removal)?.kind === 'done');
    cluster.run(2000);
    cluster.heal();
    const { term } = cluster.status('n1')!;
    cluster.run(20_000);
    expect(cluster.status('n1')).toMatchObject({ role: 'leader', term });
    expect(cluster.status('n2')).toMatchObject({ leaderId: 'n1', term });
    expect(cluster.status('n3')).toMatchObject({ term });
  });

  it('even one that asks for votes in a far term is not heard while the leader is', () => {
    const n2 = new LoneNode({ id: 'n2', store: storeOf([1, 1], ['n1', 'n2', 'n3'], 1) });
    n2.request(heartbeatFrom('n1', 1));
    expect(n2.request(voteFrom('n3', 99, 99, 99))).toMatchObject({ granted: false, term: 1 });
    expect(n2.request(preVoteFrom('n3', 99, 99, 99))).toMatchObject({ granted: false });
    expect(n2.store.load().hardState).toMatchObject({ term: 1 });
  });
});

describe('§9.6: with pre-votes a server that was cut off comes back without an election', () => {
  it('its term has not moved, and the leader is not deposed', async () => {
    const cluster = await TestCluster.form();
    const { term } = cluster.status('n1')!;
    cluster.isolate('n3');
    cluster.run(30_000);
    expect(cluster.status('n3')!.term).toBe(term);
    cluster.heal();
    cluster.run(3000);
    expect(cluster.status('n1')).toMatchObject({ role: 'leader', term });
    expect(cluster.status('n3')).toMatchObject({ leaderId: 'n1', term });
  });
});

describe('§3.10: a hand-over skips the pre-vote and the stickiness', () => {
  it('the target asks in the next term at once and leads with one vote', () => {
    const n2 = new LoneNode({ id: 'n2', store: storeOf([1, 1], ['n1', 'n2', 'n3'], 1) });
    n2.request(heartbeatFrom('n1', 1));
    n2.request(timeoutNowFrom('n1'));
    const [message] = n2.take('vote', 'n1');
    n2.answer(message!, ballot('n1', 'vote', 2, true));
    expect(n2.status).toMatchObject({ role: 'leader', term: 2 });
  });
});
