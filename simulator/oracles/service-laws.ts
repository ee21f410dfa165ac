/** The laws of service: the chain goes on, and nobody grows without bound or falls over. */
import { DiskError } from '../disk.ts';
import { gapBounds } from './gap-bounds.ts';
import { isOneAtATime } from './one-at-a-time.ts';
import type { Law } from './oracle.ts';

/** The core never throws: a broken invariant is a defect, whatever the world does. */
export const noBrokenInvariant: Law = (broken) => ({
  threw: ({ id }, error) => {
    if (error instanceof DiskError) return;
    broken(`${id} threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  },
});

/** Connections per pair of machines, and events that may wait, before it counts as a leak. */
const CONNECTIONS_PER_PAIR_MAX = 48;
const EVENTS_PER_MACHINE_MAX = 20_000;

/** Bounded resources: connections and pending events do not grow with time. */
export const boundedResources: Law = (broken) => ({
  finish: ({ world: { machines, network, queue } }) => {
    const pairs = machines.length * (machines.length - 1);
    if (network.size > pairs * CONNECTIONS_PER_PAIR_MAX)
      broken(`${network.size} connections are open between ${machines.length} machines`);
    if (queue.size > machines.length * EVENTS_PER_MACHINE_MAX) broken(`${queue.size} events are pending`);
  },
});

/** Blocks that must have been published after the last fault was over. */
const CALM_BLOCKS = 3;

/** Liveness: once all faults are over, the chain goes on within the settling time. */
export const chainGoesOn: Law = (broken) => {
  const publishedAtMs: number[] = [];
  return {
    published: (machine) => void publishedAtMs.push(machine.worldMs),
    finish: ({ world, calmFromMs }) => {
      const after = publishedAtMs.filter((atMs) => atMs >= calmFromMs).length;
      if (after >= CALM_BLOCKS) return;
      const who = world.machines.map(({ id, conductor, node }) => {
        const status = conductor?.status();
        const voters = status?.configuration.configuration.servers.map((server) => server.id).join('+') ?? '';
        const state = status === undefined ? 'down' : `${status.role} of term ${status.term}, members ${voters}`;
        return `${id}: ${state}; node at ${node.head.number}${node.isActive ? ', sequencing' : ''}`;
      });
      broken(`only ${after} blocks were published after all faults were over. ${who.join('; ')}`);
    },
  };
};

/** Availability: with one faulty machine at a time, the gap between published blocks stays under the bound of the fault. */
export const availability: Law = (broken, note) => {
  const publishedAtMs: number[] = [];
  return {
    published: (machine) => void publishedAtMs.push(machine.worldMs),
    finish: ({ run, world }) => {
      const gaps = run.events.map(({ kind }) => gapBounds[kind].ms);
      const { servers, blockSeconds } = run.configuration;
      // The bounds are those of three machines and blocks of a second.
      if (gaps.length === 0 || servers !== 3 || blockSeconds !== 1 || gaps.includes(null)) return;
      if (!isOneAtATime(run)) return;
      note('the availability of a run is judged');
      const addedMs = Math.max(...run.events.map(({ kind }) => gapBounds[kind].addsMs ?? 0));
      const boundMs = Math.max(...gaps.map((ms) => ms ?? 0)) + addedMs;
      const end = world.nowMs;
      const longest = longestGap([...publishedAtMs, end]);
      if (longest.ms > boundMs)
        broken(
          `nothing was published for ${Math.round(longest.ms)} ms from ${Math.round(longest.fromMs)} on; allowed are ${boundMs} (${run.events.map(({ kind }) => kind).join(', ')})`,
        );
    },
  };
};

function longestGap(times: readonly number[]): { readonly ms: number; readonly fromMs: number } {
  let longest = { ms: 0, fromMs: 0 };
  for (let at = 1; at < times.length; at++) {
    const ms = times[at]! - times[at - 1]!;
    if (ms > longest.ms) longest = { ms, fromMs: times[at - 1]! };
  }
  return longest;
}
