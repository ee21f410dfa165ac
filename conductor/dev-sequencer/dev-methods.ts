/**
 * The methods development sequencers have among themselves (gossip, status, blocks by range) and
 * those by which tests and people inject faults. They live on the op-node port.
 */
import { blockFromEnvelope } from './block.ts';
import type { BlockStore } from './block-store.ts';
import { FAULT_DELAY_MS_MAX, type Faults } from './faults.ts';
import { RpcError, type RpcMethods } from './json-rpc-server.ts';
import { boundedParam, flagParam, quantityParam } from './params.ts';
import { RANGE_BLOCKS_MAX, RANGE_CHARACTERS_MAX, type Peers } from './peers.ts';
import type { UnsafeChain } from './unsafe-chain.ts';

/** Most published blocks listed at once. */
const PUBLISHED_LISTED_MAX = 10_000;

/** What the methods act on. */
export interface DevMethodsOptions {
  readonly genesisHash: string;
  readonly store: BlockStore;
  readonly chain: UnsafeChain;
  readonly peers: Peers;
  readonly faults: Faults;
}

/** The dev_ methods. */
export function devMethods(options: DevMethodsOptions): RpcMethods {
  return { ...peerMethods(options), ...faultMethods(options.faults), dev_rewindHead: ([to]) => rewind(options, to) };
}

function peerMethods({ genesisHash, store, chain, peers }: DevMethodsOptions): RpcMethods {
  return {
    dev_gossip: ([envelope]) => {
      chain.post(blockFromEnvelope(envelope));
      return null;
    },
    dev_peerStatus: () => ({ genesis: genesisHash, number: peers.announced }),
    dev_blocks: ([from, count]) =>
      store
        .texts(
          quantityParam(from, 0),
          peers.announced,
          Math.min(quantityParam(count, 1), RANGE_BLOCKS_MAX),
          RANGE_CHARACTERS_MAX,
        )
        .map((text): unknown => JSON.parse(text)),
    dev_published: ([from]) => store.published(from === undefined ? 0 : quantityParam(from, 0), PUBLISHED_LISTED_MAX),
  };
}

function faultMethods(faults: Faults): RpcMethods {
  return {
    dev_faults: () => ({
      ...faults,
      gossipDropsLeft: Number.isFinite(faults.gossipDropsLeft) ? faults.gossipDropsLeft : -1,
      invalidSealsLeft: Number.isFinite(faults.invalidSealsLeft) ? faults.invalidSealsLeft : -1,
    }),
    dev_stallHead: ([isOn]) => void (faults.isHeadStalled = flagParam(isOn, 0)),
    dev_slow: ([delayMs]) => void (faults.answerDelayMs = boundedParam(delayMs, 0, 0, FAULT_DELAY_MS_MAX)),
    dev_failStopOnce: () => void (faults.failsNextStop = true),
    dev_dropGossip: ([blocks]) => {
      const count = boundedParam(blocks, 0, -1, Number.MAX_SAFE_INTEGER);
      faults.gossipDropsLeft = count < 0 ? Infinity : count;
    },
    dev_gossipLoss: ([share]) => void (faults.gossipLoss = boundedParam(share, 0, 0, 1)),
    dev_gossipDelay: ([delayMs]) => void (faults.gossipDelayMs = boundedParam(delayMs, 0, 0, FAULT_DELAY_MS_MAX)),
    dev_insertDelay: ([delayMs]) => void (faults.insertDelayMs = boundedParam(delayMs, 0, 0, FAULT_DELAY_MS_MAX)),
    dev_unhealthy: ([isOn]) => void (faults.hidesPeers = flagParam(isOn, 0)),
    dev_peerSync: ([isOn]) => void (faults.isPeerSyncOff = !flagParam(isOn, 0)),
  };
}

/** Moves the head back, as when the chain's L1 origin was reorganized away. Returns the new head's hash. */
async function rewind({ chain, store }: DevMethodsOptions, to: unknown): Promise<string> {
  if (!(await chain.rewind(store.byNumber(quantityParam(to, 0))))) {
    throw new RpcError(`there is no block ${String(to)} at or below the head ${chain.head.number}`);
  }
  return chain.head.hash;
}
