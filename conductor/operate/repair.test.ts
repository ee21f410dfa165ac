import { describe, expect, test } from 'vitest';
import { troubles } from './cluster-summary.ts';
import { readClusterNodes, type Disputed, type NodeStanding, type NodeVerdict } from './cluster-nodes.ts';
import { giveUpStep } from './repair-command.ts';
import { planRepair, whyNotGivingUp } from './repair-plan.ts';
import { withKnownIdle } from './known-idle.ts';
import { hashOf, MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const block = (number: number) => ({ number, hash: hashOf(number) });
const why = 'it takes 2 of 3 voters to have refused it; node-1: invalid; node-2: nothing; node-3 is not heard';

function standing(
  verdict: NodeVerdict,
  at: number,
  changes: Partial<NodeStanding> = {},
): MemoryCluster['servers'][number]['standing'] {
  const heads = { node: block(at), client: block(at), safe: 90 };
  const says = verdict === 'unknown' ? [] : [{ ...block(100), kinds: [verdict] }];
  return { isNative: true, ageMs: 400, ...heads, verdict, says, refuses: null, ...changes };
}

/** Block 100 is committed; nobody who answers can build on it, and node-3, which built it, is gone. */
function standstill(disputed: Partial<Disputed> = {}): MemoryCluster {
  const cluster = new MemoryCluster();
  cluster.isBuilding = false;
  cluster.committed = { ...block(100), isValidated: true };
  cluster.disputed = [{ ...block(100), isProved: false, isForbidden: false, why, ...disputed }];
  for (const server of cluster.servers) Object.assign(server, { head: 99, isSequencing: false });
  cluster.server('node-1').standing = standing('invalid', 99);
  cluster.server('node-2').standing = standing('notTaken', 99);
  cluster.server('node-3').isUp = false;
  return cluster;
}

/** The operator says that the sequencer of node-3 has stopped. */
const knowing = (cluster: MemoryCluster) => withKnownIdle(cluster, ['node-3']);

describe('what repair proposes', () => {
  test('the block that is in the way is given up, once it is known that nobody else builds', async () => {
    const cluster = standstill();
    expect(planRepair(cluster.view())).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('--idle node-3'),
    });
    expect(planRepair(await knowing(cluster).observe())).toMatchObject({ kind: 'giveUp', block: block(100) });
  });

  test.each<[string, (cluster: MemoryCluster) => void, string, RegExp]>([
    ['nobody leads', (c) => (c.leader = null), 'refused', /nobody leads/],
    ['the leader is op-conductor', (c) => (c.server('node-1').standing = null), 'refused', /node-1 does not tell/],
    ['nothing is disputed', (c) => (c.disputed = []), 'nothing', /no node speaks against/],
    [
      'it is proved',
      (c) => (c.disputed = [{ ...c.disputed[0]!, isProved: true }]),
      'nothing',
      /the leader gives block 100/,
    ],
    [
      'the leader is paused',
      (c) => (c.server('node-1').isPaused = true),
      'refused',
      /node-1 is paused.*conductor resume/,
    ],
    ['the leader is overridden', (c) => (c.server('node-1').isOverridden = true), 'refused', /node-1 is overridden/],
    [
      'a safe chain reaches it',
      (c) => (c.server('node-2').standing = standing('notTaken', 99, { safe: 100 })),
      'refused',
      /safe chain of node-2/,
    ],
    ['another builds', (c) => (c.server('node-2').isSequencing = true), 'refused', /node-2 builds blocks/],
    [
      'its own op-node stands on it',
      (c) => (c.server('node-1').head = 100),
      'refused',
      /node-1 leads and has block 100/,
    ],
  ])('not where %s', async (_, change, kind, text) => {
    const cluster = standstill();
    change(cluster);
    const view = await knowing(cluster).observe();
    expect(planRepair(view)).toMatchObject({ kind, why: expect.stringMatching(text) });
  });

  test('a server that has the block is to lead, and where it cannot, nothing is given up', async () => {
    const cluster = standstill();
    Object.assign(cluster.server('node-3'), { isUp: true, head: 100, standing: standing('holds', 100) });
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'transfer', to: 'node-3' });
    cluster.server('node-3').isHealthy = false;
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'refused', why: expect.stringContaining('unhealthy') });
    expect(whyNotGivingUp(cluster.view(), block(100))).toContain('node-3 has block 100');
  });

  /** As op-nodes say whose L1 took the block: node-1 and node-2 left it, the client of node-3 has it, and it cannot lead. */
  const forbidden = (isForbidden = true): MemoryCluster => {
    const proof =
      'that block 100 (0x64) is to be given up is proved (left, by node-1, node-2), but an operator decides';
    const cluster = standstill({ isForbidden, why: proof });
    for (const id of ['node-1', 'node-2']) cluster.server(id).standing = standing('left', 99);
    const holder = standing('holds', 100, { safe: 100 });
    Object.assign(cluster.server('node-3'), { isUp: true, isHealthy: false, head: 100, standing: holder });
    return cluster;
  };

  test('what is proved and only forbidden is given up, whoever has it, and who proves it is told', () => {
    const cluster = forbidden();
    const plan = planRepair(cluster.view());
    expect(plan).toMatchObject({ kind: 'giveUp', block: block(100), silent: [] });
    expect(plan.why).toContain('is proved (left, by node-1, node-2)');
    expect(planRepair(forbidden(false).view()).kind).toBe('refused');
    expect(whyNotGivingUp(forbidden(false).view(), block(100))).toContain('the safe chain of node-3');
    expect(troubles(cluster.view())).toContainEqual(
      expect.stringMatching(/^that block 100 .*: conductor repair gives/),
    );
  });

  test.each<[string, (cluster: MemoryCluster) => void, string, RegExp]>([
    ['its leader is paused', (c) => (c.server('node-1').isPaused = true), 'refused', /node-1 is paused/],
    ['its leader stands on it', (c) => (c.server('node-1').head = 100), 'refused', /node-1 leads.* in whose place it/],
    [
      'its leader builds on it',
      (c) => Object.assign(c.server('node-1'), { head: 100, isSequencing: true }),
      'nothing',
      /node-1 leads, has block 100 .* builds on it; that block 100 .* is proved/,
    ],
    ['another builds', (c) => (c.server('node-3').isSequencing = true), 'refused', /node-3 builds blocks/],
    [
      'a node has left the block below, too',
      (c) => {
        c.server('node-2').standing = standing('left', 98, {
          says: [99, 100].map((n) => ({ ...block(n), kinds: ['left'] })),
        });
        c.disputed = [{ ...block(99), isProved: false, isForbidden: false, why }, ...c.disputed];
      },
      'refused',
      /node-2 has left block 99/,
    ],
  ])('but not where %s', (_, change, kind, text) => {
    const cluster = forbidden();
    change(cluster);
    expect(planRepair(cluster.view())).toMatchObject({ kind, why: expect.stringMatching(text) });
  });

  /** The clients of node-1 and node-2 stand on block `at`, as their conductors say, and refuse 101; 102 is committed, too. */
  const refusingAbove = (at: number): MemoryCluster => {
    const cluster = standstill();
    cluster.committed = { ...block(102), isValidated: true };
    for (const id of ['node-1', 'node-2'])
      Object.assign(cluster.server(id), {
        head: 98,
        standing: standing('unknown', at, {
          says: [
            { ...block(at), kinds: ['holds'] },
            { ...block(101), kinds: ['invalid'] },
          ],
        }),
      });
    return cluster;
  };

  test('a block on which clients stand is kept where they refuse one above, and that one is given up', async () => {
    const cluster = refusingAbove(100);
    cluster.disputed = [100, 101].map((number) => ({ ...block(number), isProved: false, isForbidden: false, why }));
    const view = await knowing(cluster).observe();
    expect(whyNotGivingUp(view, block(100))).toContain('node-1 has block 100');
    expect(planRepair(view)).toMatchObject({ kind: 'giveUp', block: block(101) });
  });

  /** Words of each server about committed blocks: 100, 101 and the tip 102; a server without any is gone. */
  const saying = (
    words: Readonly<Record<string, Readonly<Record<number, NodeVerdict>>>>,
    disputed: readonly number[],
  ): MemoryCluster => {
    const cluster = standstill();
    cluster.committed = { ...block(102), isValidated: true };
    cluster.disputed = disputed.map((number) => ({ ...block(number), isProved: false, isForbidden: false, why }));
    for (const server of cluster.servers) {
      const says = Object.entries(words[server.id] ?? {}).map(([number, kind]) => ({
        ...block(Number(number)),
        kinds: [kind],
      }));
      Object.assign(server, { isUp: says.length > 0, head: 99, standing: standing('unknown', 99, { says }) });
    }
    return cluster;
  };

  test('leadership goes to who has the newest block, not to who only has the one that another refuses', () => {
    const words = {
      'node-1': { 100: 'invalid' },
      'node-2': { 101: 'holds', 102: 'invalid' },
      'node-3': { 102: 'holds' },
    } as const;
    expect(planRepair(saying(words, [100, 102]).view())).toMatchObject({ kind: 'transfer', to: 'node-3' });
    const unfit = saying({ ...words, 'node-2': { 101: 'holds' } }, [100]);
    unfit.server('node-2').isHealthy = false;
    expect(planRepair(unfit.view())).toMatchObject({ kind: 'transfer', to: 'node-3' });
    const leads = saying(
      { 'node-1': { 101: 'holds' }, 'node-2': { 100: 'invalid' }, 'node-3': { 102: 'holds' } },
      [100],
    );
    expect(planRepair(leads.view())).toMatchObject({ kind: 'transfer', to: 'node-3' });
  });

  test('who refuses a block that others have is not counted against one above, which a third may take yet', () => {
    const cluster = saying(
      { 'node-1': { 99: 'invalid' }, 'node-2': { 100: 'holds', 101: 'invalid' }, 'node-3': { 100: 'holds' } },
      [99, 101],
    );
    expect(planRepair(cluster.view())).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/node-3.* answers/),
    });
  });

  test('what was said long ago keeps nothing: a server that is lost for good is told of', async () => {
    const cluster = saying({ 'node-1': { 100: 'invalid' }, 'node-2': { 100: 'invalid' } }, [100]);
    cluster.server('node-3').standing = standing('unknown', 101, {
      ...{ ageMs: 60_000, client: null, node: null, says: [{ ...block(101), kinds: ['holds'] }] },
    });
    const view = await knowing(cluster).observe();
    expect(planRepair(view)).toMatchObject({ kind: 'giveUp', block: block(100), silent: ['node-3'] });
  });

  test('a safe chain that has another block there does not keep the block; one that has another above does', async () => {
    const cluster = saying({ 'node-1': { 100: 'l1' }, 'node-2': { 100: 'invalid' } }, [100]);
    cluster.server('node-1').standing = { ...cluster.server('node-1').standing!, safe: 100 };
    expect(planRepair(await knowing(cluster).observe())).toMatchObject({ kind: 'giveUp' });
    const above = saying({ 'node-1': { 100: 'invalid', 102: 'l1' }, 'node-2': { 100: 'invalid' } }, [100]);
    above.server('node-1').standing = { ...above.server('node-1').standing!, safe: 101 };
    expect(planRepair(await knowing(above).observe())).toMatchObject({
      why: expect.stringContaining('safe chain of node-1'),
    });
  });

  test('a tip that killed clients refuse is not hidden by a block below that one other refuses', () => {
    const cluster = saying(
      { 'node-1': { 99: 'invalid' }, 'node-2': { 101: 'holds' }, 'node-3': { 101: 'holds' } },
      [99],
    );
    for (const id of ['node-2', 'node-3'])
      Object.assign(cluster.server(id).standing!, { refuses: { ...block(102), isAgain: false } });
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'restart', servers: ['node-2', 'node-3'] });
  });

  test('what is proved is left to the leader only where it acts, and nothing below is in the way', () => {
    const cluster = saying({ 'node-1': { 100: 'left' }, 'node-2': { 101: 'holds', 102: 'left' } }, [100, 102]);
    cluster.disputed = cluster.disputed.map((one) => ({ ...one, isProved: one.number === 102, isForbidden: false }));
    const differ = /op-node of node-1 has left block 100 .*L1 endpoints show different chains/;
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'refused', why: expect.stringMatching(differ) });
    // Where nobody is heard to hold it, what can be done about the lower one comes first.
    Object.assign(cluster.server('node-2').standing!, { says: [] });
    expect(planRepair(cluster.view())).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/node-2 answers.* block 100/),
    });
    cluster.disputed = cluster.disputed.slice(1);
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'nothing', why: expect.stringContaining('by itself') });
    cluster.server('node-1').isPaused = true;
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'refused', why: expect.stringContaining('is paused') });
  });

  test('a leader that has the block and builds is not taken from', () => {
    const cluster = saying(
      { 'node-1': { 100: 'holds' }, 'node-2': { 100: 'invalid' }, 'node-3': { 102: 'holds' } },
      [100],
    );
    cluster.server('node-1').isSequencing = true;
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'nothing', why: expect.stringContaining('builds on it') });
  });

  test('a server whose log ends elsewhere is heard all the same of the block that is in the way', async () => {
    const cluster = saying({ 'node-1': { 100: 'invalid' }, 'node-3': { 100: 'holds' } }, [100]);
    const view = await knowing(cluster).observe();
    const other = view.servers.map((server) => {
      const nodes = server.conductor?.nodes ?? null;
      if (nodes === null) return server;
      // The leader has not heard of it for a minute, and its own log is one block behind.
      const isLeader = server.id === 'node-1';
      const told = nodes.nodes.map((one) => (one.id === 'node-3' ? { ...one, ageMs: 60_000 } : one));
      const lagging = { ...nodes, committed: { ...block(101), isValidated: true } };
      return { ...server, conductor: { ...server.conductor!, nodes: isLeader ? { ...nodes, nodes: told } : lagging } };
    });
    expect(whyNotGivingUp({ ...view, servers: other }, block(100))).toContain('node-3 has block 100');
  });

  test('an op-node that is above the block, and of which its conductor says nothing, may stand on it', async () => {
    const cluster = saying({ 'node-1': { 100: 'invalid' }, 'node-2': { 100: 'invalid' } }, [100]);
    const goneAMinute = standing('unknown', 99, { ageMs: 60_000, says: [] });
    Object.assign(cluster.server('node-3'), { isUp: true, isConductorUp: false, head: 101, standing: goneAMinute });
    expect(whyNotGivingUp(await knowing(cluster).observe(), block(100))).toMatch(/op-node of node-3 is at 101/);
    Object.assign(cluster.server('node-3'), { isUp: true, isConductorUp: false, head: 101, standing: null });
    const view = await knowing(cluster).observe();
    expect(whyNotGivingUp(view, block(100))).toMatch(/op-node of node-3 is at 101|node-3 has block 100/);
  });

  test('who refuses an older block cannot take this one, and who has a newer one has this', async () => {
    const cluster = refusingAbove(100);
    cluster.disputed = [{ ...block(101), isProved: false, isForbidden: false, why }];
    const older = { ...block(99), kinds: ['invalid' as const] };
    Object.assign(cluster.server('node-3'), {
      isUp: true,
      head: 98,
      standing: standing('unknown', 98, { says: [older] }),
    });
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'giveUp', block: block(101) });
    // Its word about the newer block does not count beside that about the older one.
    const both = [older, { ...block(102), kinds: ['holds' as const] }];
    cluster.server('node-3').standing = standing('unknown', 98, { says: both });
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'giveUp', block: block(101) });
    cluster.server('node-3').standing = standing('unknown', 98, { says: both.slice(1) });
    expect(planRepair(cluster.view())).toMatchObject({ why: expect.stringContaining('node-3 has block 101') });
  });

  test('nodes that all went back far below it are named, with the way out, and nothing is done', () => {
    const cluster = standstill();
    cluster.disputed = [];
    for (const { id } of cluster.servers)
      Object.assign(cluster.server(id), { ...{ isUp: true, head: 20 }, standing: standing('unknown', 20) });
    const text = /no node that is heard is above 20, and block 100 .* below what the log holds.*runbook left-below-log/;
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'refused', why: expect.stringMatching(text) });
    expect(troubles(cluster.view())).toContainEqual(expect.stringMatching(text));
    // One that has it, or is close, can lead; and one that is not heard may.
    for (const other of [standing('unknown', 95), standing('holds', 100)]) {
      cluster.server('node-3').standing = other;
      expect(troubles(cluster.view())).not.toContainEqual(expect.stringMatching(text));
    }
    cluster.server('node-3').standing = standing('unknown', 20, { node: null, client: null });
    expect(troubles(cluster.view())).toContainEqual(expect.stringMatching(text));
    cluster.server('node-2').standing = standing('unknown', 20, { node: null, client: null });
    expect(troubles(cluster.view())).not.toContainEqual(expect.stringMatching(text));
  });

  /** All clients were killed beside it: none speaks, and of those of `again` it is known that a restart has not helped. */
  const killed = (again: readonly string[]): MemoryCluster => {
    const cluster = standstill();
    cluster.disputed = [];
    for (const { id } of cluster.servers)
      Object.assign(cluster.server(id), {
        ...{ isUp: true, head: 99 },
        standing: standing('unknown', 99, { refuses: { ...block(100), isAgain: again.includes(id) } }),
      });
    return cluster;
  };

  test('clients that were killed and refuse it are restarted first, until most refuse it again', () => {
    expect(planRepair(killed([]).view())).toMatchObject({ kind: 'restart', servers: ['node-1', 'node-2', 'node-3'] });
    expect(planRepair(killed(['node-1']).view())).toMatchObject({ kind: 'restart', servers: ['node-2', 'node-3'] });
    expect(planRepair(killed(['node-1', 'node-3']).view())).toMatchObject({ kind: 'giveUp', block: block(100) });
  });

  test('nothing is given up while a client answers that may take it yet, unless most voters are against it', () => {
    const cluster = killed(['node-1']);
    for (const id of ['node-2', 'node-3']) cluster.server(id).standing = standing('unknown', 60);
    expect(planRepair(cluster.view())).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/node-2, node-3 answers/),
    });
    cluster.server('node-2').standing = standing('invalid', 99);
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'giveUp', silent: [] });
  });

  test('a client that does not answer is told of: it may have the block', () => {
    const cluster = killed(['node-1', 'node-2']);
    cluster.server('node-3').standing = standing('unknown', 99, { client: null });
    expect(planRepair(cluster.view())).toMatchObject({ kind: 'giveUp', silent: ['node-3'] });
  });

  test('a leader whose node is below the parent of the block is told nothing: another one has to lead', () => {
    const cluster = killed(['node-2', 'node-3']);
    cluster.server('node-1').standing = standing('unknown', 60);
    cluster.server('node-1').head = 60;
    expect(planRepair(cluster.view())).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/node-1 leads.* 60,/),
    });
  });

  test('an op-node that stands on it has it, whatever its conductor says of its client, as after a power cut', () => {
    const cluster = standstill();
    Object.assign(cluster.server('node-3'), { isUp: true, head: 100, standing: standing('unknown', 80) });
    expect(planRepair(cluster.view()).kind).not.toBe('giveUp');
  });
});

describe('giving up', () => {
  const step = (cluster: MemoryCluster) => ({
    title: 'repair',
    steps: [giveUpStep(cluster, block(100))],
    command: ['repair'],
    journal: null,
  });

  test('is asked of the leader once, after somebody confirmed, and is done when another block is there', async () => {
    const cluster = standstill();
    const told = await runInMemory(step(cluster), () => knowing(cluster).observe());
    expect(told.outcome.kind).toBe('done');
    expect([cluster.changes, told.questions]).toEqual([['giveUp node-1'], 1]);
    const again = await runInMemory(step(cluster), () => knowing(cluster).observe());
    expect([again.outcome.kind, cluster.changes.length]).toEqual(['done', 1]);
  });

  test('changes nothing where it is refused, not confirmed, or only planned', async () => {
    const cluster = standstill();
    expect((await runInMemory(step(cluster), () => cluster.observe())).outcome.kind).toBe('refused');
    const observe = () => knowing(cluster).observe();
    expect((await runInMemory(step(cluster), observe, { isConfirmed: false })).outcome.kind).toBe('declined');
    expect((await runInMemory(step(cluster), observe, { isDryRun: true })).outcome.kind).toBe('planned');
    expect(cluster.changes).toEqual([]);
  });

  test('ends with the leader’s words where it says no', async () => {
    const cluster = standstill();
    cluster.failures.set('giveUp node-1', 'refused');
    const { outcome } = await runInMemory(step(cluster), () => knowing(cluster).observe());
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'node-1 says no' });
  });
});

test('status says which block is disputed, by whom, and which client lost its newest blocks', () => {
  const cluster = standstill();
  const sentences = troubles(cluster.view());
  expect(sentences).toContainEqual(
    expect.stringMatching(/^some node is against a committed block: it takes 2 of 3.*conductor repair --dry-run/),
  );
  expect(sentences).toContainEqual(expect.stringMatching(/^the node of node-2 is against block 100 .*: notTaken$/));
  cluster.disputed = [];
  cluster.server('node-2').standing = standing('unknown', 100, { client: block(40) });
  expect(troubles(cluster.view())).toContainEqual(
    'the execution client of node-2 is 60 blocks behind what is committed, at 40, below its op-node at 100: it has lost its newest blocks',
  );
});

test('an answer that is none, or holds more than is believed, is read with what it has', () => {
  for (const answer of [null, 1, {}, { nodes: [] }, { nodes: 'x', disputed: [] }])
    expect(readClusterNodes(answer)).toBeNull();
  const read = readClusterNodes({
    committed: { number: 7, hash: 'no hash' },
    nodes: [
      {
        ...{ id: 'a\u001b[2J', verdict: 'sound', node: { number: -1, hash: hashOf(1) } },
        says: [{ kinds: ['left'] }, { ...block(7), kinds: ['left', 3] }, 4, { ...block(8), kinds: null }],
      },
      5,
    ],
    disputed: [{ ...block(7), proved: 'yes', forbidden: 'yes', why: 'x'.repeat(5000) }],
    givenUp: { ...block(7), done: true },
  });
  expect(read).toMatchObject({ committed: null, givenUp: { number: 7, isDone: true } });
  expect(read?.nodes).toEqual([
    expect.objectContaining({
      verdict: 'unknown',
      node: null,
      ageMs: null,
      says: [{ ...block(7), kinds: ['left', 'unknown'] }],
    }),
  ]);
  expect(read?.nodes[0]?.id).not.toContain('\u001b');
  expect(read?.disputed[0]).toMatchObject({ isProved: false, isForbidden: false, why: 'x'.repeat(1000) });
});
