/**
 * Whether blocks reach a node. One that was restarted has its old head, maybe near enough, and gets what it missed only
 * with the next blocks: give it leadership too early, or stop the sequencer for it, and its last block never arrives.
 */
import type { ServerConfig } from './cluster-config.ts';
import { highestHead, seen, type ClusterView } from './cluster-view.ts';

/** When the highest head is older, no block can be waited for, seconds. */
const RESTING_SECONDS = 30;

export class Following {
  readonly #server: ServerConfig;
  /** The highest block when it was first asked. */
  #begun: number | null = null;

  constructor(server: ServerConfig) {
    this.#server = server;
  }

  /** Why it does not follow yet, in a few words; null once a block above the first highest one has reached it. */
  whyNot(view: ClusterView): string | null {
    const { id, node } = seen(view, this.#server);
    const highest = highestHead(view);
    if (node === null || highest === null) return null;
    this.#begun ??= highest.number;
    const own = node.unsafeHead;
    if (own !== null && own.number > this.#begun) return null;
    const isResting = view.atMs / 1000 - highest.timestamp > RESTING_SECONDS;
    if (isResting && own?.hash === highest.hash) return null;
    return `the op-node of ${id} is at block ${own?.number ?? '?'}, waiting for ${this.#begun + 1}`;
  }
}
