/** How published blocks get from node to node. */
import type { Block } from './blocks.ts';
import type { EventQueue } from './event-queue.ts';
import type { Machine } from './machine.ts';
import { takeOne } from './node-troubles.ts';
import type { Stream } from './streams.ts';
import type { RunObserver } from './observer.ts';
import type { Links } from './links.ts';

/** How long gossip takes from one node to the next. */
const GOSSIP_MS = { min: 5, max: 60 };

interface GossipHost {
  readonly queue: EventQueue;
  readonly machines: readonly Machine[];
  readonly observer: RunObserver;
  readonly random: Stream;
  /** Whether what one publishes gets to the other, over however many machines between them. */
  isReached(from: Machine, to: Machine): boolean;
}

/** Whether nothing passes to and fro between a machine and any other: its node has no peers then, nor its client. */
export function isAlone(
  { machines, links }: { readonly machines: readonly Machine[]; readonly links: Links },
  { index }: Machine,
): boolean {
  const isParted = (other: number): boolean => links.isCut(index, other) || links.isCut(other, index);
  return machines.length > 1 && machines.every((other) => other.index === index || isParted(other.index));
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
    for (const other of this.#host.machines) {
      const { node } = other;
      if (other === machine) continue;
      const delayMs = this.#host.random.between(GOSSIP_MS.min, GOSSIP_MS.max) + faults.lateGossipMs;
      this.#host.queue.after(delayMs, () => {
        if (node.isUp && node.faults.lonely === 0 && this.#host.isReached(machine, other)) node.receive(block);
      });
    }
  }
}
