import { expect, test } from 'vitest';
import { encodeSsz } from '#conductor/core/payload/ssz';
import { EntryType, Suffrage } from '#conductor/core/raft/types';
import { Blocks, type Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import { noNodeTroubles } from '../node-troubles.ts';
import type { World } from '../world.ts';
import { connectedMajority, servesWhileItCan } from './meanwhile-laws.ts';
import type { Oracle } from './oracle.ts';

const servers = ['s0', 's1', 's2'].map((id) => ({ id, address: id, suffrage: Suffrage.voter }));
const head = { number: 5 } as Block;

/** Three servers of which nothing is wrong with any; the test sets what is. */
function worldOf() {
  const clock = { nowMs: 0 };
  const log = { firstIndex: 100, entryAt: (): unknown => null };
  const cut = new Set<string>();
  const known = servers.map(() => servers);
  const positions = servers.map(() => ({ role: 'follower', term: 2, commitIndex: 100 }));
  const machines = servers.map(({ id }, index) => ({
    id,
    index,
    isRunning: true,
    isStartedPaused: false,
    clock: { isRight: true },
    disk: { failures: 0, extraLatencyMs: 0, lastIndex: 100, hardState: { recovering: false }, ...log },
    conductor: {
      committedHead: () => ({ hash: '' }),
      position: () => ({
        ...positions[index]!,
        configuration: { index: 1, configuration: { servers: known[index]! } },
      }),
    },
    node: {
      isUp: true,
      faults: noNodeTroubles(),
      head,
      l1: { forkedFrom: null, seen: Infinity },
      isUnconducted: false,
      client: { isHonest: true, isSyncing: false, needsRestart: false, faults: {} },
    },
    get worldMs() {
      return clock.nowMs;
    },
  }));
  const world = {
    get nowMs() {
      return clock.nowMs;
    },
    machines,
    l1: { isStanding: false },
    configuration: { engine: 0, blockSeconds: 1, executionMs: 0 },
    blocks: { branch: 0, find: () => head, isDead: () => false, isAncestor: () => true, ancestor: () => head },
    verdicts: { isSound: () => true },
    spoiled: { isSpoiling: () => false },
    isWhereItIsLookedFor: () => true,
    links: { isClean: (a: number, b: number) => !cut.has(`${a}${b}`) },
  };
  const complaints: string[] = [];
  const oracle = servesWhileItCan(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  oracle.watch(world as unknown as World);
  const [first] = machines as unknown as Machine[];
  oracle.published(first!, head);
  /** Time passes, and nothing is published. */
  const pass = (ms: number): number => {
    for (const endMs = clock.nowMs + ms; clock.nowMs < endMs && complaints.length === 0;) {
      clock.nowMs += 100;
      oracle.observed(first!, {} as Parameters<Required<Oracle>['observed']>[1]);
    }
    return complaints.length;
  };
  const handled = (at: number, method: string, ...values: unknown[]): void =>
    oracle.handled(machines[at] as unknown as Machine, { kind: 'rpc', method, values } as never);
  const answered = (at: number, method: string, kind: 'result' | 'error'): void =>
    oracle.answered(machines[at] as unknown as Machine, { method } as never, { kind } as never);
  return { world: world as unknown as World, machines, known, positions, cut, pass, handled, answered, complaints };
}

test('a chain that could go on goes on, whoever else cannot', () => {
  const { machines, pass, complaints } = worldOf();
  machines[0]!.node.isUp = false;
  machines[1]!.node.faults.stalled = 1;
  expect(pass(18_000)).toBe(0);
  expect(pass(1000)).toBe(1);
  expect(complaints[0]).toMatch(/though s2 could sequence/);
});

test('so it does where all have too few peers, which keeps nobody from building (rule 18)', () => {
  const { machines, pass } = worldOf();
  for (const { node } of machines) Object.assign(node.faults, { lonely: 1, lonelyClient: 1, partialBoost: 1 });
  expect(pass(19_000)).toBe(1);
});

test('one that is far behind is brought up a little later, from as far back as its log reaches (rule 20)', () => {
  const blocks = new Blocks(1);
  const next = blocks.build(blocks.genesis, 0);
  const entry = { type: EntryType.command, data: encodeSsz(next.envelope) };
  const passes = (isInLog: boolean): ReturnType<typeof worldOf>['pass'] => {
    const { world, machines, pass } = worldOf();
    machines[0]!.node.isUp = false;
    machines[1]!.node.isUp = false;
    Object.assign(machines[2]!.node, { head: { number: 1 } });
    Object.assign(machines[2]!.disk, isInLog ? { entryAt: () => entry } : {});
    Object.assign(world.blocks, { ancestor: () => next });
    return pass;
  };
  expect(passes(false)(60_000)).toBe(0);
  const pass = passes(true);
  expect(pass(23_000)).toBe(0);
  expect(pass(1000)).toBe(1);
});

test('a node that lacks one block, which its log no longer holds either, is asked for nothing', () => {
  const passesBelow = (committed: bigint): number => {
    const { machines, pass } = worldOf();
    machines[0]!.node.isUp = false;
    machines[1]!.node.isUp = false;
    Object.assign(machines[2]!.node, { head: { number: 3 } });
    Object.assign(machines[2]!.conductor, { committedHead: () => ({ hash: '', number: committed }) });
    return pass(60_000);
  };
  expect([3n, 4n, 5n].map(passesBelow)).toEqual([1, 1, 0]);
});

test('where nobody can work, or who can is paused, nothing is asked for', () => {
  const { machines, pass, handled } = worldOf();
  machines[0]!.node.isUp = false;
  machines[1]!.node.faults.slowMs = 100;
  handled(2, 'conductor_pause');
  expect(pass(60_000)).toBe(0);
  handled(2, 'conductor_resume');
  expect(pass(18_000)).toBe(0);
  expect(pass(1000)).toBe(1);
});

test('nothing is asked for under a leader that an operator has paused, until it is resumed or leads no longer', () => {
  const { positions, pass, handled, answered } = worldOf();
  positions[0]!.role = 'leader';
  handled(0, 'conductor_pause');
  expect(pass(60_000)).toBe(0);
  handled(0, 'conductor_resume');
  answered(0, 'conductor_resume', 'error');
  expect(pass(60_000)).toBe(0);
  answered(0, 'conductor_resume', 'result');
  expect(pass(19_000)).toBe(1);
});

test('a block may wait behind what a leader cannot get to the others as fast as it is written', () => {
  const { machines, positions, pass } = worldOf();
  positions[0]!.role = 'leader';
  machines[0]!.disk.lastIndex = 201;
  expect(pass(60_000)).toBe(0);
  machines[0]!.disk.lastIndex = 200;
  expect(pass(19_000)).toBe(1);
});

test('where the newest block is invalid, its alarm may come later', () => {
  const { world, pass } = worldOf();
  world.verdicts.isSound = () => false;
  expect(pass(28_000)).toBe(0);
  expect(pass(1000)).toBe(1);
});

test('one that is elected while it is paused has to hand over', () => {
  const { positions, pass, handled } = worldOf();
  positions[0]!.role = 'leader';
  handled(0, 'conductor_pause');
  expect(pass(30_000)).toBe(0);
  positions[0]!.term = 3;
  expect(pass(19_000)).toBe(1);
});

test('who has no vote by some membership is not asked for: it may be the newest', () => {
  const { known, machines, pass } = worldOf();
  machines[0]!.node.isUp = false;
  machines[1]!.node.isUp = false;
  known[0] = known[1] = servers.slice(0, 2);
  expect(pass(60_000)).toBe(0);
  known[0] = known[1] = servers;
  expect(pass(19_000)).toBe(1);
});

test('who is cut off from a majority is not asked for', () => {
  const { world, machines, cut, pass } = worldOf();
  machines[1]!.node.isUp = false;
  machines[2]!.node.isUp = false;
  for (const pair of ['01', '02', '10', '20']) cut.add(pair);
  expect(connectedMajority(world).map(({ id }) => id)).toEqual(['s1', 's2']);
  expect(pass(60_000)).toBe(0);
});

test('one that stands outside is no reason for the others to stop', () => {
  const { world, cut, pass } = worldOf();
  cut.add('02');
  expect(connectedMajority(world)).toHaveLength(2);
  expect(pass(19_000)).toBe(1);
});

test('a change of the members begins the wait anew, one that is refused does not', () => {
  const { pass, answered } = worldOf();
  expect(pass(15_000)).toBe(0);
  answered(0, 'conductor_removeServer', 'result');
  expect(pass(15_000)).toBe(0);
  answered(1, 'conductor_removeServer', 'error');
  expect(pass(5000)).toBe(1);
});

test('an override is no reason to stop where it is not of whoever leads', () => {
  const { positions, pass, handled } = worldOf();
  positions[0]!.role = 'leader';
  handled(0, 'conductor_overrideLeader', true);
  expect(pass(60_000)).toBe(0);
  handled(0, 'conductor_overrideLeader', false);
  handled(1, 'conductor_overrideLeader', true);
  expect(pass(19_000)).toBe(1);
});

test('while an operator has a node sequence by itself, nothing is asked for', () => {
  const { machines, pass } = worldOf();
  machines[2]!.node.isUnconducted = true;
  expect(pass(60_000)).toBe(0);
});

test('what waits for the next block of a server that builds none is no reason not to take over', () => {
  const { machines, pass } = worldOf();
  machines[0]!.node.isUp = false;
  machines[1]!.node.faults.lostAnswers = 1;
  Object.assign(machines[2]!.node.faults, { lostGossip: 3, droppedPosts: 2, brokenConnections: 1, failingStops: 1 });
  expect(pass(19_000)).toBe(1);
});

test('where a majority of clients has to take a block, nothing is asked for without one', () => {
  const { world, machines, pass } = worldOf();
  Object.assign(world.configuration, { engine: 2 });
  machines[0]!.node.client.isHonest = false;
  machines[1]!.node.client.isSyncing = true;
  expect(pass(60_000)).toBe(0);
  machines[1]!.node.client.isSyncing = false;
  expect(pass(19_000)).toBe(1);
});
