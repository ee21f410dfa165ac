/**
 * What happens while leadership is handed over: at the very moments at which two servers may take themselves for the
 * leader (rules 9, 14 and 15), which faults at random times hardly ever meet.
 */
import { OPERATORS, WHO_LEADS, kind, type EventNumbers, type Kind } from './fault.ts';
import type { Machine } from './machine.ts';
import { cutBetween } from './network-faults.ts';
import type { World } from './world.ts';

/** How often it is looked how far the hand-over is: more often than a message gets anywhere. */
const LOOK_MS = 0.2;
/** A machine that loses its disk is back after so long. */
const BACK_MS = 5;

/** Undoes what has been done by the end of the event. */
type Undo = () => void;

interface HandOver {
  readonly world: World;
  readonly leader: Machine;
  /** Calls back once the condition holds, if it does before the event is over. */
  when(condition: () => boolean, then: () => void): void;
  /** Takes back at the end of the event. */
  atEnd(undo: Undo): void;
}

/** Whether a machine has come to a later term than this. */
function isBeyond({ conductor }: Machine, term: number): boolean {
  return conductor !== null && conductor.position().term > term;
}

/** Does something about a leader, in its term, and what follows from it until the event is over. */
function handOver(begin: (how: HandOver, term: number, event: EventNumbers) => void): Kind['act'] {
  return (world, event) => {
    const leader = world.leader();
    const term = leader?.conductor?.position().term;
    if (leader === null || term === undefined) return;
    const undos: Undo[] = [];
    let isOver = false;
    const when = (condition: () => boolean, then: () => void): void => {
      if (isOver) return;
      if (condition()) then();
      else world.queue.after(LOOK_MS, () => when(condition, then));
    };
    begin({ world, leader, when, atEnd: (undo) => void undos.push(undo) }, term, event);
    return () => {
      isOver = true;
      for (const undo of undos) undo();
    };
  };
}

/** Nothing gets to the old leader any more when the next one campaigns. */
function deafen({ world, leader, when, atEnd }: HandOver, term: number): void {
  const others = world.machines.filter((machine) => machine !== leader);
  const cut = (by: 1 | -1): void => others.forEach(({ index }) => world.links.cut(index, leader.index, by));
  world.operate(leader, 'conductor_transferLeader', []);
  when(
    () => others.some((machine) => isBeyond(machine, term)),
    () => {
      cut(1);
      atEnd(() => cut(-1));
    },
  );
}

/** Who voted for the next leader forgets it, and reaches the old one alone, which does not know of the next. */
function forget({ world, leader, when, atEnd }: HandOver, term: number, { at, to }: EventNumbers): void {
  const others = world.machines.filter((machine) => machine !== leader);
  const transferTarget = others[at % others.length];
  const voter = others[(at + 1 + (to % Math.max(1, others.length - 1))) % others.length];
  if (transferTarget === undefined || voter === undefined || voter === transferTarget) return;
  world.operate(leader, 'conductor_transferLeaderToServer', [transferTarget.id, transferTarget.address, 0n]);
  const campaigned = (): void => {
    atEnd(cutBetween(world, [transferTarget], [leader]));
    when(() => transferTarget.conductor?.position().role === 'leader' && isBeyond(voter, term), elected);
  };
  const elected = (): void => {
    atEnd(
      cutBetween(
        world,
        [transferTarget],
        world.machines.filter((machine) => machine !== transferTarget && machine !== leader),
      ),
    );
    if (!voter.isUp || !world.mayLoseDisk(voter)) return;
    voter.loseDisk();
    world.queue.after(BACK_MS, () => voter.hold(-1));
  };
  when(() => isBeyond(transferTarget, term), campaigned);
}

export const handOverFaults = {
  deafHandOver: kind(
    'quorum',
    OPERATORS,
    true,
    'an operator hands leadership on, and nothing gets to who had it from when the next one campaigns',
    handOver(deafen),
  ),
  forgottenVote: kind(
    'quorum',
    WHO_LEADS,
    true,
    'an operator hands leadership on; the next leader is cut off when it is elected, and who voted for it loses its disk',
    handOver(forget),
  ),
} as const satisfies Readonly<Record<string, Kind>>;
