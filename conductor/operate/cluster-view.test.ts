import { describe, expect, test } from 'vitest';
import { clusterLines } from './cluster-summary.ts';
import { leaderElsewhere, leaderOf, membershipOf, type ClusterView } from './cluster-view.ts';
import { quorumOf, quorumRefusal, sparesOf, survivesLossOf, survivesRemovalOf, survivesVoteOf } from './quorum.ts';
import { whyIneligibleToLead } from './eligibility.ts';
import { withLearntIds } from './observe.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';

/** The view with ids as `--rpc` gives them: none but host and port. */
function unnamed(view: ClusterView): ClusterView {
  const servers = view.servers.map((server) => ({
    ...server,
    isNamed: false,
    id: new URL(server.config.conductor).host,
  }));
  return { ...view, servers };
}

/** All behind one host, as on one machine. */
function onOneHost(view: ClusterView): ClusterView {
  const servers = view.servers.map((server, at) => {
    const conductor = `http://127.0.0.1:${8547 + at}`;
    return { ...server, id: `127.0.0.1:${8547 + at}`, isNamed: false, config: { ...server.config, conductor } };
  });
  return { ...view, servers };
}

describe('who leads', () => {
  test('is who says so, but not under override', () => {
    const cluster = new MemoryCluster();
    cluster.server('node-3').isOverridden = true;
    expect(leaderOf(cluster.view())?.id).toBe('node-1');
    cluster.leader = null;
    expect(leaderOf(cluster.view())).toBe(null);
  });

  test('is the overridden one where another server names it', () => {
    const cluster = new MemoryCluster();
    cluster.server('node-1').isOverridden = true;
    expect(leaderOf(cluster.view())?.id).toBe('node-1');
    expect(quorumOf(cluster.view())).toMatchObject({ answering: 3, isReached: true });
    for (const id of ['node-2', 'node-3']) cluster.server(id).isUp = false;
    expect(leaderOf(cluster.view())).toBe(null);
  });

  test('may be a server that was not asked: then that is said, and nothing is changed', () => {
    const { servers, ...rest } = new MemoryCluster().view();
    const followers = { ...rest, servers: servers.filter(({ id }) => id !== 'node-1') };
    expect(leaderElsewhere(followers)).toBe('node-1');
    expect(clusterLines(followers).join()).toMatch(/^node-1 leads, whose URL is not given;.*give its URL, too/);
    expect(quorumRefusal(followers)).toBe('node-1 leads, and its URL is not given: name the conductors of all servers');
    expect(leaderElsewhere(new MemoryCluster().view())).toBe(null);
  });

  test('of two, is the one of the higher term; without terms the one that others follow', () => {
    const cluster = new MemoryCluster();
    const view = cluster.view();
    const both = view.servers.map((server) => ({
      ...server,
      conductor: server.conductor && {
        ...server.conductor,
        claimsLeader: server.id !== 'node-3',
        leaderId: server.id === 'node-1' ? 'node-1' : 'node-2',
      },
    }));
    expect(leaderOf({ ...view, servers: both })?.id).toBe('node-2');
    const terms = both.map((server) => ({ ...server, term: server.id === 'node-1' ? 9 : 8 }));
    expect(leaderOf({ ...view, servers: terms })?.id).toBe('node-1');
  });
});

describe('a quorum', () => {
  test.each([
    [1, 1, 0],
    [2, 2, 0],
    [3, 2, 1],
    [4, 3, 1],
    [5, 3, 2],
  ])('of %i voters is %i, and %i may fail', (voters, needed, spares) => {
    const view = new MemoryCluster(voters).view();
    expect(quorumOf(view)).toEqual({ voters, needed, answering: voters, isReached: true });
    expect(sparesOf(view)).toBe(spares);
  });

  test('counts voters that answer and follow the leader, nobody else', () => {
    const cluster = new MemoryCluster(4);
    cluster.members = cluster.members.map((member) => ({ ...member, isVoter: member.id !== 'node-4' }));
    cluster.server('node-3').isUp = false;
    expect(quorumOf(cluster.view())).toEqual({ voters: 3, needed: 2, answering: 2, isReached: true });
    expect(survivesLossOf(cluster.view(), 'node-2')).toBe(false);
    expect(survivesLossOf(cluster.view(), 'node-3')).toBe(true);
    expect(survivesLossOf(cluster.view(), 'node-4')).toBe(true);
    expect(survivesRemovalOf(cluster.view(), 'node-2')).toBe(false);
    expect(survivesRemovalOf(cluster.view(), 'node-3')).toBe(true);
    expect(survivesVoteOf(cluster.view(), 'node-4')).toBe(true);
    cluster.server('node-4').isUp = false;
    expect(survivesVoteOf(cluster.view(), 'node-4')).toBe(false);
  });

  test('is not reached without a leader, and the only voter cannot be removed', () => {
    const cluster = new MemoryCluster(1);
    expect(survivesRemovalOf(cluster.view(), 'node-1')).toBe(false);
    cluster.leader = null;
    expect(quorumOf(cluster.view()).isReached).toBe(false);
    expect(sparesOf(cluster.view())).toBe(-1);
  });

  test('without a leader the membership is what most say', () => {
    const cluster = new MemoryCluster();
    cluster.leader = null;
    expect(membershipOf(cluster.view()).members.map(({ id }) => id)).toEqual(['node-1', 'node-2', 'node-3']);
  });
});

describe('servers of which only the URL is known', () => {
  test('are called as the cluster calls the member on that host', () => {
    const view = withLearntIds(unnamed(new MemoryCluster().view()));
    expect(view.servers.map(({ id, isNamed }) => [id, isNamed])).toEqual([
      ['node-1', true],
      ['node-2', true],
      ['node-3', true],
    ]);
  });

  test('on one host only the leader has a name, and the others count all the same', () => {
    const cluster = new MemoryCluster();
    const view = withLearntIds(onOneHost(cluster.view()));
    expect(view.servers.map(({ id }) => id)).toEqual(['node-1', '127.0.0.1:8548', '127.0.0.1:8549']);
    expect(quorumOf(view)).toEqual({ voters: 3, needed: 2, answering: 3, isReached: true });
    expect(whyIneligibleToLead(view, 'node-3')).toBe(null);
    cluster.server('node-2').isPaused = true;
    // It may be the paused one.
    expect(whyIneligibleToLead(withLearntIds(onOneHost(cluster.view())), 'node-3')).toContain('is paused');
    cluster.server('node-2').isUp = false;
    expect(quorumOf(withLearntIds(onOneHost(cluster.view()))).answering).toBe(2);
  });

  test('on one host those that were named, or have led before, have names, too', () => {
    const cluster = new MemoryCluster();
    const view = onOneHost(cluster.view());
    const [, second] = view.servers;
    if (second === undefined) throw new RangeError('two servers');
    const ids = (seen: ClusterView): string[] => seen.servers.map(({ id }) => id);
    expect(ids(withLearntIds(view, new Map([[second.config, 'node-2']])))).toEqual(['node-1', 'node-2', 'node-3']);
    const named = view.servers.map((one) => (one === second ? { ...one, id: 'node-3', isNamed: true } : one));
    expect(ids(withLearntIds({ ...view, servers: named }))).toEqual(['node-1', 'node-3', 'node-2']);
  });

  test('where one server and one member are left they belong together', () => {
    const cluster = new MemoryCluster(2);
    const view = withLearntIds(onOneHost(cluster.view()));
    expect(view.servers.map(({ id }) => id)).toEqual(['node-1', 'node-2']);
  });
});

describe('ids that the cluster file has wrong', () => {
  const called = (names: Readonly<Record<string, string>>): ClusterView => {
    const view = new MemoryCluster().view();
    return { ...view, servers: view.servers.map((one) => ({ ...one, id: names[one.id] ?? one.id })) };
  };

  test('swapped with the leader: not the URL is blamed', () => {
    const refusal = quorumRefusal(called({ 'node-1': 'node-2', 'node-2': 'node-1' }));
    expect(refusal).toMatch(/the server called node-2 here leads as node-1: correct its id in the cluster file/);
    expect(refusal).toMatch(/the server called node-1 here is at the raft address of node-2/);
    expect(refusal).not.toMatch(/URL|all servers answer/);
  });

  test('unknown to the cluster: the URL is there', () => {
    const refusal = quorumRefusal(called({ 'node-1': 'node-9' }));
    expect(refusal).toMatch(/the server called node-9 here leads as node-1/);
    expect(refusal).not.toMatch(/URL/);
    expect(whyIneligibleToLead(called({ 'node-3': 'node-9' }), 'node-3')).toMatch(
      /the server called node-9 here is at the raft address of node-3/,
    );
  });
});
