/**
 * One development sequencer put together: the execution client with its store and builder, the unsafe chain, the
 * sequencing loop, peers, and the servers that stand for op-node and its client.
 */
import { wellAnswers } from '#conductor/core/health/checks';
import { buildNextBlock, genesisBlock } from './block.ts';
import { BlockProducer } from './block-producer.ts';
import { openBlockStore } from './block-store.ts';
import { slotAfter, type ChainSpec } from './chain-spec.ts';
import { createConductorClient } from './conductor-client.ts';
import { devMethods } from './dev-methods.ts';
import { EngineLink } from './engine-link.ts';
import { engineMethods } from './engine-methods.ts';
import { ExecutionClient } from './execution-client.ts';
import { executionDevMethods } from './execution-dev-methods.ts';
import { executionMethods } from './execution-methods.ts';
import { ExecutionServers } from './execution-servers.ts';
import { noFaults, type Faults } from './faults.ts';
import { serveJsonRpc, type JsonRpcServer, type RpcMethods } from './json-rpc-server.ts';
import type { NodeLog } from './node-log.ts';
import { nodeMethods, syncStatus, type NodeMethodsOptions } from './node-methods.ts';
import { PayloadBuilder } from './payload-builder.ts';
import { Peers } from './peers.ts';
import { UnsafeChain } from './unsafe-chain.ts';

/** Largest block content that can be asked for: bytes of all transactions. */
export const BLOCK_BYTES_MAX = 20 * 1024 * 1024;
/** Everything a development sequencer is told at start. */
export interface DevNodeOptions {
  readonly spec: ChainSpec;
  /** File of the block store; its folder exists. */
  readonly storePath: string;
  readonly hostname: string;
  readonly nodePort: number;
  readonly executionPort: number;
  /** Where the engine API is served and what callers must have signed with (32 bytes); null: it is not served. */
  readonly engine: { readonly port: number; readonly secret: Uint8Array } | null;
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
  /** null: no engine API is served. */
  readonly enginePort: number | null;
  stop(): Promise<void>;
}

/** Opens the store and starts both servers. Throws BlockStoreError, or what Bun throws for a taken port. */
export async function startDevNode(options: DevNodeOptions): Promise<DevNode> {
  const { spec, log } = options;
  const faults: Faults = { ...noFaults(), ...options.faults };
  const genesis = genesisBlock(spec);
  const store = openBlockStore(options.storePath, genesis);
  const sharesTimestamps = (spec.blocksPerSlot ?? 1) > 1;
  const client = new ExecutionClient({ store, genesis, faults, log, sharesTimestamps });
  const engine = new EngineLink(client, faults);
  const chain = new UnsafeChain({ engine, head: client.head, faults, log });
  const peers = new Peers({ urls: options.peerUrls, genesisHash: genesis.hash, chain, faults, log });
  const builder = new PayloadBuilder({
    engine,
    faults,
    slot: (parent) => slotAfter(spec, parent, Date.now()),
    build: (parent, timestamp, isRecovering) =>
      buildNextBlock(parent, timestamp, isRecovering ? { ...options, transactionsPerBlock: 1 } : options),
  });
  const producer = new BlockProducer({
    chain,
    conductor:
      options.conductorUrl === null ? null : createConductorClient(options.conductorUrl, options.conductorTimeoutMs),
    faults,
    log,
    builder,
    blockMs: spec.blockSeconds * 1000,
    publish: (block) => {
      store.recordPublished({ number: block.number, hash: block.hash, atMs: Date.now() });
      peers.gossip(block);
    },
  });
  const isConductorEnabled = options.conductorUrl !== null;
  const parts = { spec, genesis, store, client, chain, producer, builder, peers, faults, isConductorEnabled, log };
  const servers = listen(parts, options);
  if (servers instanceof Error) {
    await closeAll([], parts);
    throw servers;
  }
  log('info', 'development sequencer is up', { head: chain.head.hash, number: chain.head.number });
  const { node, execution } = servers;
  return {
    nodePort: node.port,
    executionPort: execution.port,
    enginePort: execution.enginePort,
    stop: () => closeAll([node, execution], parts),
  };
}

interface Parts extends NodeMethodsOptions {
  readonly client: ExecutionClient;
  readonly faults: Faults;
}

/** Opens the ports; the error where one is taken. */
function listen(
  parts: Parts,
  { hostname, nodePort, executionPort, engine }: DevNodeOptions,
): { readonly node: JsonRpcServer; readonly execution: ExecutionServers } | Error {
  const { genesis, store, chain, peers, faults, client, builder } = parts;
  const labels = (): { safe: string; finalized: string } => {
    const status = syncStatus(parts);
    return { safe: status.safe_l2.hash, finalized: status.finalized_l2.hash };
  };
  let execution: ExecutionServers | null = null;
  try {
    execution = new ExecutionServers({
      hostname,
      port: executionPort,
      methods: { ...wellMethods('execution'), ...executionMethods({ ...parts, labels }) },
      engine: engine === null ? null : { ...engine, methods: engineMethods(client) },
      faults,
    });
    const methods = {
      ...wellMethods('node'),
      ...nodeMethods(parts),
      ...devMethods({ genesisHash: genesis.hash, store, chain, peers, faults }),
      ...executionDevMethods({ client, builder, servers: execution, faults }),
    };
    const delayMs = (): number => faults.answerDelayMs;
    return { node: serveJsonRpc({ hostname, port: nodePort, delayMs, methods }), execution };
  } catch (error) {
    void execution?.stop();
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What health checks ask and nothing here knows better. */
function wellMethods(target: 'node' | 'execution'): RpcMethods {
  return Object.fromEntries(Object.entries(wellAnswers(target)).map(([method, answer]) => [method, () => answer]));
}

async function closeAll(
  servers: readonly { stop(): Promise<void> }[],
  { producer, peers, chain, store }: Parts,
): Promise<void> {
  producer.close();
  peers.close();
  chain.close();
  for (const server of servers) await server.stop();
  store.close();
}
