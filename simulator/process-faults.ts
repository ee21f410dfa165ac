/** What happens to processes and machines, one of them, or all in turn. */
import { EVERY_MACHINE, during, kind, type Kind } from './fault.ts';
import type { Machine } from './machine.ts';

/** Events after which a process is killed, at most. */
const AMBUSH_MAX = 40;

/** A machine without power, which its client does not lose what it has by: returns how it comes back. */
export function withoutPower(machine: Machine, isSilent: boolean): () => void {
  machine.hold(1);
  machine.crash(isSilent);
  machine.node.down(1);
  return () => {
    machine.node.down(-1);
    machine.hold(-1);
  };
}

export const processFaults = {
  crash: kind('quorum', 'machine', true, 'conductor {at} is killed', (world, { at }) => {
    const machine = world.machine(at);
    machine.hold(1);
    machine.crash();
    return () => machine.hold(-1);
  }),
  powerCut: kind('both', 'machine', true, 'machine {at} loses power, and no connection is closed', (world, { at }) =>
    withoutPower(world.machine(at), true),
  ),
  machineDown: kind('both', 'machine', true, 'conductor and sequencer {at} are killed', (world, { at }) =>
    withoutPower(world.machine(at), false),
  ),
  allDown: kind(
    'both',
    EVERY_MACHINE,
    true,
    'all machines are killed and come back one after the other',
    (world, { at, forMs }) => {
      const { machines, queue } = world;
      const ends = machines.map((_, index) => withoutPower(world.machine(at + index), false));
      ends.slice(1).forEach((end, index) => queue.after((forMs * (index + 1)) / ends.length, end));
      return ends[0];
    },
  ),
  ambush: kind(
    'quorum',
    'machine',
    true,
    'conductor {at} will be killed a few events from now',
    (world, { at, forMs, amount }) => {
      const machine = world.machine(at);
      machine.ambush('event', 1 + (amount % AMBUSH_MAX), forMs);
    },
  ),
  tornWrite: kind('quorum', 'machine', true, 'conductor {at} is killed in the middle of a write', (world, event) => {
    const machine = world.machine(event.at);
    machine.ambush('write', 1 + (event.amount % 3), event.forMs);
  }),
  freeze: kind(
    'quorum',
    'machine',
    true,
    'conductor {at} freezes',
    during((machine, by) => machine.freeze(by)),
  ),
  upgrade: kind('quorum', 'machine', false, 'conductor {at} gets SIGTERM and is started again', (world, { at }) =>
    world.machine(at).drain(),
  ),
  upgradeAll: kind(
    'quorum',
    EVERY_MACHINE,
    true,
    'all conductors get SIGTERM and are started again, in turn',
    (world, { at, forMs }) => {
      const { machines, queue } = world;
      for (const index of machines.keys())
        queue.after((forMs * index) / machines.length, () => world.machine(at + index).drain());
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
