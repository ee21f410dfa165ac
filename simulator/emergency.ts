/**
 * The emergency path: all conductors but one are lost. Leadership is overridden on that one and on its op-node, and its
 * sequencer is started by hand; nothing is paused. Later the others are started paused, op-node is restarted, which
 * forgets its override, the conductor's is taken back, and the others are resumed.
 */
import type { EventNumbers } from './fault.ts';
import type { Machine } from './machine.ts';
import { begunOverride, holdsNewest, look, resumeAll, stopSequencers, whenSpread, type Work } from './override.ts';
import type { World } from './world.ts';

/** Begins; returns how the operator goes back to normal. Not beside another override. */
export function emergency(world: World, { at }: EventNumbers): (() => void) | void {
  if (world.isOverriding) return;
  world.isOverriding = true;
  const survivor = world.machine(at);
  const others = world.machines.filter((machine) => machine !== survivor);
  for (const other of others) {
    other.hold(1);
    other.crash();
  }
  const work: Work = { isOver: false };
  // Sequencers whose conductor is gone run on, and publish nothing.
  const isReady = (): boolean => stopSequencers(world) && holdsNewest(world, survivor);
  look(world.queue, work, isReady, () => begunOverride(world, work, survivor));
  return () => {
    work.isOver = true;
    backToNormal(world, survivor, others);
  };
}

function backToNormal(world: World, survivor: Machine, others: readonly Machine[]): void {
  const { queue } = world;
  const work: Work = { isOver: false };
  for (const other of others) {
    other.isStartedPaused = true;
    other.hold(-1);
  }
  const { node } = survivor;
  const isStopped = (): boolean => {
    if (node.isUnconducted && node.isActive) node.stop(() => undefined);
    return !node.isUnconducted || !node.isActive;
  };
  const resume = (): void => {
    node.isUnconducted = false;
    survivor.call('conductor_overrideLeader', [false], () => undefined);
    for (const other of others) other.isStartedPaused = false;
    resumeAll(world, others);
  };
  look(queue, work, isStopped, () => whenSpread(world, work, survivor, resume), resume);
}
