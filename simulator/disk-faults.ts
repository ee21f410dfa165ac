/** What happens to disks and clocks. */
import { EntryType } from '#conductor/core/raft/types';
import { during, kind, type Kind } from './fault.ts';

export const diskFaults = {
  slowDisk: kind('quorum', 'machine', true, 'writes of {at} take {n} ms', (world, { at, amount }) => {
    const { disk } = world.machine(at);
    disk.extraLatencyMs += amount;
    return () => {
      disk.extraLatencyMs -= amount;
    };
  }),
  fullDisk: kind(
    'quorum',
    'machine',
    true,
    'the disk of {at} is full',
    during(({ disk }, by) => {
      disk.failures += by;
    }),
  ),
  lostDisk: kind('both', 'machine', true, '{at} loses its disk and comes back with an empty one', (world, { at }) => {
    const machine = world.machine(at);
    if (!world.mayLoseDisk(machine)) return;
    machine.loseDisk();
    return () => machine.hold(-1);
  }),
  rot: kind('none', 'machine', false, 'an old log entry of {at} rots', (world, { at, amount }) => {
    const machine = world.machine(at);
    const { firstIndex, lastIndex } = machine.disk;
    // Cold: everybody has long applied it, or the last copies could rot of what only a majority has. A configuration
    // that rots keeps its server from starting, for an operator to replace.
    const everywhere = Math.min(...world.machines.map(({ conductor }) => conductor?.position().commitIndex ?? 0));
    const span = Math.min(lastIndex - 8, everywhere) - firstIndex;
    const index = firstIndex + (amount % Math.max(1, span));
    if (span > 0 && machine.disk.entryAt(index)?.type === EntryType.command) machine.rot(index);
  }),
  clockStep: kind('none', 'machine', true, 'the wall clock of {at} jumps by {n} ms', (world, { at, amount }) => {
    const { clock } = world.machine(at);
    const byMs = amount - 500;
    clock.wallOffsetMs += byMs;
    return () => {
      clock.wallOffsetMs -= byMs;
    };
  }),
  clockRate: kind(
    'quorum',
    'machine',
    true,
    'the clock of {at} runs at another rate ({n})',
    (world, { at, amount }) => {
      const { clock } = world.machine(at);
      clock.setRate(world.nowMs, amount < 500 ? 0.5 + amount / 1000 : amount / 500);
      return () => clock.setRate(world.nowMs, 1);
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
