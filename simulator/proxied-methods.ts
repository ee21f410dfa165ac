/**
 * What callers ask of a conductor and it passes on: answers of op-node and its client that the conductor itself never
 * needs. Shorter than the real ones; the conductor fills in what its types demand.
 */
import type { Block } from './blocks.ts';
import type { ClientMethodsHost } from './client-methods.ts';
import type { RollupNode } from './rollup-node.ts';

export interface ProxiedHost extends ClientMethodsHost {
  readonly node: RollupNode;
}

/** Undefined for a method that is answered like the conductor's own requests. */
export function proxiedAnswer(host: ProxiedHost, method: string, params: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_getBlockByNumber': {
      const block = blockAt(host, String(params[0]));
      return block === null ? null : blockOf(block);
    }
    case 'miner_setMaxDASize':
      // Blocks of the simulation are next to empty: any limit is kept.
      return true;
    case 'optimism_rollupConfig':
      return rollupConfigOf(host);
    default:
      return undefined;
  }
}

function blockAt({ client, node, blocks, l1, nowMs }: ProxiedHost, at: string): Block | null {
  if (at === 'earliest') return blocks.genesis;
  if (at === 'latest' || at === 'pending') return client.head;
  if (at === 'safe') return node.safe;
  if (at === 'finalized') {
    let block = node.safe;
    while (block.origin > l1.finalizedAt(nowMs)) block = blocks.parentOf(block) ?? blocks.genesis;
    return block;
  }
  const number = Number(at);
  return number > client.head.number ? null : blocks.ancestor(client.head, number);
}

function blockOf({ number, hash, parentHash, timestamp }: Block): unknown {
  return { number: quantity(number), hash, parentHash, timestamp: quantity(timestamp), transactions: [] };
}

function rollupConfigOf({ blocks }: ProxiedHost): unknown {
  const { number, hash, origin, originHash, timestamp } = blocks.genesis;
  return {
    genesis: {
      l1: { number: origin, ...(originHash === null ? {} : { hash: originHash }) },
      l2: { number, hash },
      l2_time: timestamp,
      system_config: {},
    },
    block_time: blocks.blockSeconds,
  };
}

function quantity(number: number): string {
  return `0x${number.toString(16)}`;
}
