/**
 * The command lines of a devnet's children. A conductor that is named gets op-conductor's own flags, so that any drop-in
 * can be run; this program also gets the engine API of its sequencer.
 */
import type { DataDir } from './data-dir.ts';
import type { DevnetOptions } from './options.ts';
import { ownCommand } from '#conductor/adapters/system/own-program';
import { HOST, localUrl, type NodePlan } from './plan.ts';

/** Block times without a new block after which a conductor calls its sequencer unhealthy. */
const UNSAFE_INTERVAL_BLOCKS = 5;

/** How a conductor is started the first time. */
export interface FirstStart {
  readonly isBootstrap: boolean;
  readonly isPaused: boolean;
}

/** What the command lines are made from. */
export interface ChildCommandOptions {
  readonly devnet: DevnetOptions;
  readonly nodes: readonly NodePlan[];
  readonly dataDir: DataDir;
}

/** Starts the development sequencer of a node. */
export function sequencerCommand({ devnet, dataDir, nodes }: ChildCommandOptions, plan: NodePlan): string[] {
  const { manifest } = dataDir;
  const peers = nodes.filter((other) => other.index !== plan.index).map((other) => localUrl(other.ports.sequencerNode));
  const flags = flagWords({
    'data-dir': dataDir.folder('sequencer', plan.index),
    'rpc-addr': HOST,
    'node-port': plan.ports.sequencerNode,
    'execution-port': plan.ports.sequencerExecution,
    'engine-port': plan.ports.sequencerEngine,
    'jwt-secret': dataDir.jwtSecret,
    'conductor-rpc': localUrl(plan.ports.conductorRpc),
    peers: peers.join(','),
    'genesis-time': manifest.genesisTime,
    'block-time': manifest.blockSeconds,
    'chain-id': manifest.chainId,
    'txs-per-block': devnet.transactionsPerBlock,
    'tx-bytes': devnet.transactionBytes,
  });
  return [...ownCommand(), 'dev-sequencer', ...flags];
}

/** Starts the conductor of a node. */
export function conductorCommand(
  { devnet, dataDir }: ChildCommandOptions,
  plan: NodePlan,
  first: FirstStart,
): string[] {
  const { ports } = plan;
  const flags = flagWords({
    'consensus.addr': HOST,
    'consensus.port': ports.raft,
    'consensus.advertised': `${HOST}:${ports.raft}`,
    'raft.server.id': plan.id,
    'raft.storage.dir': dataDir.folder('conductor', plan.index),
    'raft.snapshot-interval': '120s',
    'raft.snapshot-threshold': 8192,
    'raft.trailing-logs': 10_240,
    'raft.heartbeat-timeout': '1s',
    'raft.lease-timeout': '500ms',
    'node.rpc': localUrl(ports.sequencerNode),
    'execution.rpc': localUrl(ports.sequencerExecution),
    'rollup.config': dataDir.rollupConfig,
    'healthcheck.interval': 1,
    'healthcheck.unsafe-interval': UNSAFE_INTERVAL_BLOCKS * devnet.blockSeconds,
    'healthcheck.min-peer-count': 1,
    'rpc.addr': HOST,
    'rpc.port': ports.conductorRpc,
    'websocket.server-port': ports.websocket,
    'metrics.addr': HOST,
    'metrics.port': ports.metrics,
    'log.level': 'info',
    'log.format': 'logfmt',
  });
  const switches = ['--rpc.enable-admin', '--rpc.enable-proxy=true', '--metrics.enabled'];
  if (first.isBootstrap) switches.push('--raft.bootstrap');
  if (first.isPaused) switches.push('--paused');
  const other = devnet.conductorCommands[plan.index] ?? null;
  if (other !== null) return [...other, ...flags, ...switches];
  const engine = flagWords({
    'execution.engine-rpc': localUrl(ports.sequencerEngine),
    'execution.jwt-secret': dataDir.jwtSecret,
  });
  return [...ownCommand(), ...flags, ...engine, ...switches];
}

function flagWords(flags: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
}
