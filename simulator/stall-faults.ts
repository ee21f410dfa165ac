/**
 * Machines that stand still for a part of a second, again and again: while the disk writes, or whatever they do. Unlike
 * `freeze` and `slowDisk` they count as machines that work, for every law and while it lasts.
 */
import { kind, type Kind } from './fault.ts';
import { Stream } from './streams.ts';

/** How often a write stalls, and for how long at least and at most, milliseconds. */
const STALLING_PART = 0.5;
const WRITE_STALL_MS = { min: 50, max: 800 };
/** The same of whole processes, and how long they turn in between. */
const STANDS_MS = { min: 100, max: 900 };
const TURNS_MS = { min: 300, max: 2000 };

/** The longest stall of an event of this size, 0 to 1000. */
function longestMs({ min, max }: typeof STANDS_MS, amount: number): number {
  return min + ((max - min) * amount) / 1000;
}

/** How long a process stands still at most, by the size of its event. */
export function standsMs(amount: number): number {
  return longestMs(STANDS_MS, amount);
}

export const stallFaults = {
  stallingDisk: kind('quorum', true, 'now and then a write of {at} takes part of a second ({n})', (world, event) => {
    const { disk } = world.machine(event.at);
    const random = new Stream(event.amount);
    const longest = longestMs(WRITE_STALL_MS, event.amount);
    const stall = (): number => (random.chance(STALLING_PART) ? random.between(WRITE_STALL_MS.min, longest) : 0);
    disk.stalls.add(stall);
    return () => void disk.stalls.delete(stall);
  }),
  standing: kind(
    'quorum',
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
          world.queue.after(random.between(TURNS_MS.min, TURNS_MS.max), stand);
        });
      };
      stand();
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
