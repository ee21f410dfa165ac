/** A server's changes as segments of time in which nothing changed, cut to what is shown. */
import type { LaneChange, ServerState } from '../../conductor/console/protocol.ts';

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

/** Pauses between blocks of more than a slot, the one that lasts included. */
export function restsOf(
  blocks: readonly (readonly [number: number, atMs: number])[],
  blockMs: number,
  nowMs: number,
): Rest[] {
  const times = [...blocks.map(([, atMs]) => atMs), nowMs];
  return times.flatMap((toMs, at) => {
    const fromMs = times[at - 1];
    return fromMs !== undefined && toMs - fromMs >= 1.9 * blockMs ? [{ fromMs, toMs }] : [];
  });
}

const STEPS_MS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400].map((s) => s * 1000);

/** Round moments, about as many as given. */
export function ticksOf(fromMs: number, toMs: number, about: number): number[] {
  const step = STEPS_MS.find((one) => (toMs - fromMs) / one <= about) ?? 86_400_000;
  const first = Math.ceil(fromMs / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((toMs - first) / step) + 1) }, (_, at) => first + at * step);
}
