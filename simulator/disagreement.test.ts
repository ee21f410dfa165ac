import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from './blocks.ts';
import { defaultConfiguration } from './configuration.ts';
import { disagreement } from './disagreement.ts';
import { disagreementKinds, type DisagreementKind } from './fault-sets.ts';
import { kinds } from './faults.ts';
import { Judge } from './judge.ts';
import type { Machine } from './machine.ts';
import { execute } from './run.ts';
import { runFromText, runToText } from './run-value.ts';
import { World } from './world.ts';

class Listener extends Judge {
  readonly ownPublished: Block[] = [];
  readonly commits: string[] = [];

  override published(machine: Machine, block: Block): void {
    super.published(machine, block);
    this.ownPublished.push(block);
  }

  override handled(...told: Parameters<Judge['handled']>): void {
    super.handled(...told);
    const [{ id }, event] = told;
    if (event.kind === 'rpc' && event.method === 'conductor_commitUnsafePayload') this.commits.push(id);
  }
}

/** What a kind does to a world in which the first machine leads, as it is so long after it began. */
interface Bite {
  readonly at?: number;
  readonly amount?: number;
  readonly afterMs: number;
  readonly shows: (world: World, listener: Listener, before: Block) => boolean;
}

const FOR_MS = 4000;
/** Between two blocks, some L1 blocks after the first. */
const BEGIN_MS = 14_200;
const isBadPublished: Bite['shows'] = ({ verdicts }, { ownPublished }) =>
  ownPublished.some((block) => !verdicts.isSound(block));
const isStanding: Bite['shows'] = ({ machines, nowMs }, { ownPublished }) =>
  nowMs > BEGIN_MS + 1500 && ownPublished.length === 0 && machines.some(({ node }) => node.isActive);

const bites: Readonly<Record<DisagreementKind, Bite>> = {
  badSeal: { afterMs: 2000, shows: isBadPublished },
  badSealBeside: {
    afterMs: 2000,
    shows: (world, ...rest) => isBadPublished(world, ...rest) && world.machines.some(({ isUp }) => !isUp),
  },
  stickySeal: { afterMs: 2000, shows: isBadPublished },
  badBuilder: { afterMs: 2000, shows: isBadPublished },
  badBuilders: { afterMs: 2000, shows: isBadPublished },
  disputedSeal: {
    afterMs: 2000,
    shows: ({ verdicts }, { ownPublished }) => ownPublished.some((block) => verdicts.refuses(0, block)),
  },
  clientCrash: {
    at: 1,
    afterMs: 200,
    amount: 3,
    shows: ({ machines }) => machines[1]!.node.client.head.number < machines[1]!.node.head.number,
  },
  clientsCrash: {
    afterMs: 200,
    amount: 3,
    shows: ({ machines }) => machines.every(({ node }) => node.client.head.number < node.head.number),
  },
  rackPowerCut: {
    afterMs: 100,
    amount: 3,
    shows: ({ machines }) => machines.every(({ isUp, node }) => !isUp && node.client.head.number < node.head.number),
  },
  clientFrozen: {
    afterMs: 2000,
    shows: ({ machines: [first] }) => first!.conductor?.position().role !== 'leader',
  },
  engineHangs: {
    afterMs: 4000,
    shows: ({ machines: [first] }) => first!.conductor?.position().role !== 'leader',
  },
  clientSlow: {
    at: 1,
    amount: 900,
    afterMs: 1600,
    shows: ({ machines }) => machines[1]!.node.head.number < machines[2]!.node.head.number,
  },
  clientStopping: {
    at: 1,
    afterMs: 1400,
    shows: ({ machines }) => machines[1]!.node.head.number < machines[2]!.node.head.number,
  },
  l1Reorg: {
    amount: 2,
    afterMs: 3400,
    shows: ({ machines, blocks }) =>
      new Set(machines.map(({ node }) => blocks.isDead(node.head))).size === 2 && blocks.branch === 1,
  },
  l1Fork: {
    at: 1,
    amount: 1,
    afterMs: 1,
    shows: ({ machines }) => machines[1]!.node.head.number < machines[2]!.node.head.number,
  },
  slowL1: { afterMs: 2500, shows: isStanding },
  safeLag: { afterMs: 2900, shows: (_, { ownPublished }) => ownPublished.length === 1 },
  l1Stands: { afterMs: 2500, shows: isStanding },
  slowBeacon: {
    afterMs: 3500,
    shows: ({ machines: [first, second] }) => second!.node.head.number < first!.node.head.number - 1,
  },
  astrayAlone: {
    afterMs: 1,
    shows: ({ machines: [first], blocks }, _, before) => !blocks.isAncestor(before, first!.node.head),
  },
  lostDiskBeside: {
    at: 1,
    afterMs: 2,
    shows: ({ machines }) => machines[1]!.disk.lastIndex === 0 && !machines[2]!.isUp,
  },
  doubledCommit: { afterMs: 1000, shows: (_, { commits }) => commits.length === 2 },
};

describe('each kind of disagreement bites', () => {
  it.each(disagreementKinds)('%s', (kind) => {
    const { at = 0, amount = 0, afterMs, shows } = bites[kind];
    const listener = new Listener([]);
    const configuration = { ...defaultConfiguration, seed: 5, trailingLogs: 1000 };
    const world = World.form(configuration, listener, (formed) => listener.watch(formed));
    world.until('it begins', () => world.nowMs > BEGIN_MS);
    listener.ownPublished.length = 0;
    listener.commits.length = 0;
    const before = world.machine(at).node.head;
    expect(shows(world, listener, before)).toBe(false);
    kinds[kind].act(world, { afterMs: 0, at, to: 0, forMs: FOR_MS, amount });
    world.run(afterMs);
    expect(shows(world, listener, before)).toBe(true);
  });
});

describe('random runs of disagreements', () => {
  it('are strings that replay to the same hash', { timeout: 60_000 }, () => {
    const runs = fc.sample(disagreement, { seed: 3, numRuns: 6 });
    const hashes = runs.map((run) => execute(run).hash);
    expect(runs.map((run) => execute(runFromText(runToText(run))).hash)).toEqual(hashes);
    expect(new Set(hashes).size).toBe(runs.length);
  });
});
