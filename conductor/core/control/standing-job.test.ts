import { describe, expect, test } from 'vitest';
import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope } from '../payload/envelope.ts';
import { ConductorWorld } from '../testing/conductor-world.ts';
import type { Standing } from './control-host.ts';
import type { Peer } from './target.ts';
import { block, ControlWorld } from './testing/world.ts';

const paused: Peer = {
  ...{ id: 'b', isVoter: true, isNative: true, isInContact: true, isAgainstTip: false, ceasedLeadingAtMs: null },
  known: {
    ...{ isHealthy: true, isPaused: true, headNumber: 5n, headHash: null },
    ...{ safeNumber: null, l1Number: null, observations: [] },
  },
};

const own: Standing = { kind: 'own', l1Number: 9n, safeNumber: 1n, head: { number: 5n, sinceMs: 0 } };

/** A leader whose head stands at block 5; its grace is 3 s. */
function standing(peerList: Peer[] = [paused], how: Standing = own): ControlWorld {
  const world = new ControlWorld();
  world.commitThrough(5n);
  world.nodeHead = block(5n);
  world.peerList = peerList;
  world.lead(2);
  world.run();
  world.loop.headStands(how);
  return world;
}
const stops = ({ asked }: ControlWorld) => asked.filter(({ method }) => method === 'admin_stopSequencer').length;

describe('a head that stands with nobody to hand to', () => {
  test.each([
    ['all others are paused', [paused]],
    ['there is no other', []],
  ])('has the own sequencer stopped and started again after the grace, where %s', (_, peers) => {
    const world = standing(peers);
    world.run(2900);
    expect(stops(world)).toBe(0);
    world.run(200);
    expect(stops(world)).toBe(1);
    expect(world.isSequencing).toBe(true);
    expect(world.logs.some((line) => line.startsWith('warn the head stands and nobody can take over'))).toBe(true);
  });

  test('is kicked ever more rarely: after 1, 2, 4, 8, 16 times the grace, and then once a minute', () => {
    const world = standing();
    const pauses = [3000, 3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000];
    let dueAtMs = world.now;
    for (const [at, pauseMs] of pauses.entries()) {
      dueAtMs += pauseMs;
      world.run(dueAtMs - world.now - 100);
      expect(stops(world)).toBe(at);
      world.run(200);
      expect(stops(world)).toBe(at + 1);
    }
  });

  test.each<[string, (world: ControlWorld, isSo: boolean) => void]>([
    ['op-node is held up: it could not even stop', (world, isSo) => void (world.isNodeHeldUp = isSo)],
    ['a block of it is under way', (world, isSo) => void (world.isPayloadUnderWay = isSo)],
  ])('is left alone while %s', (_, be) => {
    const world = standing();
    be(world, true);
    world.run(20_000);
    expect(stops(world)).toBe(0);
    be(world, false);
    world.run(2900);
    expect(stops(world)).toBe(0);
    world.run(200);
    expect(stops(world)).toBe(1);
  });

  test('is kicked anew after the grace when it stands at another height', () => {
    const world = standing();
    world.run(10_000);
    expect(stops(world)).toBe(2);
    world.commitThrough(6n);
    world.nodeHead = block(6n);
    world.loop.headStands(null);
    world.run(1000);
    world.loop.headStands(own);
    world.run(3100);
    expect(stops(world)).toBe(3);
  });

  test('is left alone where that is for a reason that others share, where it goes on in time, and where there is a better leader', () => {
    expect(stops(ran(standing([paused], { ...own, kind: 'common' })))).toBe(0);
    const goesOn = standing();
    goesOn.run(2000);
    goesOn.loop.headStands(null);
    goesOn.run(100);
    goesOn.loop.headStands(own);
    goesOn.run(2000);
    expect(stops(goesOn)).toBe(0);
    const fit = { ...paused, known: { ...paused.known!, isPaused: false } };
    const better = ran(standing([fit]));
    expect([stops(better), better.transfers[0]?.target]).toEqual([1, 'b']);
  });

  test.each<[string, (world: ControlWorld) => void]>([
    ['is paused', ({ loop }) => loop.pause()],
    ['is overridden', ({ loop }) => loop.override(() => undefined)],
    ['does not answer', ({ loop }) => loop.verdictChanged({ isHealthy: false, nodeAnswers: false })],
  ])('is left alone while the leader %s', (_, change) => {
    const world = standing();
    change(world);
    expect(stops(ran(world))).toBe(0);
  });

  test('is left alone while its client is gone: stopped once, it is not started', () => {
    const world = standing();
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers: true, clientIsGone: true });
    expect(stops(ran(world))).toBe(1);
    expect(world.isSequencing).toBe(false);
  });

  test('without a verdict of its own stays what was kicked before', () => {
    const world = standing();
    world.run(3100);
    world.loop.headStands(null);
    world.run(10_000);
    expect(stops(world)).toBe(1);
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers: true, isOnlyStale: true, headNumber: 5n });
    world.run(3100);
    expect(stops(world)).toBe(2);
  });
});

test('a server alone whose head stands stops and starts its sequencer again and again, ever more rarely', () => {
  const world = ConductorWorld.bootstrapped();
  const head = buildBlock({ parent: null, timestamp: 1_700_000_003, transactions: [] });
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(head) }]);
  world.nodeHead = head;
  world.node.headAgeSeconds = 600;
  world.ask('conductor_resume');
  const kicks = (ms: number): number => {
    const before = world.asked.filter((method) => method === 'admin_stopSequencer').length;
    world.run(ms);
    return world.asked.filter((method) => method === 'admin_stopSequencer').length - before;
  };
  expect([kicks(7000), kicks(1500)]).toEqual([0, 1]);
  expect(kicks(51_500)).toBeGreaterThanOrEqual(2);
  expect(kicks(300_000)).toBeLessThanOrEqual(6);
  expect(world.node.isSequencing).toBe(true);
});

function ran(world: ControlWorld): ControlWorld {
  world.run(30_000);
  return world;
}
