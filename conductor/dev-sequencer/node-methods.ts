/**
 * The op-node side of a development sequencer: the admin, optimism and opp2p methods a conductor,
 * a batcher or a person asks, with op-node's answers and error texts.
 */
import { blockFromEnvelope, outputRoots, type DevBlock } from './block.ts';
import type { BlockStore } from './block-store.ts';
import type { BlockProducer } from './block-producer.ts';
import { l1Heads, l2Ref, rollupConfig, type BlockPosition, type ChainSpec, type L2Ref } from './chain-spec.ts';
import { RpcError, type RpcMethods } from './json-rpc-server.ts';
import type { NodeLog } from './node-log.ts';
import { flagParam, hashParam, quantityParam } from './params.ts';
import type { PayloadBuilder } from './payload-builder.ts';
import type { Peers } from './peers.ts';
import type { UnsafeChain } from './unsafe-chain.ts';

/** Seconds the simulated safe and finalized L2 heads lie behind the unsafe head. */
const SAFE_LAG_SECONDS = 60;
const FINALIZED_LAG_SECONDS = 180;

/** What the methods answer from. */
export interface NodeMethodsOptions {
  readonly spec: ChainSpec;
  readonly genesis: DevBlock;
  readonly store: BlockStore;
  readonly chain: UnsafeChain;
  readonly producer: BlockProducer;
  readonly builder: PayloadBuilder;
  readonly peers: Peers;
  readonly isConductorEnabled: boolean;
  readonly log: NodeLog;
}

/** What optimism_syncStatus answers. */
export interface SyncStatus {
  readonly current_l1: BlockPosition;
  readonly current_l1_finalized: BlockPosition;
  readonly head_l1: BlockPosition;
  readonly safe_l1: BlockPosition;
  readonly finalized_l1: BlockPosition;
  readonly unsafe_l2: L2Ref;
  readonly safe_l2: L2Ref;
  readonly finalized_l2: L2Ref;
  readonly pending_safe_l2: L2Ref;
  readonly local_safe_l2: L2Ref;
}

/** The methods of the op-node port. */
export function nodeMethods(options: NodeMethodsOptions): RpcMethods {
  const { chain, peers, producer, spec, genesis, log } = options;
  return {
    admin_conductorEnabled: () => options.isConductorEnabled,
    admin_sequencerActive: () => producer.isActive,
    admin_startSequencer: async ([hash]) => producer.start(hashParam(hash, 0)),
    admin_stopSequencer: async () => producer.stop(),
    admin_overrideLeader: () => producer.ignoreConductor(),
    admin_resetDerivationPipeline: async () => {
      await chain.reset();
      producer.startOver();
      return null;
    },
    admin_postUnsafePayload: ([envelope]) => {
      const block = blockFromEnvelope(envelope);
      log('info', 'received a payload by RPC', { number: block.number, hash: block.hash, head: chain.head.number });
      chain.post(block);
      return null;
    },
    optimism_syncStatus: () => syncStatus(options),
    optimism_rollupConfig: () => rollupConfig(spec, genesis.hash),
    optimism_version: () => 'conductor-dev-sequencer',
    optimism_outputAtBlock: ([number]) => outputAtBlock(options, quantityParam(number, 0)),
    opp2p_peerStats: () => {
      const connected = peers.connected;
      return {
        connected,
        table: 0,
        blocksTopic: connected,
        blocksTopicV2: connected,
        blocksTopicV3: connected,
        blocksTopicV4: connected,
        banned: 0,
        known: peers.known,
      };
    },
    admin_setRecoverMode: ([isOn]) => {
      options.builder.isRecovering = flagParam(isOn, 0);
      log('warn', 'recover mode', { on: options.builder.isRecovering });
      return null;
    },
  };
}

/** The heads of both chains, with every field op-node has. */
export function syncStatus(options: Pick<NodeMethodsOptions, 'spec' | 'chain' | 'store' | 'genesis'>): SyncStatus {
  const { spec, chain } = options;
  const l1 = l1Heads(spec, Math.floor(Date.now() / 1000));
  const safe = behind(options, SAFE_LAG_SECONDS);
  return {
    current_l1: l1.head,
    current_l1_finalized: l1.finalized,
    head_l1: l1.head,
    safe_l1: l1.safe,
    finalized_l1: l1.finalized,
    unsafe_l2: l2Ref(spec, chain.head),
    safe_l2: safe,
    finalized_l2: behind(options, FINALIZED_LAG_SECONDS),
    pending_safe_l2: safe,
    local_safe_l2: safe,
  };
}

/** The reference of the newest block this many seconds older than the head, or the genesis: as the node remembers it, whatever its client has lost. */
function behind(options: Pick<NodeMethodsOptions, 'spec' | 'chain' | 'store' | 'genesis'>, seconds: number): L2Ref {
  const { spec, chain, store, genesis } = options;
  const timestamp = chain.head.timestamp - seconds;
  return l2Ref(spec, chain.latestUntil(timestamp) ?? store.latestUntil(timestamp) ?? genesis);
}

function outputAtBlock(options: NodeMethodsOptions, number: number): Record<string, unknown> {
  const block = number > options.chain.head.number ? null : options.store.byNumber(number);
  if (block === null) {
    throw new RpcError(
      'failed to get L2 block ref with sync status: ' +
        `failed to determine L2BlockRef of height ${number}, could not get payload: not found`,
    );
  }
  return {
    version: `0x${'00'.repeat(32)}`,
    ...outputRoots(block),
    blockRef: l2Ref(options.spec, block),
    syncStatus: syncStatus(options),
  };
}
