/**
 * Machines that stand still for a part of a second, again and again: while the disk writes, or whatever they do. Unlike
 * `freeze` and `slowDisk` they count as machines that work, for every law and while it lasts.
 */
import { EVERY_MACHINE, WHO_LEADS, kind, type Kind } from './fault.ts';
import { Stream } from './streams.ts';

/** For how long at least and at most a write stalls, milliseconds; and a whole process. */
const WRITE_STALL_MS = { min: 50, max: 800 };
const STANDS_MS = { min: 100, max: 900 };
/** How long all is well in between: a disk that stalled at every write would not keep up with many. */
const WELL_MS = { min: 300, max: 2000 };
/** How late timers come where machines are busy, milliseconds. */
const BUSY_MS = { min: 10, max: 60 };
/** For how long a disk stalls while blocks are offered twice: longer than any leader is waited for. */
const LONG_STALL_MS = { min: 1300, max: 2500 };
/** How often the next write stalls, too. */
const AGAIN_PART = 0.4;

/** The longest stall of an event of this size, 0 to 1000. */
function longestMs({ min, max }: typeof STANDS_MS, amount: number): number {
  return min + ((max - min) * amount) / 1000;
}

/** How long a process stands still at most, by the size of its event. */
export function standsMs(amount: number): number {
  return longestMs(STANDS_MS, amount);
}

export const stallFaults = {
  stallingDisk: kind(
    'quorum',
    'machine',
    true,
    'now and then a write of {at} takes part of a second ({n})',
    (world, event) => {
      const { disk } = world.machine(event.at);
      const random = new Stream(event.amount);
      const longest = longestMs(WRITE_STALL_MS, event.amount);
      let wellUntilMs = 0;
      const stall = (): number => {
        if (world.nowMs < wellUntilMs) return 0;
        const lastsMs = random.between(WRITE_STALL_MS.min, longest);
        const wellMs = random.chance(AGAIN_PART) ? 0 : random.between(WELL_MS.min, WELL_MS.max);
        wellUntilMs = world.nowMs + lastsMs + wellMs;
        return lastsMs;
      };
      disk.stalls.add(stall);
      return () => void disk.stalls.delete(stall);
    },
  ),
  standing: kind(
    'quorum',
    'machine',
    true,
    'conductor {at} stands still again and again ({n})',
    (world, { at, forMs, amount }) => {
      const machine = world.machine(at);
      const random = new Stream(amount);
      const endMs = world.nowMs + forMs;
      const stand = (): void => {
        const lastsMs = random.between(STANDS_MS.min, standsMs(amount));
        if (world.nowMs + lastsMs >= endMs) return;
        machine.stand(1);
        world.queue.after(lastsMs, () => {
          machine.stand(-1);
          world.queue.after(random.between(WELL_MS.min, WELL_MS.max), stand);
        });
      };
      stand();
    },
  ),
  busy: kind('none', EVERY_MACHINE, true, 'all machines are busy, and timers come late ({n})', (world, { amount }) => {
    const lateMs = longestMs(BUSY_MS, amount);
    for (const machine of world.machines) machine.timersLateMs += lateMs;
    return () => {
      for (const machine of world.machines) machine.timersLateMs -= lateMs;
    };
  }),
  retriedInStall: kind(
    'quorum',
    WHO_LEADS,
    true,
    'the next blocks of whoever leads are committed twice at once, while one write takes longer than a leader is waited for ({n})',
    (world, { at, amount }) => {
      const machine = world.leader() ?? world.machine(at);
      machine.node.faults.doubledCommits += 1 + (amount % 2);
      let isLeft = true;
      const stall = (): number => {
        // The write of a block, which is offered again a moment later.
        if (!isLeft || machine.conductor?.position().role !== 'leader') return 0;
        isLeft = false;
        return longestMs(LONG_STALL_MS, amount);
      };
      machine.disk.stalls.add(stall);
      return () => void machine.disk.stalls.delete(stall);
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
