/**
 * One development sequencer put together: store, unsafe chain, sequencing loop, peers, and the two
 * servers that stand for op-node and its execution client.
 */
import { buildNextBlock, genesisBlock } from './block.ts';
import { BlockProducer } from './block-producer.ts';
import { openBlockStore } from './block-store.ts';
import type { BlockStore } from './block-store.ts';
import type { ChainSpec } from './chain-spec.ts';
import { createConductorClient } from './conductor-client.ts';
import { devMethods } from './dev-methods.ts';
import { executionMethods } from './execution-methods.ts';
import { noFaults } from './faults.ts';
import type { Faults } from './faults.ts';
import { serveJsonRpc } from './json-rpc-server.ts';
import type { JsonRpcServer } from './json-rpc-server.ts';
import type { NodeLog } from './node-log.ts';
import { nodeMethods, syncStatus } from './node-methods.ts';
import { Peers } from './peers.ts';
import { UnsafeChain } from './unsafe-chain.ts';

/** Largest block content that can be asked for: bytes of all transactions. */
export const BLOCK_BYTES_MAX = 20 * 1024 * 1024;
/** Seconds a chain may lie behind the clock and still fill every slot; beyond that it goes on from now. */
const CATCH_UP_SECONDS_MAX = 300;

/** Everything a development sequencer is told at start. */
export interface DevNodeOptions {
  readonly spec: ChainSpec;
  /** File of the block store; its folder exists. */
  readonly storePath: string;
  readonly hostname: string;
  readonly nodePort: number;
  readonly executionPort: number;
  /** null: nobody is asked, as by an op-node without --conductor.enabled. */
  readonly conductorUrl: string | null;
  readonly conductorTimeoutMs: number;
  /** op-node URLs of the other sequencers. */
  readonly peerUrls: readonly string[];
  readonly transactionsPerBlock: number;
  readonly transactionBytes: number;
  readonly faults: Partial<Faults>;
  readonly log: NodeLog;
}

/** A running sequencer. */
export interface DevNode {
  readonly nodePort: number;
  readonly executionPort: number;
  stop(): Promise<void>;
}

/** Opens the store and starts both servers. Throws BlockStoreError, or what Bun throws for a taken port. */
export async function startDevNode(options: DevNodeOptions): Promise<DevNode> {
  const { spec, log } = options;
  const faults: Faults = { ...noFaults(), ...options.faults };
  const genesis = genesisBlock(spec);
  const store = openBlockStore(options.storePath, genesis);
  const chain = new UnsafeChain({ store, genesis, faults, log });
  const peers = new Peers({ urls: options.peerUrls, genesisHash: genesis.hash, chain, faults, log });
  const producer = new BlockProducer({
    chain,
    conductor:
      options.conductorUrl === null ? null : createConductorClient(options.conductorUrl, options.conductorTimeoutMs),
    faults,
    log,
    build: (parent) => buildNextBlock(parent, nextTimestamp(spec, parent.timestamp), options),
    publish: (block) => {
      store.recordPublished({ number: block.number, hash: block.hash, atMs: Date.now() });
      peers.gossip(block);
    },
  });
  const isConductorEnabled = options.conductorUrl !== null;
  const parts = { spec, genesis, store, chain, producer, peers, isConductorEnabled, log };
  const labels = (): { safe: string; finalized: string } => {
    const status = syncStatus(parts);
    return { safe: status.safe_l2.hash, finalized: status.finalized_l2.hash };
  };
  const delayMs = (): number => faults.answerDelayMs;
  const servers: JsonRpcServer[] = [];
  const { hostname } = options;
  try {
    const dev = devMethods({ genesisHash: genesis.hash, store, chain, peers, faults });
    servers.push(
      serveJsonRpc({ hostname, port: options.nodePort, delayMs, methods: { ...nodeMethods(parts), ...dev } }),
    );
    const methods = executionMethods({ ...parts, labels });
    servers.push(serveJsonRpc({ hostname, port: options.executionPort, delayMs, methods }));
  } catch (error) {
    await closeAll(servers, producer, peers, chain, store);
    throw error;
  }
  log('info', 'development sequencer is up', { head: chain.head.hash, number: chain.head.number });
  return {
    nodePort: servers[0]?.port ?? options.nodePort,
    executionPort: servers[1]?.port ?? options.executionPort,
    stop: () => closeAll(servers, producer, peers, chain, store),
  };
}

/** Parent's time plus block time, as the protocol has it, unless the chain slept for long. */
function nextTimestamp(spec: ChainSpec, parentTimestamp: number): number {
  const next = parentTimestamp + spec.blockSeconds;
  const missedSlots = Math.floor((Date.now() / 1000 - next) / spec.blockSeconds);
  return missedSlots * spec.blockSeconds > CATCH_UP_SECONDS_MAX ? next + missedSlots * spec.blockSeconds : next;
}

async function closeAll(
  servers: readonly JsonRpcServer[],
  producer: BlockProducer,
  peers: Peers,
  chain: UnsafeChain,
  store: BlockStore,
): Promise<void> {
  producer.close();
  peers.close();
  chain.close();
  for (const server of servers) {
    await server.stop();
  }
  store.close();
}
