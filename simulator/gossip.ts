/** How published blocks get from node to node. */
import type { Block } from './blocks.ts';
import type { EventQueue } from './event-queue.ts';
import type { Machine } from './machine.ts';
import { takeOne } from './node-troubles.ts';
import type { Stream } from './streams.ts';
import type { RunObserver } from './observer.ts';

/** How long gossip takes from one node to the next. */
const GOSSIP_MS = { min: 5, max: 60 };

interface GossipHost {
  readonly queue: EventQueue;
  readonly machines: readonly Machine[];
  readonly observer: RunObserver;
  readonly random: Stream;
}

export class Gossip {
  readonly #host: GossipHost;

  constructor(host: GossipHost) {
    this.#host = host;
  }

  /** A node gossips a block it has published. */
  publish(machine: Machine, block: Block): void {
    this.#host.observer.published(machine, block);
    const { faults } = machine.node;
    if (takeOne(faults, 'lostGossip') || faults.lonely > 0) return;
    for (const { node } of this.#host.machines) {
      if (node === machine.node) continue;
      const delayMs = this.#host.random.between(GOSSIP_MS.min, GOSSIP_MS.max) + faults.lateGossipMs;
      this.#host.queue.after(delayMs, () => {
        if (node.isUp && node.faults.lonely === 0) node.receive(block);
      });
    }
  }
}
