/**
 * What happens to whoever leads: these faults find each new leader by themselves and strike soon after it has won,
 * while its first entries are on their way. That is where logs come apart (thesis figure 3.7).
 */
import { OPERATORS, WHO_LEADS, kind, type EventNumbers, type Kind } from './fault.ts';
import type { Machine } from './machine.ts';
import { cutBetween } from './network-faults.ts';
import { Stream } from './streams.ts';
import type { World } from './world.ts';

/** How often it is looked who leads. */
const LOOK_MS = 5;
/** From a victory to the strike, at most, and how long a strike lasts. */
const STRIKE_MAX_MS = 400;
const LASTS_MS = { min: 300, max: 3500 };

/** Strikes the leader of every new term, until the event is over; `strike` returns how its own end is undone. */
function eachNewLeader(strike: (world: World, machine: Machine, random: Stream) => () => void): Kind['act'] {
  return (world: World, { forMs, amount }: EventNumbers) => {
    const { queue } = world;
    const endMs = world.nowMs + forMs;
    const random = new Stream(amount);
    let lastTerm = 0;
    const struck = (machine: Machine): void => {
      const endStrike = strike(world, machine, random);
      queue.at(Math.min(endMs, world.nowMs + random.between(LASTS_MS.min, LASTS_MS.max)), endStrike);
    };
    const look = (): void => {
      if (world.nowMs + LOOK_MS >= endMs) return;
      const leader = world.leader();
      const term = leader?.conductor?.status().term ?? 0;
      if (leader !== null && term > lastTerm) {
        lastTerm = term;
        const atMs = world.nowMs + random.between(0, STRIKE_MAX_MS);
        if (atMs < endMs) queue.at(atMs, () => struck(leader));
      }
      queue.after(LOOK_MS, look);
    };
    look();
  };
}

/** Cuts a leader off, together with so many others: the next ones from a place that is chosen at random. */
function cutOff(world: World, leader: Machine, others: number, random: Stream): () => void {
  const rest = world.machines.filter((machine) => machine !== leader);
  const from = others === 0 ? 0 : Math.floor(random.between(0, rest.length));
  const along = [...rest, ...rest].slice(from, from + others);
  return cutBetween(
    world,
    [leader, ...along],
    rest.filter((machine) => !along.includes(machine)),
  );
}

export const leaderFaults = {
  unprovisionedHeir: kind(
    'sequencer',
    OPERATORS,
    true,
    'an operator hands leadership to {at}, whose sequencer cannot be started',
    (world, { at }) => {
      const { id, address, node } = world.machine(at);
      node.faults.unprovisioned++;
      const leader = world.leader();
      if (leader !== null && leader.id !== id)
        world.operate(leader, 'conductor_transferLeaderToServer', [id, address, 0n]);
      return () => {
        node.faults.unprovisioned--;
      };
    },
  ),
  exile: kind(
    'quorum',
    WHO_LEADS,
    true,
    'whoever comes to lead is cut off soon after ({n})',
    eachNewLeader((world, leader, random) => cutOff(world, leader, 0, random)),
  ),
  schism: kind(
    'quorum',
    WHO_LEADS,
    true,
    'whoever comes to lead is cut off soon after, with all who make no majority with it ({n})',
    eachNewLeader((world, leader, random) => cutOff(world, leader, Math.ceil(world.machines.length / 2) - 2, random)),
  ),
  rivals: kind(
    'quorum',
    OPERATORS,
    true,
    'operators remove a server through whoever has just come to lead, and add it again ({n})',
    eachNewLeader((world, leader, random) => {
      const machine = world.machine(Math.floor(random.between(0, world.machines.length)));
      if (!world.mayLeave(machine)) return () => undefined;
      world.takeOut(leader, machine, false);
      return () => world.addUntilDone(machine);
    }),
  ),
  regicide: kind(
    'quorum',
    WHO_LEADS,
    true,
    'whoever comes to lead is killed soon after ({n})',
    eachNewLeader((_, machine) => {
      machine.hold(1);
      machine.crash();
      return () => machine.hold(-1);
    }),
  ),
} as const satisfies Readonly<Record<string, Kind>>;
