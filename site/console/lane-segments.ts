/** A server's changes as segments of time in which nothing changed, cut to what is shown. */
import type { BlockRun, LaneChange, SeenBlock, ServerState } from '../../conductor/console/protocol.ts';

export interface Segment {
  readonly fromMs: number;
  readonly toMs: number;
  readonly state: ServerState;
}

/** `lanes` ascending, of all servers. */
export function segmentsOf(lanes: readonly LaneChange[], server: string, fromMs: number, toMs: number): Segment[] {
  const own = lanes.filter((change) => change.server === server);
  return own.flatMap(({ atMs, state }, at) => {
    const segment = { fromMs: Math.max(atMs, fromMs), toMs: Math.min(own[at + 1]?.atMs ?? toMs, toMs), state };
    return segment.toMs > segment.fromMs ? [segment] : [];
  });
}

export interface Rest {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Runs and pauses of a long stretch, cut to what is shown; the pause that lasts included. */
export function runsOf(
  run: Pick<BlockRun, 'fromMs' | 'toMs' | 'pauses'>,
  blockMs: number,
  fromMs: number,
  nowMs: number,
): { runs: Rest[]; rests: Rest[] } {
  const pauses = nowMs - run.toMs >= 1.9 * blockMs ? [...run.pauses, [run.toMs, nowMs] as const] : run.pauses;
  const rests = pauses.map(([start, end]) => ({ fromMs: start, toMs: end })).filter(({ toMs }) => toMs > fromMs);
  const starts = [Math.max(run.fromMs, fromMs), ...rests.map(({ toMs }) => toMs)];
  const ends = [...rests.map((rest) => rest.fromMs), run.toMs];
  const runs = starts.map((start, at) => ({ fromMs: start, toMs: Math.min(ends[at]!, nowMs) }));
  return { rests, runs: runs.filter((one) => one.toMs > one.fromMs && one.fromMs < nowMs) };
}

/** Pauses between blocks of more than a slot, the one that lasts included; blocks that were skipped had their slots, and one that was asked for may have come sooner. */
export function restsOf(blocks: readonly SeenBlock[], blockMs: number, nowMs: number): Rest[] {
  const newest = blocks.at(-1)?.[0] ?? 0;
  return [...blocks, [newest + 1, nowMs] as const].flatMap(([number, toMs, spreadMs = 0], at) => {
    const before = blocks[at - 1];
    if (before === undefined) return [];
    const slots = Math.max(1, number - before[0]) + 0.9;
    return toMs - spreadMs - before[1] >= slots * blockMs ? [{ fromMs: before[1], toMs }] : [];
  });
}

const STEPS_MS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400].map((s) => s * 1000);

/** Round moments, about as many as given. */
export function ticksOf(fromMs: number, toMs: number, about: number): number[] {
  const step = STEPS_MS.find((one) => (toMs - fromMs) / one <= about) ?? 86_400_000;
  const first = Math.ceil(fromMs / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((toMs - first) / step) + 1) }, (_, at) => first + at * step);
}
