/** What no proof settles, by an operator's word: the way that `conductor repair` goes, with the classes that ship. */
import { expect, it } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import { Judge } from './judge.ts';
import type { Machine } from './machine.ts';
import { World } from './world.ts';

interface ClusterNodes {
  readonly committed: { readonly number: number; readonly hash: string; readonly validated: boolean };
  readonly nodes: readonly { readonly id: string; readonly verdict: string }[];
  readonly disputed: readonly {
    readonly number: number;
    readonly hash: string;
    readonly proved: boolean;
    readonly why: string;
  }[];
  readonly givenUp: { readonly done: boolean } | null;
}

function nodesOf({ conductor, nowMs }: Machine): ClusterNodes {
  const outcome = conductor!.answerNow('conductor_clusterNodes', nowMs)!;
  if (outcome.kind !== 'result') throw new Error('it was not answered');
  return JSON.parse(outcome.json) as ClusterNodes;
}

it('a block that the client of a dead leader alone accepted stops the chain, and is given up on an operator’s word', () => {
  const judge = new Judge();
  // The log is cut short often: what was given up is soon below what it holds.
  const configuration = {
    ...defaultConfiguration,
    seed: 3,
    engine: 1,
    snapshotThreshold: 2,
    trailingLogs: 0,
    snapshotMs: 200,
  };
  const world = World.form(configuration, judge, (built) => judge.watch(built));
  world.run(2000);
  const first = world.leader()!;
  // The clients of the two others refuse the next block.
  const others = world.machines.filter((machine) => machine !== first);
  const next = world.spoiled.spoilNext(
    1,
    others.reduce((bits, { index }) => bits | (1 << index), 0),
  );
  while (next.left > 0) world.run(10);
  world.run(300);
  const height = first.node.head.number;
  first.hold(1);
  first.crash();
  first.node.down(1);

  world.run(5000);
  const leader = world.leader()!;
  const standing = nodesOf(leader);
  expect(others).toContain(leader);
  expect(standing.committed).toMatchObject({ number: height, validated: true });
  expect(standing.disputed).toMatchObject([{ number: height, proved: false }]);
  expect(standing.disputed[0]!.why).toContain(`${first.id} is not`);
  expect(Math.max(...others.map(({ node }) => node.head.number))).toBe(height - 1);

  const [block] = standing.disputed;
  world.operate(leader, 'conductor_giveUpBlock', [BigInt(block!.number), block!.hash]);
  world.run(4000);
  expect(nodesOf(leader).givenUp).toMatchObject({ done: true });
  expect(nodesOf(leader).committed.number).toBeGreaterThanOrEqual(height + 4);

  // The log of the one that was dead follows; its node stands on the block and is told of by its conductor.
  first.node.down(-1);
  first.hold(-1);
  world.run(4000);
  const known = world.machines.map((machine) => nodesOf(machine).committed);
  expect(Math.min(...known.map(({ number }) => number))).toBeGreaterThan(height + 8);
  expect(Math.min(...others.map(({ node }) => node.head.number))).toBeGreaterThan(height + 8);
  expect(world.leader()).toBe(leader);
  expect(nodesOf(leader).nodes.find(({ id }) => id === first.id)?.verdict).not.toBe('holds');
});
