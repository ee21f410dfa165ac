import { expect, test } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import { kinds, type EventKind } from './faults.ts';
import { Judge } from './judge.ts';
import { execute } from './run.ts';
import { RUN_VERSION, type Run } from './run-value.ts';
import { World } from './world.ts';

function runOf(kind: EventKind, servers = 3): Run {
  const event = { kind, afterMs: 1000, at: 1, to: 0, forMs: 15_000, amount: 7 };
  return { version: RUN_VERSION, configuration: { ...defaultConfiguration, servers, seed: 11 }, events: [event] };
}

/** How many times somebody came to lead. */
function reigns(run: Run): number {
  const { violation, judge } = execute(run);
  expect(violation).toBeNull();
  return judge.moments.filter(({ text }) => / leads in term /.test(text)).length;
}

test.each(['exile', 'schism', 'regicide'] as const)(
  '%s strikes leader after leader, and the chain goes on after it',
  (kind) => {
    expect(reigns(runOf(kind))).toBeGreaterThan(3);
  },
);

test('rivals change the membership, and all are members again in the end', () => {
  const { judge, violation } = execute(runOf('rivals'));
  expect(violation).toBeNull();
  expect(judge.moments.map(({ text }) => text).join('\n')).toMatch(/operators remove a server/);
});

/** How many of five machines the first leader that is struck still reaches, itself included. */
function sideOf(kind: EventKind): number {
  const { configuration, events } = runOf(kind, 5);
  const world = World.form(configuration, new Judge(), () => undefined);
  kinds[kind].act(world, events[0]!);
  const leader = world.leader()!;
  while (!world.links.isAnyCut && world.nowMs < 60_000) world.run(1);
  return world.machines.filter(({ index }) => !world.links.isCut(leader.index, index)).length;
}

test('a schism leaves a leader of five with one follower, an exile with none', () => {
  expect(sideOf('schism')).toBe(2);
  expect(sideOf('exile')).toBe(1);
});

test('who hands over and hears nothing any more still takes itself for the leader when another one leads', () => {
  const { violation, judge } = execute(runOf('deafHandOver'));
  expect(violation).toBeNull();
  expect([...judge.sometimes.keys()]).toContain('two servers believe that they lead');
});

test('a transfer target whose sequencer cannot be started does not keep leadership', () => {
  expect(reigns(runOf('unprovisionedHeir'))).toBeGreaterThan(2);
});

test('the same event has the same history', () => {
  expect(execute(runOf('exile')).hash).toBe(execute(runOf('exile')).hash);
});
