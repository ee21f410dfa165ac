/**
 * Operators who change the members at awkward moments, or by another method than is meant for it: of machines that move, two
 * at once, when somebody has just come to lead.
 */
import { OPERATORS, kind, type EventNumbers, type Kind } from './fault.ts';
import type { Machine } from './machine.ts';
import { OutAndBack } from './out-and-back.ts';
import type { World } from './world.ts';

/** Between two calls of one who does not know what the members are. */
const AGAIN_MS = 900;
/** How often it is looked who leads, and from a victory to the call at most. */
const LOOK_MS = 5;
const HASTE_MAX_MS = 400;

/** A machine that moves is up again after this. */
const BACK_MS = 20;

/** A machine moves to another address, with its disk or without; an operator tells the leader in the middle of the event, by that method. */
function move(
  world: World,
  { at, forMs }: EventNumbers,
  method?: 'conductor_addServerAsNonvoter',
  isWithoutDisk = false,
): boolean {
  const machine = world.machine(at);
  // Where the others are no majority, nobody could be told of the new address.
  const mayMove = world.machines.length === 1 || world.wouldKeepMajority(machine);
  if (!mayMove || !world.machines.every((one) => world.isWhereItIsLookedFor(one))) return false;
  if (isWithoutDisk && !world.mayLoseDisk(machine)) return false;
  if (isWithoutDisk) machine.loseDisk();
  else {
    machine.hold(1);
    machine.crash();
  }
  const [host = '', port = ''] = machine.address.split(':');
  machine.address = `${host}:${Number(port) + 1}`;
  world.queue.after(Math.min(forMs, BACK_MS), () => machine.hold(-1));
  world.queue.after(forMs / 2, () => world.addUntilDone(machine, method));
  return true;
}

/** Has a server taken out, or its vote, as far as that may be borne; `done` is told when it is. */
function takeOut(world: World, machine: Machine, isDemoted: boolean, done?: () => void): void {
  const leader = world.leader();
  if (leader !== null)
    world.takeOut(leader, machine, isDemoted, (isDone) => {
      if (isDone) done?.();
    });
}

/** Calls back with the next leader that comes, soon after it has, unless the event is over. */
function afterNextElection(world: World, untilMs: number, hasteMs: number, then: (leader: Machine) => void): void {
  const termOf = (machine: Machine | null): number => machine?.conductor?.position().term ?? 0;
  const lastTerm = Math.max(...world.machines.map(termOf));
  const look = (): void => {
    if (world.nowMs >= untilMs) return;
    const leader = world.leader();
    if (leader === null || termOf(leader) <= lastTerm) return void world.queue.after(LOOK_MS, look);
    world.queue.after(hasteMs, () => then(leader));
  };
  look();
}

export const membershipFaults = {
  moved: kind('quorum', 'machine', true, 'machine {at} moves to another address', (world, event) => {
    if (move(world, event)) return () => undefined;
  }),
  movedAsNonvoter: kind(
    'quorum',
    'machine',
    true,
    'machine {at} moves to another address, and an operator adds it there as a nonvoter, though it is a voter',
    (world, event) => {
      const hasMoved = move(world, event, 'conductor_addServerAsNonvoter');
      // Who was a nonvoter, or no member, is a voter in the end.
      if (hasMoved) return () => world.addUntilDone(world.machine(event.at));
    },
  ),
  rebuilt: kind(
    'quorum',
    OPERATORS,
    true,
    'an operator takes the vote of {at}, builds it anew on another machine without its disk, and adds it there as a voter',
    (world, event) => {
      const machine = world.machine(event.at);
      // Not in the middle of its own answer.
      takeOut(world, machine, true, () => world.queue.after(BACK_MS, () => void move(world, event, undefined, true)));
      // It may have lost its vote, whatever was answered.
      return () => world.addUntilDone(machine);
    },
  ),
  addedAsNonvoter: kind(
    'none',
    'nobody',
    true,
    'an operator adds {at} as a nonvoter at the address that it has, again and again, though it is a voter',
    (world, { at, forMs }) => {
      const machine = world.machine(at);
      const add = (): void =>
        world.leader()?.call('conductor_addServerAsNonvoter', [machine.id, machine.address, 0n], () => undefined);
      for (let atMs = 0; atMs < forMs; atMs += AGAIN_MS) world.queue.after(atMs, add);
      // Who was a nonvoter is a voter in the end.
      return () => world.addUntilDone(machine);
    },
  ),
  crossedOperators: kind(
    'quorum',
    OPERATORS,
    true,
    'operators take {at} out and {to} as well, or its vote ({n}), and add both again at the same time',
    (world, { at, to, amount }) => {
      const one = world.machine(at);
      const other = world.machine(at + 1 + (to % Math.max(1, world.machines.length - 1)));
      if (one === other) return;
      takeOut(world, one, false, () => takeOut(world, other, amount % 2 === 1));
      return () => {
        world.addUntilDone(one);
        world.addUntilDone(other);
      };
    },
  ),
  hastyOperator: kind(
    'quorum',
    OPERATORS,
    true,
    'an operator takes {at} out as soon as the next leader has come, or its vote ({n}), and adds it again',
    (world, { at, forMs, amount }) => {
      const operator = new OutAndBack(world, world.machine(at));
      afterNextElection(world, world.nowMs + forMs, amount % HASTE_MAX_MS, (leader) =>
        operator.takeOut(leader, amount % 2 === 1),
      );
      return operator.goOn;
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
