import { describe, expect, it } from 'vitest';
import { TestCluster } from './testing/cluster.ts';

describe('a cluster of three', () => {
  it('forms from one bootstrapped server, commits, and applies everywhere', async () => {
    const cluster = await TestCluster.form();
    const id = cluster.propose('n1', 'hello');
    cluster.runUntil(() => cluster.results.has(id));
    expect(cluster.results.get(id)).toMatchObject({ kind: 'done', value: 'hello' });
    cluster.run(500);
    for (const server of cluster.servers.values()) expect(server.machine.applied.at(-1)?.command).toBe('hello');
  });

  it('replaces a killed leader within 100 ms (rule 13)', async () => {
    const cluster = await TestCluster.form();
    cluster.run(2000);
    const before = cluster.nowMs;
    cluster.crash('n1');
    cluster.runUntil(() => cluster.leader() !== null, 100);
    const leader = cluster.leader()!;
    const id = cluster.propose(leader, 'after');
    cluster.runUntil(() => cluster.results.has(id), 100);
    expect(cluster.results.get(id)!.kind).toBe('done');
    expect(cluster.nowMs - before).toBeLessThan(100);
  });

  it('replaces a silent leader within 1.5 heartbeat timeouts when all voters are our own (rule 12)', async () => {
    const cluster = await TestCluster.form();
    cluster.run(2000);
    cluster.isolate('n1');
    const before = cluster.nowMs;
    cluster.runUntil(() => cluster.leader() !== null && cluster.leader() !== 'n1', 5000);
    expect(cluster.nowMs - before).toBeLessThan(1500);
    cluster.heal();
    cluster.run(2000);
    expect(cluster.status('n1')!.role).toBe('follower');
  });

  it('hands leadership over to a named voter and clears the hand-over', async () => {
    const cluster = await TestCluster.form();
    const id = cluster.command('n1', { kind: 'transfer', target: 'n3' });
    cluster.runUntil(() => cluster.leader() === 'n3' && cluster.results.has(id), 500);
    expect(cluster.results.get(id)).toMatchObject({ kind: 'done', value: 'n3' });
  });

  it('brings a wiped voter back through recovery and a snapshot', async () => {
    const cluster = await TestCluster.form({ raft: { trailingLogs: 5 } });
    for (let i = 0; i < 50; i++) cluster.propose('n1', `c${i}`);
    cluster.run(500);
    cluster.servers.get('n1')!.node!.takeSnapshot();
    cluster.run(500);
    cluster.crash('n3');
    cluster.wipe('n3');
    cluster.laws.forget('n3');
    cluster.start('n3');
    cluster.runUntil(
      () => cluster.status('n3')!.isRecovering === false && cluster.servers.get('n3')!.machine.applied.length === 50,
    );
  });

  it('losing a disk and then the leader is a stop, not a loss (rule 9)', async () => {
    const cluster = await TestCluster.form();
    cluster.cut('n1', 'n2');
    cluster.cut('n2', 'n1');
    const id = cluster.propose('n1', 'only on n1 and n3');
    cluster.runUntil(() => cluster.results.has(id), 300);
    expect(cluster.results.get(id)!.kind).toBe('done');
    cluster.crash('n3');
    cluster.wipe('n3');
    cluster.crash('n1');
    cluster.heal();
    cluster.start('n3');
    cluster.run(60_000);
    expect(cluster.leader()).toBe(null);
    cluster.start('n1');
    cluster.runUntil(() => cluster.leader() === 'n1' && !cluster.status('n3')!.isRecovering);
    cluster.run(6000);
    for (const { machine } of cluster.servers.values()) cluster.laws.assertKept(machine);
  });

  it('a leader whose disk is full steps aside and is replaced; nothing acknowledged is lost (rule 15)', async () => {
    const cluster = await TestCluster.form();
    const before = cluster.propose('n1', 'before');
    cluster.run(100);
    cluster.servers.get('n1')!.store.failure = 'disk full';
    const during = cluster.propose('n1', 'during');
    cluster.runUntil(() => cluster.leader() !== null && cluster.leader() !== 'n1', 100);
    const after = cluster.propose(cluster.leader()!, 'after');
    cluster.run(1000);
    expect([before, during, after].map((id) => cluster.results.get(id)!.kind)).toEqual(['done', 'unknown', 'done']);
    cluster.laws.assertKept(cluster.servers.get(cluster.leader()!)!.machine);
  });

  it('a leader that is cut off never answers a read, also while its lease runs (rule 14)', async () => {
    const cluster = await TestCluster.form();
    cluster.isolate('n1');
    const early = cluster.command('n1', { kind: 'read' });
    cluster.runUntil(() => ['n2', 'n3'].includes(cluster.leader()!));
    const late = cluster.command('n1', { kind: 'read' });
    cluster.run(1000);
    expect([early, late].map((id) => cluster.results.get(id)!.kind)).toEqual(['refused', 'refused']);
  });
});
