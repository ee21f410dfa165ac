/** The other flags of op-conductor that say how a conductor runs: raft, health checks, control, JSON-RPC. */
import { CONTROL_DEFAULTS } from '#conductor/core/control/control-host';
import { EXECUTION_PEERS_API, HEALTH_DEFAULTS } from '#conductor/core/health/check';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import { boolFlag, durationFlag, intFlag, textFlag, uint64Flag, type FlagDefinition } from './definition.ts';

export const runningFlags = [
  textFlag(
    'consensus.advertised',
    '',
    'Consensus',
    'host:port for the other servers; empty means the bound address; a name is resolved at each dial',
  ),
  boolFlag('paused', String(CONTROL_DEFAULTS.isPaused), 'Control', 'begin with the control loop paused'),
  boolFlag('rpc.enable-proxy', 'true', 'RPC', 'offer the eth, miner, optimism and admin methods too'),
  boolFlag('raft.bootstrap', 'false', 'Raft', 'create a cluster of this one server; also starts paused'),
  boolFlag(
    'healthcheck.safe-enabled',
    String(HEALTH_DEFAULTS.isSafeEnabled),
    'Health',
    'also check that the safe head advances',
  ),
  uint64Flag(
    'healthcheck.safe-interval',
    String(HEALTH_DEFAULTS.safeIntervalSeconds),
    'Health',
    'maximum seconds the safe head may be behind the clock; 0 is refused even when unused',
  ),
  durationFlag('raft.snapshot-interval', '2m0s', 'Raft', 'how often to look whether a snapshot is due; at least 5ms'),
  uint64Flag(
    'raft.snapshot-threshold',
    String(RAFT_DEFAULTS.snapshotThreshold),
    'Raft',
    'log entries since the last snapshot that make a new one due',
  ),
  uint64Flag('raft.trailing-logs', String(RAFT_DEFAULTS.trailingLogs), 'Raft', 'log entries kept behind a snapshot'),
  durationFlag(
    'raft.heartbeat-timeout',
    '1s',
    'Raft',
    'time without a leader until a follower starts an election; at least 5ms and not below the lease timeout',
  ),
  durationFlag(
    'raft.lease-timeout',
    '500ms',
    'Raft',
    'time without contact to a majority after which a leader steps down; at least 5ms',
  ),
  boolFlag(
    'rollup-boost.enabled',
    'false',
    'Health',
    'check rollup-boost by HTTP status at the execution URL plus /healthz',
  ),
  durationFlag(
    'rollup-boost.healthcheck-timeout',
    '5s',
    'Health',
    'longest wait for a rollup-boost check of either kind',
  ),
  boolFlag(
    'rollup-boost.next-enabled',
    'false',
    'Health',
    'check rollup-boost by a JSON answer; not together with the other kind',
  ),
  textFlag(
    'rollup-boost.next-healthcheck-url',
    '',
    'Health',
    'whole URL of the JSON check; needed when that check is on',
  ),
  boolFlag('healthcheck.execution-p2p-enabled', 'false', 'Health', "also count the execution client's peers"),
  uint64Flag(
    'healthcheck.execution-p2p-min-peer-count',
    '0',
    'Health',
    'minimum number of execution peers; 0 is refused when the check is on',
  ),
  textFlag(
    'healthcheck.execution-p2p-rpc-url',
    '',
    'Health',
    'other URL for counting execution peers; empty means execution.rpc',
  ),
  textFlag(
    'healthcheck.execution-p2p-check-api',
    EXECUTION_PEERS_API,
    'Health',
    'net (net_peerCount) or admin (admin_peers)',
  ),
  uint64Flag(
    'healthcheck.rollup-boost-partial-healthiness-tolerance-limit',
    '0',
    'Health',
    'partial rollup-boost failures allowed per time window; only together with the window',
  ),
  uint64Flag(
    'healthcheck.rollup-boost-partial-healthiness-tolerance-interval-seconds',
    '0',
    'Health',
    'length of that window in seconds',
  ),
  boolFlag(
    'raft.round-robin-leader-transfer',
    String(CONTROL_DEFAULTS.isRoundRobin),
    'Raft',
    'transfer leadership in the order of the server ids',
  ),
  textFlag('rpc.addr', '0.0.0.0', 'RPC', 'host the JSON-RPC server binds to'),
  intFlag('rpc.port', '8545', 'RPC', 'port the JSON-RPC server binds to'),
  boolFlag('rpc.enable-admin', 'false', 'RPC', 'allow the methods that change this conductor or the cluster'),
] as const satisfies readonly FlagDefinition[];
