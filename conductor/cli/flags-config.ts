/**
 * From flag values to the settings of a run, with the checks of op-conductor's configuration and in
 * its words where tools or people may match on them.
 */
import type { RollbackPolicy } from '#conductor/control/rollback';
import type { HealthOptions } from '#conductor/health/checks';
import type { RaftOptions } from '#conductor/raft/events';
import { RAFT_DEFAULTS } from '#conductor/raft/options';
import type { LineLevel, LogFormat } from '#conductor/adapters/logging-format';
import { advertisedAddress } from './advertised-address.ts';
import { foundersOf, type Founder } from './bootstrap-once.ts';
import { checkPort, flag, invalid, number, text, type Values } from './config-values.ts';
import type { FlagName } from './flags.ts';
import { formatDuration } from './flag-values.ts';
import { listenHostname } from './listen-address.ts';
import {
  flashblocksConfig,
  rollupBoostOptions,
  rollupBoostUrl,
  type FlashblocksConfig,
} from './rollup-boost-config.ts';
import { profilingConfig, type ProfilingConfig } from './profiling.ts';
import { blockTimeSeconds } from './rollup-config.ts';

/** Everything a run needs to know. Times in milliseconds unless named otherwise. */
export interface RunConfig {
  readonly serverId: string;
  readonly storageDir: string;
  readonly consensus: { readonly hostname: string; readonly port: number; readonly advertised: string };
  readonly tls: {
    readonly certFile: string;
    readonly keyFile: string;
    readonly caFile: string;
    /** Is plain text taken and spoken, too? */
    readonly isMixed: boolean;
  } | null;
  readonly raft: Omit<RaftOptions, 'id' | 'address'>;
  readonly isBootstrap: boolean;
  /** The servers that found a cluster together, the one that does it first; null when not given. */
  readonly founders: readonly Founder[] | null;
  readonly isPaused: boolean;
  readonly isRoundRobin: boolean;
  readonly isHashVerified: boolean;
  readonly rollback: RollbackPolicy;
  /** "0x" and 64 digits in lower case; null when not given. */
  readonly vouchedHash: string | null;
  readonly nodeUrl: string;
  readonly executionUrl: string;
  readonly executionPeersUrl: string;
  /** Whole URL of rollup-boost's health check; '' when it is off. */
  readonly rollupBoostUrl: string;
  /** null: no flashblocks are relayed. */
  readonly flashblocks: FlashblocksConfig | null;
  readonly health: HealthOptions;
  readonly healthIntervalMs: number;
  readonly blockTimeMs: number;
  readonly rpc: {
    readonly hostname: string;
    readonly port: number;
    readonly bodyBytesMax: number;
    readonly batchItemsMax: number;
  };
  readonly isAdminEnabled: boolean;
  readonly isProxyEnabled: boolean;
  /** Paths of the files that admin callers are judged by, '' for none; null when neither is given. */
  readonly auth: { readonly tokensFile: string; readonly jwtSecretFile: string } | null;
  readonly metrics: { readonly hostname: string; readonly port: number } | null;
  readonly profiling: ProfilingConfig;
}

export interface LogConfig {
  readonly level: LineLevel;
  readonly format: LogFormat;
  readonly hasColor: boolean;
  readonly hasPid: boolean;
}

const probeTimeoutMinMs = 1000;
/** Bounds of --rpc.body-limit, bytes: below the least not even small calls fit. */
const bodyBytesMaxMin = 1024;
const bodyBytesMaxMax = 1024 * 1024 * 1024;

/** Settings of the log, which are needed before all others. */
export function logConfig(values: Values): LogConfig {
  return {
    level: text(values, 'log.level').toLowerCase() as LineLevel,
    format: text(values, 'log.format') as LogFormat,
    hasColor: flag(values, 'log.color'),
    hasPid: flag(values, 'log.pid'),
  };
}

/** Throws ConfigError for the first setting that cannot work. */
export function runConfig(values: Values): RunConfig {
  const blockTimeMs = 1000 * blockTimeSeconds(text(values, 'network'), text(values, 'rollup.config'));
  checkPresence(values);
  checkPorts(values);
  const intervalMs = number(values, 'healthcheck.interval') * 1000;
  return {
    serverId: text(values, 'raft.server.id'),
    storageDir: text(values, 'raft.storage.dir'),
    consensus: {
      hostname: listenHostname(text(values, 'consensus.addr')),
      port: number(values, 'consensus.port'),
      advertised: advertisedAddress(text(values, 'consensus.advertised'), text(values, 'consensus.addr')),
    },
    tls: tlsConfig(values),
    raft: raftConfig(values),
    isBootstrap: flag(values, 'raft.bootstrap'),
    founders: founders(values),
    isPaused: flag(values, 'paused'),
    isRoundRobin: flag(values, 'raft.round-robin-leader-transfer'),
    isHashVerified: flag(values, 'consensus.verify-block-hash'),
    rollback: text(values, 'consensus.rollback').toLowerCase() as RollbackPolicy,
    vouchedHash: blockHash(values, 'consensus.allow-gap'),
    nodeUrl: url(values, 'node.rpc', 'node'),
    executionUrl: url(values, 'execution.rpc', 'geth'),
    executionPeersUrl: text(values, 'healthcheck.execution-p2p-rpc-url') || text(values, 'execution.rpc'),
    rollupBoostUrl: rollupBoostUrl(values),
    flashblocks: flashblocksConfig(values),
    health: healthConfig(values, Math.max(probeTimeoutMinMs, intervalMs)),
    healthIntervalMs: intervalMs,
    blockTimeMs,
    rpc: {
      hostname: listenHostname(text(values, 'rpc.addr')),
      port: number(values, 'rpc.port'),
      bodyBytesMax: bodyLimit(values),
      batchItemsMax: number(values, 'rpc.batch-limit'),
    },
    isProxyEnabled: flag(values, 'rpc.enable-proxy'),
    isAdminEnabled: flag(values, 'rpc.enable-admin') || flag(values, 'rpc.admin-compat'),
    auth: authConfig(values),
    metrics: flag(values, 'metrics.enabled')
      ? { hostname: listenHostname(text(values, 'metrics.addr')), port: number(values, 'metrics.port') }
      : null,
    profiling: profilingConfig(values),
  };
}

function checkPresence(values: Values): void {
  const needed = [
    ['consensus.addr', 'missing consensus address'],
    ['raft.server.id', 'missing raft server ID'],
    ['raft.storage.dir', 'missing raft storage directory'],
    ['node.rpc', 'missing node RPC'],
    ['execution.rpc', 'missing geth RPC'],
  ] as const;
  for (const [name, message] of needed) if (text(values, name) === '') invalid(`${message} (--${name} is empty)`);
  if (/[/\\]|^\.\.?$/.test(text(values, 'raft.server.id')))
    invalid('the raft server ID names a folder, so it cannot contain slashes');
}

function checkPorts(values: Values): void {
  checkPort(values, 'consensus.port', 'invalid RPC port');
  checkPort(values, 'rpc.port', 'invalid rpc config: invalid RPC port');
  if (flag(values, 'metrics.enabled'))
    checkPort(values, 'metrics.port', 'invalid metrics config: invalid metrics port');
  if (flag(values, 'pprof.enabled')) checkPort(values, 'pprof.port', 'invalid pprof config: invalid pprof port');
}

function healthConfig(values: Values, timeoutMs: number): HealthOptions {
  const health = (message: string): never => invalid(`invalid health check config: ${message}`);
  if (number(values, 'healthcheck.interval') === 0) health('missing health check interval');
  if (number(values, 'healthcheck.safe-interval') === 0) health('missing safe interval');
  if (number(values, 'healthcheck.min-peer-count') === 0) health('missing minimum peer count');
  const rollupBoost = rollupBoostOptions(values);
  const isPeersEnabled = flag(values, 'healthcheck.execution-p2p-enabled');
  const api = text(values, 'healthcheck.execution-p2p-check-api');
  const minCount = number(values, 'healthcheck.execution-p2p-min-peer-count');
  if (isPeersEnabled && minCount === 0) health('missing minimum el p2p peers');
  if (isPeersEnabled && api !== 'net' && api !== 'admin')
    health(`invalid el p2p check api: "${api}", want net or admin`);
  return {
    unsafeIntervalSeconds: number(values, 'healthcheck.unsafe-interval'),
    isSafeEnabled: flag(values, 'healthcheck.safe-enabled'),
    safeIntervalSeconds: number(values, 'healthcheck.safe-interval'),
    minPeerCount: number(values, 'healthcheck.min-peer-count'),
    executionPeers: isPeersEnabled ? { minCount, api: api as 'net' | 'admin' } : null,
    rollupBoost,
    timeoutMs,
  };
}

function raftConfig(values: Values): Omit<RaftOptions, 'id' | 'address'> {
  const heartbeatTimeoutMs = number(values, 'raft.heartbeat-timeout');
  const leaderLeaseMs = number(values, 'raft.lease-timeout');
  const snapshotIntervalMs = number(values, 'raft.snapshot-interval');
  if (heartbeatTimeoutMs < 5)
    invalid(`HeartbeatTimeout is too low: ${formatDuration(heartbeatTimeoutMs)}, want at least 5ms`);
  if (leaderLeaseMs < 5) invalid(`LeaderLeaseTimeout is too low: ${formatDuration(leaderLeaseMs)}, want at least 5ms`);
  if (snapshotIntervalMs < 5)
    invalid(`SnapshotInterval is too low: ${formatDuration(snapshotIntervalMs)}, want at least 5ms`);
  if (leaderLeaseMs > heartbeatTimeoutMs) {
    const [lease, heartbeat] = [formatDuration(leaderLeaseMs), formatDuration(heartbeatTimeoutMs)];
    invalid(`LeaderLeaseTimeout (${lease}) cannot be larger than heartbeat timeout (${heartbeat})`);
  }
  return {
    ...RAFT_DEFAULTS,
    heartbeatTimeoutMs,
    leaderLeaseMs,
    electionTimeoutMs: Math.max(RAFT_DEFAULTS.electionTimeoutMs, heartbeatTimeoutMs),
    snapshotIntervalMs,
    snapshotThreshold: number(values, 'raft.snapshot-threshold'),
    trailingLogs: number(values, 'raft.trailing-logs'),
    legacyEmptyStore: flag(values, 'raft.legacy-empty-store'),
    requireCatchUp: flag(values, 'raft.require-catch-up'),
  };
}

function founders(values: Values): RunConfig['founders'] {
  const listed = foundersOf(text(values, 'raft.bootstrap-once'), text(values, 'raft.server.id'));
  if (listed !== null && flag(values, 'raft.bootstrap'))
    invalid('--raft.bootstrap founds a cluster whatever the others say: give it or --raft.bootstrap-once, not both');
  return listed;
}

function tlsConfig(values: Values): RunConfig['tls'] {
  const files = {
    certFile: text(values, 'consensus.tls.cert'),
    keyFile: text(values, 'consensus.tls.key'),
    caFile: text(values, 'consensus.tls.ca'),
  };
  const given = Object.values(files).filter((path) => path !== '').length;
  if (given !== 0 && given !== 3)
    invalid('--consensus.tls.cert, --consensus.tls.key and --consensus.tls.ca must be given together');
  const isMixed = text(values, 'consensus.tls.mode') === 'mixed';
  if (isMixed && given === 0)
    invalid('--consensus.tls.mode=mixed needs --consensus.tls.cert, --consensus.tls.key and --consensus.tls.ca');
  return given === 0 ? null : { ...files, isMixed };
}

function authConfig(values: Values): RunConfig['auth'] {
  const files = {
    tokensFile: text(values, 'rpc.auth.tokens-file'),
    jwtSecretFile: text(values, 'rpc.auth.jwt-secret'),
  };
  return files.tokensFile === '' && files.jwtSecretFile === '' ? null : files;
}

function url(values: Values, name: FlagName, client: string): string {
  const address = text(values, name);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1] ?? '';
  const isWebSocket = /^wss?$/i.test(scheme);
  if (!/^https?$/i.test(scheme)) {
    const advice = isWebSocket
      ? 'websockets are not dialled here: give the HTTP endpoint of the same node'
      : 'want http or https';
    invalid(
      `failed to create ${client} rpc client: failed to dial address (${address}): no known transport for URL scheme "${scheme}" (${advice})`,
    );
  }
  if (!URL.canParse(address)) invalid(`--${name} is not a URL: ${address}`);
  return address;
}

function blockHash(values: Values, name: FlagName): string | null {
  const hash = text(values, name);
  if (hash !== '' && !/^0x[0-9a-f]{64}$/i.test(hash))
    invalid(`--${name} is no block hash: ${hash}, want 0x and 64 hex digits`);
  return hash === '' ? null : hash.toLowerCase();
}

function bodyLimit(values: Values): number {
  const bytes = number(values, 'rpc.body-limit');
  const [least, most] = [bodyBytesMaxMin, bodyBytesMaxMax];
  if (bytes < least) invalid(`--rpc.body-limit is ${bytes} bytes, want ${least} to ${most}: no call would fit`);
  // Not quoted: beyond 2^53 the number is not the one that was written.
  if (bytes > most) invalid(`--rpc.body-limit is above the largest, ${most} bytes, want ${least} to ${most}`);
  return bytes;
}
