import { expect, test } from 'vitest';
import type { Peer } from './target.ts';
import { ControlWorld, block } from './testing/world.ts';

function healthy(id: string): Peer {
  return {
    ...{ id, isVoter: true, isNative: true, isInContact: true, isAgainstTip: false, ceasedLeadingAtMs: null },
    known: {
      ...{ isHealthy: true, isPaused: false, headNumber: 5n, headHash: null },
      ...{ safeNumber: null, l1Number: null, observations: [] },
    },
  };
}

/** A leader whose node is gone, beside peers that do not take over; random pauses of 1 s lie between its tries. */
function offering(...peerList: Peer[]): ControlWorld {
  const world = new ControlWorld();
  world.commitThrough(5n);
  world.nodeHead = block(5n);
  world.peerList = peerList;
  world.lead(2);
  world.run();
  world.now += 60_000;
  world.transferResult = false;
  world.node.isUp = false;
  world.loop.verdictChanged({ isHealthy: false, nodeAnswers: false });
  world.run();
  return world;
}
const offeredTo = ({ transfers }: ControlWorld) => transfers.map(({ target }) => target);

test('a peer that did not take the lead is offered it again only after the others', () => {
  const world = offering(healthy('b'), healthy('c'), healthy('d'));
  world.run(2500);
  expect(offeredTo(world)).toEqual(['b', 'c', 'd']);
});

test('also where the others are not known to be any good, and then the log does not choose it either', () => {
  const world = offering(healthy('b'), { ...healthy('c'), known: null });
  world.run(1500);
  expect(world.transfers.slice(0, 2)).toEqual([
    { target: 'b', exclude: ['c'] },
    { target: null, exclude: ['b'] },
  ]);
});

test('also one that the log chose, whoever that was: those that were left out come next', () => {
  const world = offering({ ...healthy('b'), known: null }, { ...healthy('c'), known: null, ceasedLeadingAtMs: 1 });
  world.run(1500);
  expect(world.transfers.slice(0, 2)).toEqual([
    { target: null, exclude: ['c'] },
    { target: null, exclude: ['b'] },
  ]);
});

test('and at once where it is the only one', () => {
  const world = offering(healthy('b'));
  world.run(1500);
  expect(offeredTo(world)).toEqual(['b', 'b']);
});

test('an unsafe interval later it is as good as any', () => {
  const world = offering(healthy('b'), healthy('c'));
  world.loop.pause();
  world.run(3100);
  world.loop.resume(true, world.loop.commandEpoch);
  world.run();
  expect(offeredTo(world)).toEqual(['b', 'b']);
});

test('where all failed, whom it failed with longest ago comes next, however much better the others look', () => {
  const world = offering(healthy('b'), { ...healthy('c'), known: null });
  world.run(4000);
  expect(offeredTo(world).slice(0, 4)).toEqual(['b', null, 'b', null]);
});
