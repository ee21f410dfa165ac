/**
 * The published chain as one line of a score: each block is the number of the node that sequenced
 * it, each slot without a block is a rest. A hand-over is read at a glance, and so is its length.
 */
import { span, type Line } from '#conductor/cli/terminal/text-line';
import { highestHead, type ClusterView } from '#conductor/operate/changes/view';

/** Slots remembered; more than any terminal is wide. */
const SLOTS_MAX = 600;
const REST = '·';
const UNKNOWN_PLAYER = '|';
/** Slots into which lateness may reach before it counts as a rest: looking takes time too. */
const TOLERANCE = 0.9;

/** Follows a devnet; give it every view in order. */
export class Rhythm {
  readonly #blockMs: number;
  #slots = '';
  #number: number | null = null;
  #atMs = 0;

  constructor(blockSeconds: number) {
    this.#blockMs = blockSeconds * 1000;
  }

  advance(view: ClusterView): void {
    const head = highestHead(view);
    if (head === null || (this.#number !== null && head.number <= this.#number)) return;
    const blocks = this.#number === null ? 1 : head.number - this.#number;
    const rests = this.#number === null ? 0 : this.#restsUntil(view.atMs);
    const active = view.nodes.filter((node) => node.isSequencing === true);
    const player = active.find((node) => node.role === 'leader') ?? (active.length === 1 ? active[0] : undefined);
    const mark = player === undefined ? UNKNOWN_PLAYER : String(player.index + 1);
    this.#slots = (this.#slots + REST.repeat(rests) + mark.repeat(Math.min(blocks, SLOTS_MAX))).slice(-SLOTS_MAX);
    this.#number = head.number;
    this.#atMs = view.atMs;
  }

  /** The newest slots, as many as fit. */
  render(width: number, nowMs: number): Line {
    const pending = this.#number === null ? 0 : this.#restsUntil(nowMs);
    const all = this.#slots + REST.repeat(pending);
    const slots = all.slice(Math.max(0, all.length - Math.max(0, width)));
    return (slots.match(/·+|[^·]+/g) ?? []).map((run) => span(run, run.startsWith(REST) ? 'faint' : 'plain'));
  }

  #restsUntil(atMs: number): number {
    const late = (atMs - this.#atMs) / this.#blockMs - TOLERANCE;
    return Math.min(SLOTS_MAX, Math.max(0, Math.floor(late)));
  }
}
