/**
 * An operator overrides the leader, as a runbook says: pause every conductor, stop every sequencer, choose a node
 * that holds the newest block, let it sequence without asking the log; later stop it and resume all. Whoever
 * cannot be paused or stopped ends the attempt before anything is overridden.
 */
import { reachesEndOf } from './disk.ts';
import type { EventNumbers } from './fault.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** An operator looks again after so long, and gives up after so many looks. */
const LOOK_MS = 200;
const LOOKS_MAX = 25;
/** Conductors are resumed when all nodes are in sync: for that an operator waits until a network is whole again, and longer. */
const SPREAD_LOOKS_MAX = 300;

/** Begins; returns how the operator ends it. One at a time: another one does nothing meanwhile. */
export function overrideLeader(world: World, { at }: EventNumbers): (() => void) | void {
  if (world.isOverriding) return;
  world.isOverriding = true;
  const target = world.machine(at);
  const work = { isOver: false };
  const isReady = (): boolean => stopSequencers(world) && holdsNewest(world, target) && target.node.isUp;
  pauseAll(world, work, () => look(world.queue, work, isReady, () => begunOverride(world, work, target)));
  return () => {
    work.isOver = true;
    giveBack(world, target);
  };
}

/** What an operator is at; over when something else is to be done. */
export interface Work {
  isOver: boolean;
}

/**
 * Overrides leadership on a conductor and on its op-node, and starts the sequencer. The conductor answers when the node
 * holds what the log ends in: only then the head is the one to build on.
 */
export function begunOverride({ observer }: World, work: Work, target: Machine): void {
  target.call('conductor_overrideLeader', [true], () => {
    if (work.isOver) return;
    // Who asks is told yes from now on, as an operator makes sure.
    target.call('conductor_leader', [], () => undefined);
    target.node.isUnconducted = true;
    if (target.node.start(target.node.head.hash) === null) observer.overridden(target);
  });
}

/** Tells every sequencer that runs to stop; whether none does. */
export function stopSequencers({ machines }: World): boolean {
  for (const { node } of machines) if (node.isActive) node.stop(() => undefined);
  return machines.every(({ node }) => !node.isActive);
}

/**
 * Whether no node has a higher head, and no log ends in a block that the target's lacks: whoever was cut off before the others were lost,
 * or lags behind them, is not the one to sequence alone, as that block may be committed.
 */
export function holdsNewest({ machines }: World, target: Machine): boolean {
  return machines.every(
    ({ node, disk }) => node.head.number <= target.node.head.number && reachesEndOf(target.disk, disk),
  );
}

function pauseAll({ machines, queue }: World, work: Work, then: () => void): void {
  const paused = new Set<Machine>();
  for (const machine of machines)
    if (machine.isUp) machine.call('conductor_pause', [], ({ kind }) => kind === 'result' && paused.add(machine));
  look(queue, work, () => paused.size === machines.length, then);
}

/** The overridden node stops, its last block spreads, and everybody goes on. */
function giveBack(world: World, target: Machine): void {
  const { queue, machines } = world;
  const work = { isOver: false };
  const resume = (): void => {
    target.node.isUnconducted = false;
    target.call('conductor_overrideLeader', [false], () => undefined);
    resumeAll(world, machines);
  };
  const isStopped = (): boolean => {
    if (target.node.isActive && target.node.isUnconducted) target.node.stop(() => undefined);
    return !target.node.isActive || !target.node.isUnconducted;
  };
  look(queue, work, isStopped, () => whenSpread(world, work, target, resume), resume);
}

/** Ends the override: it is over when all are resumed, as whoever still asks for that would do so in the middle of another one. */
export function resumeAll(world: World, machines: readonly Machine[]): void {
  let left = machines.length;
  const resumed = (): void => {
    left--;
    if (left === 0) world.isOverriding = false;
  };
  for (const machine of machines) world.callUntilDone(machine, 'conductor_resume', [], resumed);
}

/**
 * When every node has the block that the overridden one ended with, or has waited in vain for long: those that it reaches are
 * told of it again, and their clients get what is missing below.
 */
export function whenSpread(world: World, work: Work, target: Machine, then: () => void): void {
  const hasSpread = (): boolean => {
    const { head } = target.node;
    const behind = world.machines.filter(({ node }) => node.head.number < head.number);
    const reached = world.reachedFrom(target);
    for (const { node } of behind.filter((one) => reached.has(one))) if (node.isUp) node.receive(head);
    return behind.length === 0;
  };
  look(world.queue, work, hasSpread, then, then, SPREAD_LOOKS_MAX);
}

/** Looks until something holds; `otherwise` after too many looks. */
export function look(
  queue: World['queue'],
  work: Work,
  holds: () => boolean,
  then: () => void,
  otherwise: () => void = () => undefined,
  looksMax = LOOKS_MAX,
): void {
  let looks = 0;
  const once = (): void => {
    if (work.isOver) return;
    if (holds()) return then();
    if (++looks >= looksMax) return otherwise();
    queue.after(LOOK_MS, once);
  };
  once();
}
