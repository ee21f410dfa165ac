/** The laws of service, judged when a run ends: the chain goes on, and nobody grows without bound. */
import { repairedMs } from './disagreement-bounds.ts';
import { boundOf, gapBounds } from './gap-bounds.ts';
import { isOneAtATime } from './one-at-a-time.ts';
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import { EPOCH_MS } from '../machine-clock.ts';
import type { Run } from '../run-value.ts';
import type { SpoiledSeals } from '../spoiled-seals.ts';
import type { Verdicts } from '../verdicts.ts';
import type { Law, Oracle } from './oracle.ts';

/** Connections per pair of machines, and events that may wait, before it counts as a leak. */
const CONNECTIONS_PER_PAIR_MAX = 48;
const EVENTS_PER_MACHINE_MAX = 20_000;

/** Within so many intervals a snapshot that is due is taken, also by a clock that is slow; and at least in this time. */
const SNAPSHOT_INTERVALS = 4;
const SNAPSHOT_MS_MIN = 10_000;
/** How often it is noted how far a log is committed. */
const NOTED_EVERY_MS = 1000;

/** Entries are dropped from memory in bulk: so many times its bound in bytes are surely gone. */
const DROPPED_AT = 2;

interface Progress {
  readonly atMs: number;
  readonly life: number;
  readonly commitIndex: number;
}

/** Bounded resources: connections, pending events, logs and what is in memory of them do not grow with time. */
export const boundedResources: Law = (broken) => {
  const progress = new Map<Machine, Progress[]>();
  let memoryBytes = 0;
  return {
    watch: ({ configuration }) => {
      ({ memoryBytes } = configuration);
    },
    sent: ({ id, disk, isOpConductor }, { request, peerId }) => {
      if (memoryBytes === 0 || request.kind !== 'append' || isOpConductor) return;
      const index = request.entries?.[0]?.index;
      // What the log has had for long is not in memory any more, and was read for this.
      if (index !== undefined && !disk.hasRead(index) && disk.bytesBehind(index) > DROPPED_AT * memoryBytes)
        broken(
          `${id} sends entry ${index} to ${peerId} from memory, where ${memoryBytes} bytes of newer ones would be`,
        );
    },
    observed: (machine, { commitIndex }) => {
      const { worldMs, life } = machine;
      const noted = progress.get(machine) ?? [];
      progress.set(machine, noted);
      if (worldMs - (noted.at(-1)?.atMs ?? -Infinity) >= NOTED_EVERY_MS)
        noted.push({ atMs: worldMs, life, commitIndex });
    },
    finish: ({ world: { machines, network, queue, nowMs }, run, calmFromMs }) => {
      // One that is alone and has moved looks for itself.
      const pairs = Math.max(1, machines.length * (machines.length - 1));
      if (network.size > pairs * CONNECTIONS_PER_PAIR_MAX)
        broken(`${network.size} connections are open between ${machines.length} machines`);
      if (queue.size > machines.length * EVENTS_PER_MACHINE_MAX) broken(`${queue.size} events are pending`);
      const { snapshotThreshold, snapshotMs, trailingLogs } = run.configuration;
      const sinceMs = nowMs - Math.max(SNAPSHOT_INTERVALS * snapshotMs, SNAPSHOT_MS_MIN);
      if (sinceMs < calmFromMs) return;
      for (const [machine, noted] of progress) {
        const before = noted.findLast(({ atMs }) => atMs <= sinceMs);
        if (before === undefined || before.life !== machine.life) continue;
        const excess = before.commitIndex - snapshotThreshold - trailingLogs - machine.disk.firstIndex;
        if (excess > 0)
          broken(
            `${machine.id} keeps ${excess} log entries more than it should, ${Math.round(nowMs - sinceMs)} ms after they were committed`,
          );
      }
    },
  };
};

/** When blocks were published that most clients take, and when they were due: what they refuse nobody sees. */
function soundBlocks(isCounted: (block: Block) => boolean = () => true) {
  let verdicts: Verdicts | null = null;
  let spoiled: SpoiledSeals | null = null;
  const publishedAtMs: number[] = [];
  const dueAtMs: number[] = [];
  /** When blocks were first published that a builder spoiled which had a number of them to spoil. */
  const spoiledAtMs = new Map<Block, number>();
  const published: Oracle = {
    watch: (world) => {
      ({ verdicts, spoiled } = world);
    },
    published: ({ worldMs }, block) => {
      if (spoiled?.isOfNext(block) === true && !spoiledAtMs.has(block)) spoiledAtMs.set(block, worldMs);
      if (verdicts?.isSound(block) === false || !isCounted(block)) return;
      publishedAtMs.push(worldMs);
      dueAtMs.push(block.timestamp * 1000 - EPOCH_MS);
    },
  };
  return { published, publishedAtMs, dueAtMs, spoiledAtMs };
}

/** Blocks that must have been published after the last fault was over. */
const CALM_BLOCKS = 3;
/** So long after that it goes on as if nothing had been: as many block times may pass without a block, and jitter. */
const CALM_MS = 12_000;
const CALM_GAP_BLOCKS = 3;
const CALM_JITTER_MS = 500;

/**
 * Liveness: once all faults are over, the chain goes on within the settling time, and then without a break, unless an operator
 * has something done. Blocks of a fork of L1 that one server alone saw are left again, and do not count.
 */
export const chainGoesOn: Law = (broken, note) => {
  const { published, publishedAtMs, dueAtMs, spoiledAtMs } = soundBlocks(({ isForeign }) => !isForeign);
  return {
    ...published,
    finish: ({ world, run, calmFromMs }) => {
      const after = publishedAtMs.filter((atMs) => atMs >= calmFromMs).length;
      if (after >= CALM_BLOCKS) {
        const { blockSeconds, executionMs } = run.configuration;
        // A builder that spoils its next seals is at fault until it has sealed them.
        const settledMs = Math.max(calmFromMs, ...spoiledAtMs.values()) + CALM_MS;
        if (world.nowMs < settledMs || world.operator?.hasActed === true) return;
        note('a chain is looked at when all faults have long been over');
        // After a clock that ran ahead the next block is due when its time has come.
        const times = [...publishedAtMs, world.nowMs].map((atMs, at) => Math.max(atMs, dueAtMs[at] ?? 0, settledMs));
        const boundMs = CALM_GAP_BLOCKS * 1000 * blockSeconds + executionMs + CALM_JITTER_MS;
        const { ms, fromMs } = longestGap(times);
        if (ms > boundMs)
          broken(
            `nothing was published for ${Math.round(ms)} ms from ${Math.round(fromMs)} on, ${Math.round(fromMs - calmFromMs)} ms after all faults were over`,
          );
        return;
      }
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

/**
 * Availability: with one faulty machine at a time, the gap between published blocks stays under the bound of the fault, or of the
 * faults, in whose time it falls: from when each happens to the next.
 */
export const availability: Law = (broken, note) => {
  const { published, publishedAtMs } = soundBlocks();
  return {
    ...published,
    finish: ({ run, world, calmFromMs }) => {
      const { events, configuration } = run;
      const gaps = events.map((event) => boundOf(event, configuration));
      // The bounds are those of blocks of a second.
      if (
        gaps.length === 0 ||
        configuration.blockSeconds !== 1 ||
        configuration.healthSeconds !== 1 ||
        gaps.includes(null)
      )
        return;
      if (!isOneAtATime(run)) return;
      note('the availability of a run is judged');
      const operatedMs = world.operator?.hasActed === true ? repairedMs(configuration) : 0;
      const windows = windowsOf(run, calmFromMs);
      const times = [...publishedAtMs, world.nowMs];
      for (let at = 1; at < times.length; at++) {
        const [fromMs, toMs] = [times[at - 1]!, times[at]!];
        const within = windows.filter((window) => window.fromMs < toMs && window.toMs > fromMs);
        if (within.length === 0) continue;
        const ofWindows = Math.max(...within.map(({ boundMs }) => boundMs));
        // The first block is executed, too.
        const boundMs = ofWindows + operatedMs + configuration.executionMs;
        if (toMs - fromMs > boundMs)
          broken(
            `nothing was published for ${Math.round(toMs - fromMs)} ms from ${Math.round(fromMs)} on; allowed are ${boundMs} (${within.map(({ kind }) => kind).join(', ')})`,
          );
      }
    },
  };
};

/** From when to when each event explains that nothing is published, and for how long at most, by itself or by what waited for it. */
function windowsOf({ events, configuration }: Run, calmFromMs: number) {
  // The last one to begin is the last to end.
  let toMs = Infinity;
  let fromMs = calmFromMs - (events.at(-1)?.forMs ?? 0);
  const windows = events.toReversed().map((event) => {
    const window = { kind: event.kind, fromMs, toMs };
    toMs = fromMs;
    fromMs -= event.afterMs;
    return window;
  });
  let [addedMs, waitingMs] = [0, 0];
  return windows.toReversed().map((window, at) => {
    const { addsMs, waits } = gapBounds[window.kind];
    const ownMs = boundOf(events[at]!, configuration) ?? 0;
    addedMs = Math.max(addedMs, addsMs ?? 0);
    if (waits === true) waitingMs = Math.max(waitingMs, ownMs);
    return { ...window, boundMs: Math.max(ownMs, waitingMs) + addedMs };
  });
}

function longestGap(times: readonly number[]): { readonly ms: number; readonly fromMs: number } {
  let longest = { ms: 0, fromMs: 0 };
  for (let at = 1; at < times.length; at++) {
    const ms = times[at]! - times[at - 1]!;
    if (ms > longest.ms) longest = { ms, fromMs: times[at - 1]! };
  }
  return longest;
}
