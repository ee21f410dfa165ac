/**
 * The procedures of the commands against a cluster in memory, with every call that they make failing in every way:
 * what must hold at all times, and that running the same again ends it.
 */
import { describe, expect, test } from 'vitest';
import { leaderOf, memberOf } from './cluster-view.ts';
import { quorumOf } from './quorum.ts';
import { transferStep } from './leadership-step.ts';
import { joinSteps, leaveSteps } from './membership-steps.ts';
import { pauseStep, resumeStep } from './pause-steps.ts';
import type { Step } from './step.ts';
import { MemoryCluster, type Failure } from './testing/memory-cluster.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const failures: readonly Failure[] = ['refused', 'lost', 'unheard'];

interface Operation {
  readonly title: string;
  /** A cluster before it. */
  before(): MemoryCluster;
  steps(cluster: MemoryCluster): Step[];
  /** Whether it is as it should be afterwards. */
  isThere(cluster: MemoryCluster): boolean;
}

const config = (cluster: MemoryCluster, id: string) => {
  const found = cluster.config.servers.find((server) => server.id === id);
  if (found === undefined) throw new RangeError(id);
  return found;
};
const outsider = (): MemoryCluster => {
  const cluster = new MemoryCluster(4);
  cluster.members = cluster.members.slice(0, 3);
  return cluster;
};
const join = (cluster: MemoryCluster): Step[] =>
  joinSteps(cluster, { config: config(cluster, 'node-4'), id: 'node-4', address: 'host-4:50050' });

const operations: readonly Operation[] = [
  {
    title: 'join',
    before: outsider,
    steps: join,
    isThere: (cluster) => memberOf(cluster.view(), 'node-4')?.isVoter === true,
  },
  {
    title: 'leave of a follower',
    before: () => new MemoryCluster(),
    steps: (cluster) => leaveSteps(cluster, 'node-2'),
    isThere: (cluster) => memberOf(cluster.view(), 'node-2') === null,
  },
  {
    title: 'leave of the leader',
    before: () => new MemoryCluster(),
    steps: (cluster) => leaveSteps(cluster, 'node-1'),
    isThere: (cluster) => memberOf(cluster.view(), 'node-1') === null && cluster.leader !== 'node-1',
  },
  {
    title: 'transfer',
    before: () => new MemoryCluster(),
    steps: (cluster) => [transferStep(cluster, 'node-3')],
    isThere: (cluster) => cluster.leader === 'node-3' && cluster.server('node-3').isSequencing,
  },
  {
    title: 'pause and resume',
    before: () => new MemoryCluster(),
    steps: (cluster) => [
      pauseStep(cluster, config(cluster, 'node-2')),
      resumeStep(cluster, config(cluster, 'node-3'), cluster.view()),
    ],
    isThere: (cluster) => cluster.server('node-2').isPaused && !cluster.server('node-3').isPaused,
  },
];

/** Every moment of a cluster, checked. */
function watched(cluster: MemoryCluster): { readonly broken: string[] } {
  const broken: string[] = [];
  let voters = cluster.members.filter(({ isVoter }) => isVoter).map(({ id }) => id);
  let members = cluster.members.map(({ id }) => id);
  cluster.react = (change) => {
    const sequencing = cluster.servers.filter(({ isSequencing }) => isSequencing);
    if (sequencing.length !== 1) broken.push(`${change}: ${sequencing.length} sequence`);
    if (!quorumOf(cluster.view()).isReached) broken.push(`${change}: no quorum`);
    const now = cluster.members.filter(({ isVoter }) => isVoter).map(({ id }) => id);
    for (const id of now) {
      if (!voters.includes(id) && !members.includes(id)) broken.push(`${change}: ${id} votes and was no nonvoter`);
    }
    voters = now;
    members = cluster.members.map(({ id }) => id);
  };
  return { broken };
}

const procedureOf = (steps: Step[]) => ({ title: 'test', steps, command: ['test'], journal: null });

describe.each(operations)('$title', ({ before, steps, isThere }) => {
  test('is done, and a second time changes nothing', async () => {
    const cluster = before();
    const { broken } = watched(cluster);
    const first = await runInMemory(procedureOf(steps(cluster)), () => cluster.observe());
    expect(first.outcome).toMatchObject({ kind: 'done' });
    expect(isThere(cluster)).toBe(true);
    const changes = cluster.changes.length;
    const second = await runInMemory(procedureOf(steps(cluster)), () => cluster.observe());
    expect(second.outcome.kind).toBe('done');
    expect(cluster.changes.length).toBe(changes);
    expect(broken).toEqual([]);
  });

  test('whichever call fails, however it fails: nothing is worse, and the same again ends it', async () => {
    const flawless = before();
    await runInMemory(procedureOf(steps(flawless)), () => flawless.observe());
    for (const change of flawless.changes) {
      for (const failure of failures) {
        const cluster = before();
        const { broken } = watched(cluster);
        cluster.failures.set(change, failure);
        const first = await runInMemory(procedureOf(steps(cluster)), () => cluster.observe());
        const expected = { refused: 'failed', lost: 'deadline', unheard: 'done' }[failure];
        expect([change, failure, first.outcome.kind]).toEqual([change, failure, expected]);
        expect([
          change,
          failure,
          (await runInMemory(procedureOf(steps(cluster)), () => cluster.observe())).outcome.kind,
        ]).toEqual([change, failure, 'done']);
        expect(isThere(cluster)).toBe(true);
        expect(broken).toEqual([]);
      }
    }
    expect(flawless.changes.length).toBeGreaterThan(0);
  });

  test('whichever server is down before it begins: no quorum is lost', async () => {
    for (const { id } of before().servers) {
      const cluster = before();
      cluster.server(id).isUp = false;
      if (cluster.leader === id) {
        cluster.leader = 'node-2';
        cluster.server(id).isSequencing = false;
        cluster.server('node-2').isSequencing = true;
      }
      const { broken } = watched(cluster);
      await runInMemory(procedureOf(steps(cluster)), () => cluster.observe());
      expect([id, broken]).toEqual([id, []]);
    }
  });
});

describe('refusals', () => {
  const run = (cluster: MemoryCluster, steps: Step[]) => runInMemory(procedureOf(steps), () => cluster.observe());

  test('nobody leaves whose going would cost the majority', async () => {
    const cluster = new MemoryCluster();
    cluster.server('node-3').isUp = false;
    const { outcome } = await run(cluster, leaveSteps(cluster, 'node-2'));
    expect(outcome).toMatchObject({ kind: 'refused' });
    expect(outcome.reason).toContain('without node-2 too few voters would answer');
    expect((await run(cluster, leaveSteps(cluster, 'node-3'))).outcome.kind).toBe('done');
  });

  test('nobody leaves who would leave an unhealthy voter behind; the leader is refused before it hands over', async () => {
    const cluster = new MemoryCluster();
    cluster.server('node-3').isHealthy = false;
    expect((await run(cluster, leaveSteps(cluster, 'node-2'))).outcome.reason).toContain(
      'node-3 would remain with an unhealthy sequencer',
    );
    expect((await run(cluster, leaveSteps(cluster, 'node-1'))).outcome.kind).toBe('refused');
    expect(cluster.changes).toEqual([]);
    const alone = new MemoryCluster(1);
    expect((await run(alone, leaveSteps(alone, 'node-1'))).outcome.reason).toBe('node-1 is the only voter');
  });

  test.each([
    ['is paused', (cluster: MemoryCluster) => (cluster.server('node-2').isPaused = true)],
    ['unhealthy', (cluster: MemoryCluster) => (cluster.server('node-2').isHealthy = false)],
    ['does not answer', (cluster: MemoryCluster) => (cluster.server('node-2').isUp = false)],
    ['50 blocks behind', (cluster: MemoryCluster) => (cluster.server('node-2').head = 50)],
    ['no conductor enabled', (cluster: MemoryCluster) => (cluster.server('node-2').isConductorEnabled = false)],
    [
      'not a member',
      (cluster: MemoryCluster) => (cluster.members = cluster.members.filter(({ id }) => id !== 'node-2')),
    ],
    [
      'is a nonvoter',
      (cluster: MemoryCluster) =>
        (cluster.members = cluster.members.map((member) => ({ ...member, isVoter: member.id !== 'node-2' }))),
    ],
    ['node-1 leads and is paused', (cluster: MemoryCluster) => (cluster.server('node-1').isPaused = true)],
  ])('leadership is not handed over when: %s', async (sentence, spoil) => {
    const cluster = new MemoryCluster();
    spoil(cluster);
    const { outcome } = await run(cluster, [transferStep(cluster, 'node-2')]);
    expect(outcome.kind).toBe('refused');
    expect(outcome.reason).toContain(sentence);
    expect(cluster.changes).toEqual([]);
  });

  test('leadership goes back when the new leader does not sequence', async () => {
    const cluster = new MemoryCluster();
    cluster.react = () => {
      if (cluster.leader === 'node-2') cluster.server('node-2').isSequencing = false;
    };
    const { outcome } = await run(cluster, [transferStep(cluster, 'node-2')]);
    expect(outcome.kind).toBe('deadline');
    expect(outcome.reason).toContain('undone: give leadership back');
    expect(leaderOf(cluster.view())?.id).toBe('node-1');
    expect(cluster.server('node-1').isSequencing).toBe(true);
  });

  test('leadership is not handed over by a target whose op-node does not answer, whoever leads at the end', async () => {
    for (const successor of ['node-2', 'node-1']) {
      const cluster = new MemoryCluster();
      cluster.react = (change) => {
        if (change !== 'transfer node-2') return;
        cluster.server('node-2').isNodeUp = cluster.server('node-2').isSequencing = false;
        cluster.leader = successor;
      };
      const { outcome } = await run(cluster, [transferStep(cluster, 'node-2')]);
      expect(outcome).toMatchObject({ kind: 'deadline', done: [] });
      expect(outcome.reason).toContain(
        successor === 'node-2' ? 'node-2 to sequence; its op-node does not answer' : 'waiting for leadership to change',
      );
      expect(cluster.changes).toEqual(['transfer node-2', ...(successor === 'node-2' ? ['transfer node-1'] : [])]);
    }
  });

  test('who leads already has to sequence, unless its conductor is not in charge', async () => {
    const cluster = new MemoryCluster();
    cluster.server('node-1').isSequencing = false;
    cluster.isBuilding = false;
    const away = await run(cluster, leaveSteps(cluster, 'node-3'));
    expect(away.outcome.kind).toBe('done');
    const { outcome } = await run(cluster, [transferStep(cluster, 'node-1')]);
    expect(outcome).toMatchObject({ kind: 'deadline' });
    cluster.server('node-1').isPaused = true;
    expect((await run(cluster, [transferStep(cluster, 'node-1')])).outcome.kind).toBe('done');
    expect(cluster.changes).toEqual(['remove node-3']);
  });

  test('what somebody else handed over is not taken back', async () => {
    for (const isRefused of [true, false]) {
      const cluster = new MemoryCluster();
      if (isRefused) cluster.failures.set('transfer node-2', 'refused');
      cluster.react = () => (cluster.server('node-2').isSequencing = false);
      const observe = cluster.observe.bind(cluster);
      let looks = 0;
      cluster.observe = () => {
        looks += 1;
        if (looks === 3) {
          cluster.leader = 'node-3';
          cluster.server('node-1').isSequencing = false;
          cluster.server('node-3').isSequencing = true;
        }
        return observe();
      };
      const { outcome } = await run(cluster, [transferStep(cluster, 'node-2')]);
      expect(outcome.kind).toBe(isRefused ? 'failed' : 'deadline');
      expect(cluster.changes).toEqual(isRefused ? [] : ['transfer node-2']);
      expect(cluster.leader).toBe('node-3');
    }
  });

  test('no vote for who has not caught up; as a nonvoter it stays', async () => {
    const cluster = outsider();
    cluster.isBuilding = false;
    cluster.server('node-4').head = 3;
    const { outcome } = await run(cluster, join(cluster));
    expect(outcome).toMatchObject({ kind: 'deadline', done: ['add node-4 as a nonvoter'] });
    expect(outcome.reason).toContain('97 blocks behind');
    expect(memberOf(cluster.view(), 'node-4')?.isVoter).toBe(false);
    cluster.server('node-4').head = 100;
    expect((await run(cluster, join(cluster))).outcome.kind).toBe('done');
  });

  test('a membership that somebody else changed in between is not changed', async () => {
    const cluster = outsider();
    const [add] = join(cluster);
    const stale = cluster.view();
    cluster.version += 1;
    await expect(
      add?.execute(stale, { timeoutMs: null, isStopped: () => false, tell: () => undefined }),
    ).rejects.toThrow('configuration changed since 7');
  });

  test('a leader that is paused and unhealthy is resumed only where it builds no blocks anyway', async () => {
    const cluster = new MemoryCluster();
    Object.assign(cluster.server('node-1'), { isPaused: true, isHealthy: false });
    const resume = () => [resumeStep(cluster, config(cluster, 'node-1'), cluster.view())];
    expect((await run(cluster, resume())).outcome.reason).toContain('it would hand leadership on at once');
    cluster.server('node-1').isSequencing = false;
    expect((await run(cluster, resume())).outcome.kind).toBe('done');
    expect(cluster.changes).toEqual(['resume node-1']);
  });

  test('a conductor that builds without leading is not resumed while the leader does not build', async () => {
    const cluster = new MemoryCluster();
    cluster.server('node-1').isSequencing = false;
    cluster.server('node-2').isSequencing = true;
    cluster.server('node-2').isPaused = true;
    const { outcome } = await run(cluster, [resumeStep(cluster, config(cluster, 'node-2'), cluster.view())]);
    expect(outcome.reason).toContain('builds blocks without leading');
  });

  test('a conductor that no majority follows is not paused while its sequencer builds', async () => {
    const cluster = new MemoryCluster();
    for (const id of ['node-2', 'node-3']) cluster.server(id).isConductorUp = false;
    const procedure = () => procedureOf([pauseStep(cluster, config(cluster, 'node-1'))]);
    const pause = () => runInMemory(procedure(), () => cluster.observe(), { ignoresQuorum: true });
    expect((await pause()).outcome.reason).toContain('node-1 builds blocks though no majority follows it');
    expect(cluster.changes).toEqual([]);
    cluster.server('node-1').isSequencing = false;
    expect((await pause()).outcome.kind).toBe('done');
  });
});
