/**
 * The execution-client side of a development sequencer: blocks by number and hash with every header
 * field (a conductor works the hash out from them), peer counts, and the few methods tools ask first.
 */
import { blockJson, type DevBlock } from './block.ts';
import type { BlockStore } from './block-store.ts';
import type { ChainSpec } from './chain-spec.ts';
import type { ExecutionClient } from './execution-client.ts';
import type { Faults } from './faults.ts';
import { RpcError, type RpcMethods } from './json-rpc-server.ts';
import { flagParam, hashParam, quantityParam } from './params.ts';
import type { Peers } from './peers.ts';

/** What the methods answer from. */
export interface ExecutionMethodsOptions {
  readonly spec: ChainSpec;
  readonly genesis: DevBlock;
  readonly store: BlockStore;
  readonly client: ExecutionClient;
  readonly faults: Faults;
  readonly peers: Peers;
  /** The safe and finalized heads, which only the rollup node knows. */
  readonly labels: () => { readonly safe: string; readonly finalized: string };
}

/** The methods of the execution port. */
export function executionMethods(options: ExecutionMethodsOptions): RpcMethods {
  const { client, faults, peers, spec } = options;
  return {
    eth_chainId: () => hex(spec.chainId),
    eth_blockNumber: () => hex(client.head.number),
    eth_syncing: () => (faults.execution === 'syncing' ? syncProgress(client) : false),
    eth_getBlockByNumber: ([tag, full]) => {
      const block = blockByTag(options, tag);
      return block === null ? null : blockJson(block, full === undefined ? false : flagParam(full, 1));
    },
    eth_getBlockByHash: ([hash, full]) => {
      const block = client.byHash(hashParam(hash, 0));
      return block === null ? null : blockJson(block, full === undefined ? false : flagParam(full, 1));
    },
    // Nobody has any.
    eth_getBalance: ([, tag]) => {
      if (blockByTag(options, tag) === null) throw new RpcError('header not found', -32000);
      return '0x0';
    },
    debug_getBadBlocks: () =>
      client.badBlocks.map(({ block }) => ({ hash: block.hash, block: blockJson(block, false), rlp: '0x' })),
    net_peerCount: () => hex(peers.connected),
    net_version: () => String(spec.chainId),
    admin_peers: () => peers.connectedUrls.map((url) => ({ enode: url, name: 'conductor-dev-sequencer' })),
    web3_clientVersion: () => 'conductor-dev-sequencer',
    miner_setMaxDASize: ([transactionBytes, blockBytes]) => {
      quantityParam(transactionBytes, 0);
      quantityParam(blockBytes, 1);
      return true;
    },
  };
}

function blockByTag(options: ExecutionMethodsOptions, tag: unknown): DevBlock | null {
  const { client, store, genesis } = options;
  switch (tag) {
    case 'latest':
    case 'pending':
      return client.head;
    case 'earliest':
      return genesis;
    case 'safe':
      return store.byHash(options.labels().safe);
    case 'finalized':
      return store.byHash(options.labels().finalized);
    default:
      if (typeof tag === 'string' && !tag.startsWith('0x')) {
        throw new RpcError('invalid argument 0: hex string without 0x prefix', -32602);
      }
      return store.byNumber(quantityParam(tag, 0));
  }
}

function syncProgress({ head }: ExecutionClient): Record<string, string> {
  return { startingBlock: hex(head.number), currentBlock: hex(head.number), highestBlock: hex(head.number + 1) };
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
