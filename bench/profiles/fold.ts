/**
 * From a sampled CPU profile to folded stacks, the input of every flame graph: how long each path of functions was
 * running. Short enough to be kept beside the numbers that it explains.
 */

import { quantile } from '../statistics.ts';

/** The part of the .cpuprofile format that is read. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

export interface FoldedProfile {
  /** Milliseconds with anything on the stack. */
  readonly busyMs: number;
  readonly totalMs: number;
  /** Self time by function, largest first. */
  readonly self: readonly { readonly frame: string; readonly ms: number }[];
  /** One line for each path of functions: the outermost first, joined by ';', and its whole microseconds; largest first. */
  readonly folded: string;
}

/** Of the folded stacks; what is beyond is one line of its own, so that the sum is right. */
const FOLDED_BYTES_MAX = 250_000;
const BEYOND = '(shorter stacks)';
const FRAMES_MAX = 40;
const INTERVAL_SHARE = 0.25;
const IDLE = new Set(['(idle)', '(program)', '(root)']);

export function foldProfile({ nodes, samples, timeDeltas }: CpuProfile): FoldedProfile {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const stackMs = new Map<string, number>();
  const selfMs = new Map<string, number>();
  let busyMs = 0;
  // Nothing is sampled while the process sleeps, and the sleep is in the distance to the next sample: each counts alike,
  // as the distance that samples have where nothing sleeps.
  const ms =
    quantile(
      timeDeltas.toSorted((a, b) => a - b),
      INTERVAL_SHARE,
    ) / 1000;
  const totalMs = timeDeltas.reduce((sum, micros) => sum + micros, 0) / 1000;
  for (const id of samples) {
    const path: string[] = [];
    for (let node = byId.get(id); node !== undefined; node = byId.get(parents.get(node.id) ?? -1))
      path.push(nameOf(node));
    const frames = path.filter((name) => !IDLE.has(name));
    const [self] = frames;
    if (self === undefined) continue;
    busyMs += ms;
    add(selfMs, self, ms);
    add(stackMs, frames.toReversed().join(';'), ms);
  }
  return {
    busyMs: rounded(busyMs),
    totalMs: rounded(totalMs),
    self: largest(selfMs, FRAMES_MAX).map(([frame, ms]) => ({ frame, ms })),
    folded: foldedLines(stackMs),
  };
}

function foldedLines(stackMs: ReadonlyMap<string, number>): string {
  let text = '';
  let beyondMicros = 0;
  for (const [stack, ms] of [...stackMs].toSorted(([, left], [, right]) => right - left)) {
    const micros = Math.round(ms * 1000);
    const line = `${stack} ${micros}\n`;
    if (text.length + line.length <= FOLDED_BYTES_MAX && beyondMicros === 0) text += line;
    else beyondMicros += micros;
  }
  return beyondMicros === 0 ? text : `${text}${BEYOND} ${beyondMicros}\n`;
}

/** "function file", without where the sources are on this machine, and without what separates stacks. */
function nameOf({ callFrame }: CpuProfile['nodes'][number]): string {
  const file = callFrame.url.slice(callFrame.url.lastIndexOf('/') + 1);
  const name = callFrame.functionName === '' ? '(anonymous)' : callFrame.functionName;
  return (file === '' ? name : `${name} ${file}`).replaceAll(/[;\n]/g, ':');
}

function add(sums: Map<string, number>, key: string, ms: number): void {
  sums.set(key, (sums.get(key) ?? 0) + ms);
}

function largest(sums: ReadonlyMap<string, number>, count: number): [string, number][] {
  return [...sums]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, count)
    .map(([key, ms]) => [key, rounded(ms)]);
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
