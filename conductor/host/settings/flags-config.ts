/**
 * From flag values to the settings of a run, with the checks of op-conductor's configuration and in
 * its words where tools or people may match on them.
 */
import type { ConductorOptions } from '#conductor/core/conductor-options';
import { EXECUTION_PEERS_API, HEALTH_DEFAULTS, type HealthOptions } from '#conductor/core/health/check';
import type { RaftOptions } from '#conductor/core/raft/events';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import type { LoggingOptions } from '#conductor/adapters/logging/logging';
import type { LineLevel, LogFormat } from '#conductor/adapters/logging/logging-format';
import { isTracesUrl } from '#conductor/adapters/tracing/trace-settings';
import { ConfigError } from '#conductor/core/errors';
import { shownUrl } from '#conductor/core/shown-url';
import type { RecoverModePolicy } from '#conductor/core/control/recover-mode';
import { advertisedAddress } from './advertised-address.ts';
import { initialMembersOf, type InitialMember } from '../bootstrap-once.ts';
import { flag, invalid, number, text, type Values } from './config-values.ts';
import { engineConfig, validationPolicy, type EngineConfig } from './engine-config.ts';
import type { FlagName } from '#conductor/cli/flags';
import { refuse, type OnFault } from '#conductor/cli/flags-parse';
import { httpUrl } from './http-url.ts';
import { listenHostname } from './listen-address.ts';
import {
  flashblocksConfig,
  rollupBoostOptions,
  rollupBoostUrl,
  type FlashblocksConfig,
} from './rollup-boost-config.ts';
import { profilingConfig, type ProfilingConfig } from '../profiling.ts';
import { blockTimeSeconds } from './rollup-config.ts';
import { healthChecks, portChecks, presenceChecks, raftChecks, type Check } from './setting-checks.ts';

/** Everything a run needs to know, with the settings that reach the conductor as they are. Times in milliseconds unless named otherwise. */
export interface RunConfig extends Omit<
  ConductorOptions,
  'raft' | 'isActive' | 'hasEngine' | 'hasL1' | 'addressFault' | 'version'
> {
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
  readonly initialMembers: readonly InitialMember[] | null;
  readonly nodeUrl: string;
  readonly executionUrl: string;
  readonly executionPeersUrl: string;
  /** null: the engine API is not used. */
  readonly engine: EngineConfig | null;
  /** '' when no L1 client is given. */
  readonly l1Url: string;
  /** Whole URL of rollup-boost's health check; '' when it is off. */
  readonly rollupBoostUrl: string;
  /** null: no flashblocks are relayed. */
  readonly flashblocks: FlashblocksConfig | null;
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
  /** Of a collector of traces; '' where the variables of OpenTelemetry alone count. */
  readonly tracesEndpoint: string;
}

/** Bounds of --rpc.body-limit, bytes: below the least not even small calls fit. */
const bodyBytesMaxMin = 1024;
const bodyBytesMaxMax = 1024 * 1024 * 1024;

/** Settings of the log, which are needed before all others. */
export function logConfig(values: Values): LoggingOptions {
  return {
    level: text(values, 'log.level').toLowerCase() as LineLevel,
    format: text(values, 'log.format') as LogFormat,
    hasColor: flag(values, 'log.color'),
    hasPid: flag(values, 'log.pid'),
  };
}

/** What of the settings can work; undefined for the parts that cannot. */
export type WorkingConfig = { readonly [Part in keyof RunConfig]: RunConfig[Part] | undefined };

/** Throws ConfigError for the first setting that cannot work. */
export function runConfig(values: Values): RunConfig {
  return workingConfig(values, refuse) as RunConfig;
}

/** Calls `onFault` for every setting that cannot work. */
export function workingConfig(values: Values, onFault: OnFault): WorkingConfig {
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown;
      onFault(thrown);
      return undefined;
    }
  };
  const blockTimeMs = attempt(() => 1000 * blockTimeSeconds(text(values, 'network'), text(values, 'rollup.config')));
  for (const check of [...presenceChecks, ...portChecks]) attempt(() => check(values));
  const intervalMs = number(values, 'healthcheck.interval') * 1000;
  return {
    serverId: text(values, 'raft.server.id'),
    storageDir: text(values, 'raft.storage.dir'),
    consensus: attempt(() => ({
      hostname: listenHostname(text(values, 'consensus.addr')),
      port: number(values, 'consensus.port'),
      advertised: advertisedAddress(text(values, 'consensus.advertised'), text(values, 'consensus.addr')),
    })),
    tls: attempt(() => tlsConfig(values)),
    raft: allWork(raftChecks) ? raftConfig(values) : undefined,
    isBootstrap: flag(values, 'raft.bootstrap'),
    initialMembers: attempt(() => initialMembers(values)),
    isPaused: flag(values, 'paused'),
    isRoundRobin: flag(values, 'raft.round-robin-leader-transfer'),
    isHashVerified: flag(values, 'consensus.verify-block-hash'),
    rollback: text(values, 'consensus.rollback').toLowerCase() === 'refuse' ? 'refuse' : 'proof',
    trustedHash: attempt(() => blockHash(values, 'consensus.allow-gap')),
    nodeUrl: attempt(() => httpUrl(values, 'node.rpc', 'node')),
    executionUrl: attempt(() => httpUrl(values, 'execution.rpc', 'geth')),
    executionPeersUrl: attempt(() => executionPeersUrl(values)),
    engine: attempt(() => engineConfig(values)),
    validation: attempt(() => validationPolicy(values)),
    recoverMode: text(values, 'sequencer.recover-mode') as RecoverModePolicy,
    l1Url: attempt(() => httpUrl(values, 'l1.rpc', 'l1')),
    rollupBoostUrl: attempt(() => rollupBoostUrl(values)),
    flashblocks: attempt(() => flashblocksConfig(values)),
    health: allWork(healthChecks)
      ? attempt(() => healthConfig(values, Math.max(HEALTH_DEFAULTS.timeoutMs, intervalMs)))
      : undefined,
    healthIntervalMs: intervalMs,
    blockTimeMs,
    rpc: attempt(() => ({
      hostname: listenHostname(text(values, 'rpc.addr')),
      port: number(values, 'rpc.port'),
      bodyBytesMax: bodyLimit(values),
      batchItemsMax: number(values, 'rpc.batch-limit'),
    })),
    isProxyEnabled: flag(values, 'rpc.enable-proxy'),
    isAdminEnabled: flag(values, 'rpc.enable-admin') || flag(values, 'rpc.admin-compat'),
    auth: authConfig(values),
    metrics: flag(values, 'metrics.enabled')
      ? { hostname: listenHostname(text(values, 'metrics.addr')), port: number(values, 'metrics.port') }
      : null,
    profiling: profilingConfig(values),
    tracesEndpoint: attempt(() => tracesEndpoint(values)),
  };

  function allWork(checks: readonly Check[]): boolean {
    return checks.map((check) => attempt(() => check(values) ?? true)).every((works) => works === true);
  }
}

/** Unchecked where nobody is asked for peers, as in op-conductor. */
function executionPeersUrl(values: Values): string {
  const isAsked = flag(values, 'healthcheck.execution-p2p-enabled');
  const url = isAsked ? httpUrl(values, 'healthcheck.execution-p2p-rpc-url', 'execution') : '';
  return url || text(values, 'execution.rpc');
}

function healthConfig(values: Values, timeoutMs: number): HealthOptions {
  const health = (message: string): never => invalid(`invalid health check config: ${message}`);
  const rollupBoost = rollupBoostOptions(values);
  const isPeersEnabled = flag(values, 'healthcheck.execution-p2p-enabled');
  // An empty variable is that of a template without a value.
  const api = text(values, 'healthcheck.execution-p2p-check-api') || EXECUTION_PEERS_API;
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
  return {
    ...RAFT_DEFAULTS,
    heartbeatTimeoutMs,
    leaderLeaseMs: number(values, 'raft.lease-timeout'),
    electionTimeoutMs: Math.max(RAFT_DEFAULTS.electionTimeoutMs, heartbeatTimeoutMs),
    snapshotIntervalMs: number(values, 'raft.snapshot-interval'),
    snapshotThreshold: number(values, 'raft.snapshot-threshold'),
    trailingLogs: number(values, 'raft.trailing-logs'),
    legacyEmptyStore: flag(values, 'raft.legacy-empty-store'),
    requireCatchUp: flag(values, 'raft.require-catch-up'),
  };
}

function initialMembers(values: Values): RunConfig['initialMembers'] {
  const listed = initialMembersOf(text(values, 'raft.bootstrap-once'), text(values, 'raft.server.id'));
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

function tracesEndpoint(values: Values): string {
  const endpoint = text(values, 'otel.endpoint');
  if (endpoint !== '' && !isTracesUrl(endpoint))
    invalid(`--otel.endpoint is no URL of OTLP over HTTP: ${shownUrl(endpoint)}, want one as http://127.0.0.1:4318`);
  return endpoint;
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
