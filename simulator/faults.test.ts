import { describe, expect, it } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import { eventKinds, kinds, storyOf, type EventKind, type SimEvent } from './faults.ts';
import { disagreementKinds, hardshipKinds, usualKinds, waitingFor } from './fault-sets.ts';
import { Judge } from './judge.ts';
import { execute } from './run.ts';
import { RUN_VERSION, type Run } from './run-value.ts';
import { storyOfRun } from './story.ts';
import { World } from './world.ts';

function eventOf(kind: EventKind, at: number, amount: number): SimEvent {
  return { kind, afterMs: 1500, at, to: at, forMs: kinds[kind].lasts ? 4000 : 0, amount };
}

/** The first machine leads when a run begins; once it happens to it, once to another. */
function runOf(kind: EventKind): Run {
  const events = [eventOf(kind, 0, 5), { ...eventOf(kind, 1, 900), afterMs: 16_000 }];
  // Where the rollup goes back, the log is kept, as in production.
  return { version: RUN_VERSION, configuration: { ...defaultConfiguration, trailingLogs: 1000, seed: 11 }, events };
}

/** What faults may change and have to give back. */
function stateOf({ machines, links, l1 }: World): unknown {
  const pairs = machines.flatMap(({ index: from }) => machines.map(({ index: to }) => [from, to] as const));
  return {
    isL1Standing: l1.isStanding,
    cut: pairs.filter(([from, to]) => links.isCut(from, to)),
    delays: pairs.filter(([from, to]) => links.delayMs(from, to) > 10),
    machines: machines.map(({ isRunning, disk, clock, node }) => {
      const { faults, isUnconducted, client, l1: view } = node;
      const {
        lostGossip: _gossip,
        failingStops: _stops,
        lateBlocks: _blocks,
        lostAnswers: _answers,
        brokenConnections: _connections,
        droppedPosts: _posts,
        doubledCommits: _commits,
        ...lasting
      } = faults;
      // How often it was lost is only counted.
      const { generation: _generation, stalls, ...ofDisk } = disk;
      const rate = clock.monotonicMs(2e6) - clock.monotonicMs(2e6 - 1);
      return {
        isRunning,
        ofDisk,
        stalls: stalls.size,
        rate: Math.round(rate * 1000),
        lasting,
        isUnconducted,
        client: { ...client.faults },
        view: { ...view },
      };
    }),
  };
}

/** Kinds that have to hold every law alone. */
const ofTheirOwn = [...disagreementKinds, ...hardshipKinds].filter((kind) => waitingFor[kind] === undefined);
const holding = [...usualKinds, ...ofTheirOwn];

describe('each kind of event alone', () => {
  it.each(holding)('%s leaves every law intact', { timeout: 60_000 }, (kind) => {
    const run = runOf(kind);
    const report = execute(run);
    expect(report.violation, storyOfRun(run, report)).toBeNull();
    expect(report.published).toBeGreaterThan(30);
    expect(report.judge.sometimes.get(`event ${kind}`)).toBe(2);
  });

  it.each(eventKinds)('%s gives back what it takes', { timeout: 60_000 }, (kind) => {
    const judge = new Judge([]);
    const world = World.form({ ...defaultConfiguration, seed: 5 }, judge, (formed) => judge.watch(formed));
    const before = stateOf(world);
    const event = eventOf(kind, 1, 1000);
    const undo = kinds[kind].act(world, event);
    world.run(event.forMs);
    if (typeof undo === 'function') undo();
    world.run(20_000);
    expect(stateOf(world)).toEqual(before);
  });

  it.each(eventKinds)('%s has a story without gaps', (kind) => {
    expect(storyOf(eventOf(kind, 1, 7), 3)).not.toMatch(/[{}]|undefined/);
  });
});
